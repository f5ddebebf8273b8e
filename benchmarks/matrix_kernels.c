/* What compiled code takes for the same arithmetic: KTU and RBO of all pairs of runs.
 *
 * cc -O3 -march=native -shared -fPIC -o kernels.so matrix_kernels.c
 *
 * For each run and topic it gets the ranks that documents have by their names, the places of
 * the documents in the order of their names, and their numbers, which are below `names`. Lists
 * have one length, of at most 1024 documents.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Pairs in descending order: values seen so far are bits, counted in front of each word. */
static int64_t inversions(const uint16_t *ranks, const uint16_t *places, int n,
                          const uint16_t steps[16][16]) {
    uint64_t seen[16] = {0};
    uint16_t before[16] = {0};
    int64_t ordered = 0;
    for (int i = 0; i < n; i++) {
        int value = ranks[places[i]], word = value >> 6;
        uint64_t bit = 1ull << (value & 63);
        ordered += before[word] + __builtin_popcountll(seen[word] & (bit - 1));
        seen[word] |= bit;
        for (int k = 0; k < 16; k++) before[k] += steps[word][k];
    }
    return (int64_t)n * (n - 1) / 2 - ordered;
}

/* The upper triangle, row by row: inversions and weights of overlap of every topic. */
void all_pairs(const uint16_t *ranks, const uint16_t *places, const uint16_t *codes,
               const int64_t *weights, int runs, int topics, int n, int names,
               int64_t *ktu, int64_t *rbo) {
    uint16_t steps[16][16];
    for (int word = 0; word < 16; word++)
        for (int k = 0; k < 16; k++) steps[word][k] = k > word;
    int64_t *table = calloc(names, sizeof(int64_t));
    for (int topic = 0; topic < topics; topic++) {
        for (int one = 0; one < runs; one++) {
            size_t a = ((size_t)one * topics + topic) * n;
            for (int i = 0; i < n; i++) table[codes[a + i]] = weights[i];
            for (int other = one; other < runs; other++) {
                size_t b = ((size_t)other * topics + topic) * n;
                size_t cell = ((size_t)one * runs + other) * topics + topic;
                int64_t sum = 0;
                for (int i = 0; i < n; i++) {
                    int64_t there = table[codes[b + i]];
                    sum += there < weights[i] ? there : weights[i];
                }
                rbo[cell] = sum;
                ktu[cell] = inversions(ranks + b, places + a, n, steps);
            }
            for (int i = 0; i < n; i++) table[codes[a + i]] = 0;
        }
    }
    free(table);
}
