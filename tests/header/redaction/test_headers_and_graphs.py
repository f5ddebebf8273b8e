"""Headers and graphs without what must not leave the machine, and the report of what went."""

from __future__ import annotations

import json
from typing import Any

import pyoxigraph
import pytest
from hypothesis import given
from support import RDF, headers
from support.growth import LONG_MARGIN, outgrown
from support.private_texts import X

from primad_ld import header_of
from primad_ld.header.model import dump_header
from primad_ld.header.redaction import (
    HOST,
    KINDS,
    LOCAL_PATH,
    LOGIN,
    MAIL,
    SECRET,
    LeftOut,
    redact_header,
    redact_triples,
)
from primad_ld.schema.converters import json_literal

# Headers ----------------------------------------------------------------------------------------


def found_in(fields: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """What is left of a header, and what was taken out."""
    header, left_out = redact_header(header_of(fields))
    return header.fields, [str(one) for one in left_out]


@pytest.mark.parametrize(
    ("fields", "clean", "left_out"),
    [
        (
            {"actor": {"name": "Ada", "mail": "ada@example.org"}},
            {"actor": {"name": "Ada"}},
            ["actor.mail: an email address"],
        ),
        (  # whatever it looks like
            {"actor": [{"name": "Ada", "mail": "ada"}, {"mail": ["a", "b"]}]},
            {"actor": [{"name": "Ada"}, {}]},
            ["actor.mail: an email address"],
        ),
        (  # nothing is nothing to hide
            {"actor": {"name": "Ada", "mail": None}},
            {"actor": {"name": "Ada", "mail": None}},
            [],
        ),
        (
            {"x": {"API_KEY": "abc", "my password": {"is": "a"}, "hf.token": ["a"], "secret": ""}},
            {"x": {"secret": ""}},
            [f"x.{key}: {SECRET}" for key in ("API_KEY", "my password", "hf.token")],
        ),
        (  # some tokens are words, others were issued
            {"x": {"token": "whitespace", "my_token": "0a1b2c3d4e5f6a7b8c9d"}},
            {"x": {"token": "whitespace"}},
            [f"x.my_token: {SECRET}"],
        ),
        (  # variables as Docker and Kubernetes list them
            {"env": [{"name": "HF_TOKEN", "value": "abc"}, {"name": "K1", "value": "0.9"}]},
            {"env": [{"name": "HF_TOKEN"}, {"name": "K1", "value": "0.9"}]},
            [f"env.value: {SECRET}"],
        ),
        (
            {"implementation": {"source": {"root": "/srv/x"}}},
            {"implementation": {"source": {}}},
            [f"implementation.source.root: {LOCAL_PATH}"],
        ),
        (
            {"implementation": {"source": {"root": "src"}}},
            {"implementation": {"source": {"root": "src"}}},
            [],
        ),
        (
            {"cmd": ["x", "--token", "abc", "--k1", "0.9", "--password", "a b", "/home/ada/x"]},
            {"cmd": ["x", "--token", X, "--k1", "0.9", "--password", X, "x"]},
            [f"cmd: {LOCAL_PATH}", f"cmd: {SECRET}"],
        ),
        (
            {"cmd": ["curl", "-u", "ada:pw", "--token", "$TOKEN", "--token", "--k1"]},
            {"cmd": ["curl", "-u", X, "--token", "$TOKEN", "--token", "--k1"]},
            [f"cmd: {SECRET}"],
        ),
        (  # the parts of a name count, however they are put together
            {
                "x": {
                    "token": "hunter21",
                    "pass": "hunter15",
                    "auth": "a",
                    "dbPassword": 1,
                    "db_pass": "a",
                    "db": {"pw": "a"},
                    "AccessKey": "a",
                    "tokenSecret": "a",
                    "cookie": "session=a",
                    "passcode": "a",
                    "github-token": "a",
                }
            },
            {"x": {"db": {}}},
            [
                f"x.{key}: {SECRET}"
                for key in (
                    *("token", "pass", "auth", "dbPassword", "db_pass", "db.pw", "AccessKey"),
                    *("tokenSecret", "cookie", "passcode", "github-token"),
                )
            ],
        ),
        *(  # these are of the field, by their name or by their value
            ({"x": {key: value}}, {"x": {key: value}}, [])
            for key, value in {
                "max_tokens": "512",
                "token embeddings": "glove",
                "tokens": "12",
                "tokenizer": "bm25s",
                "pad_token": "[PAD]",
                "eos_token": "</s>",
                "mask_token": "<mask>",
                "cls_token": "C1",
                "unk token": "UNK",
                "token limit": "512 of them",
                "token": "wordpiece",
                "token type": "t",
                "authors": "Ada",
                "author": "Ada",
                "authority": "x",
                "auth": "basic",
                "pass": "2",
                "passes": "3",
                "first pass": "bm25",
                "two-pass": "x",
                "pass_1": "x",
                "passage": "x",
                "secretion": "x",
                "bypass": "x1",
                "cookie": "oats",
                "key": "docno",
                "password_type": "none",
                "a pass": "over all words of the text",
            }.items()
        ),
        (
            {"env": [{"name": "DB_PASS", "value": "abc"}, {"name": "PASS", "value": "2"}]},
            {"env": [{"name": "DB_PASS"}, {"name": "PASS", "value": "2"}]},
            [f"env.value: {SECRET}"],
        ),
        *(
            ({"cmd": before}, {"cmd": after}, [f"cmd: {SECRET}"] if before != after else [])
            for before, after in (
                (["mysql", "-p", "hunter2"], ["mysql", "-p", X]),
                (["/usr/bin/mysqldump", "-phunter2", "db"], ["/usr/bin/mysqldump", X, "db"]),
                (["sshpass", "-p", "hunter2", "ssh"], ["sshpass", "-p", X, "ssh"]),
                (["x", "--auth", "hunter13"], ["x", "--auth", X]),
                (["psql", "-p", "5432"], ["psql", "-p", "5432"]),  # a port
                (["x", "-p", "0.8"], ["x", "-p", "0.8"]),
                (["x", "-p", "hunter2"], ["x", "-p", "hunter2"]),  # whatever it means to x
            )
        ),
        *(  # a form that is spread over the items of a list
            ({"cmd": before}, {"cmd": after}, [f"cmd: {kind}"])
            for before, after, kind in (
                (["docker", "login", "-p", "a b", "x"], ["docker", "login", "-p", X, "x"], SECRET),
                (["docker", "login", "-phunter2", "x"], ["docker", "login", X, "x"], SECRET),
                (
                    ["-H", "Authorization: Bearer", "a1b2"],
                    ["-H", "Authorization: Bearer", X],
                    SECRET,
                ),
                (["machine", "h", "password", "x"], ["machine", "h", "password", X], SECRET),
                (["echo", "x", "|", "sudo", "-S"], ["echo", X, "|", "sudo", "-S"], SECRET),
                (["x", "--pass\u200bword", "a"], ["x", "--pass\u200bword", X], SECRET),
                (["ssh", "ada@gpu01", "x"], ["ssh", X, "x"], HOST),
                (["x", "--host", "gpu01", "--k1", "0.9"], ["x", "--host", X, "--k1", "0.9"], HOST),
                # with the sign behind the name, or apart
                (["-H", "X-API-Key:", "q7R8"], ["-H", "X-API-Key:", X], SECRET),
                (["password:", "a b"], ["password:", X], SECRET),
                (["OPENAI_API_KEY:", "q7", "x"], ["OPENAI_API_KEY:", X, "x"], SECRET),
                (["token", "=", "q7R8s9", "x"], ["token", "=", X, "x"], SECRET),
                (["--api-key=", "q7R8", "x"], ["--api-key=", X, "x"], SECRET),
                (["aws_secret_access_key", "=", "q"], ["aws_secret_access_key", "=", X], SECRET),
                (["--user=", "ada:pw"], ["--user=", X], SECRET),
                (["--host=", "gpu01"], ["--host=", X], HOST),
                (["docker", "login", "r", "<<<", "q"], ["docker", "login", "r", "<<<", X], SECRET),
                (["htpasswd", "-b", "f", "u", "q"], ["htpasswd", "-b", "f", "u", X], SECRET),
                (["ssh", "-p", "22", "gpu01", "ls"], ["ssh", "-p", "22", X, "ls"], HOST),
                (["sftp", "gpu94"], ["sftp", X], HOST),
                # what stands beside a password stays
                (["mysql", "-pX", "db"], ["mysql", X, "db"], SECRET),
                (["podman", "login", "-pX", "quay.io"], ["podman", "login", X, "quay.io"], SECRET),
                # an address is one no message that says otherwise
                (["ping", "10.0.0.5"], ["ping", X], HOST),
                (["tool", "10.0.0.5"], ["tool", X], HOST),
            )
        ),
        *(  # a version across words; a name without its value
            ({"cmd": words}, {"cmd": words}, [])
            for words in (
                ["x", "--lucene-version", "10.1.2.0", "y"],
                ["version", "10.0.0.1"],
                ["Lucene", "10.1.2.0"],
                ["--api-key=", "--k1", "0.9"],
            )
        ),
        (
            {"x": {"lucene": "10.1.2.0", "java": ["10.0.2.1", "a"], "es": "10.0.0.5"}},
            {"x": {"lucene": "10.1.2.0", "java": ["10.0.2.1", "a"]} | {"es": X}},
            [f"x.es: {HOST}"],
        ),
        (
            {"source": {"lang": "Java 10.0.2.1"}, "note": "Lucene 10.1.2.0"},
            {"source": {"lang": "Java 10.0.2.1"}, "note": "Lucene 10.1.2.0"},
            [],
        ),
        (  # machines by what their fields are called, and by a number
            {
                "node": "gpu79",
                "x": {"server": "gpu81", "hosts": ["gpu01"], "node_list": ["a", "b2"]},
            },
            {"x": {}},
            [f"node: {HOST}", *(f"x.{key}: {HOST}" for key in ("server", "hosts", "node_list"))],
        ),
        (
            {
                "node": "v18.1",
                "server": "dedicated",
                "nodes": "4",
                "machine": "x86_64",
                "host": None,
            },
            {
                "node": "v18.1",
                "server": "dedicated",
                "nodes": "4",
                "machine": "x86_64",
                "host": None,
            },
            [],
        ),
        (  # keys with letters that nobody sees, or that look like others
            {"p\u0430ssword": "a", "to\u200bken": "hunter2", "m\u0430il": "ada", "k\u200b1": "0.9"},
            {"k\u200b1": "0.9"},
            [f"p\u0430ssword: {SECRET}", f"to\u200bken: {SECRET}", f"m\u0430il: {MAIL}"],
        ),
        (  # what others say of a value
            {
                "a": {"username": "ada", "key": "0a1b2c3d4e5f6789"},
                "b": {"Key": "PASS", "Value": "a1"},
            },
            {"a": {"username": "ada"}, "b": {"Key": "PASS"}},
            [f"a.key: {SECRET}", f"b.Value: {SECRET}"],
        ),
        (  # a key of documents is none of a person
            {"a": {"username": "ada", "key": "docno"}, "key": "929953091bf758b6"},
            {"a": {"username": "ada", "key": "docno"}, "key": "929953091bf758b6"},
            [],
        ),
        (
            {
                "hostname": "gpu01.example.org",
                "Node_Name": ["a"],
                "host": "gpu01",
                "x": {"host": "localhost"},
            },
            {"x": {"host": "localhost"}},
            [f"hostname: {HOST}", f"Node_Name: {HOST}", f"host: {HOST}"],
        ),
        (  # four numbers are a version where versions are
            {
                "version": "10.0.0.1",
                "libraries": {"java": ["x 10.0.0.1", "x==10.0.0.1"]},
                "k": "x 10.0.0.1",
            },
            {
                "version": "10.0.0.1",
                "libraries": {"java": ["x 10.0.0.1", "x==10.0.0.1"]},
                "k": f"x {X}",
            },
            [f"k: {HOST}"],
        ),
        *(  # words of the field are no command
            ({"stopwords": words}, {"stopwords": words}, [])
            for words in (
                ["password", "abc", "token", "def"],
                ["ssh", "docker", "login", "machine", "key", "username", "bearer", "host", "is"],
            )
        ),
        (  # a key becomes neither that of a field nor one that is there
            {"/home/ada/tag": "1", "ben@example.org": "2", "tag": "x", "z": {"/a/b": [["~/c"]]}},
            {X: "1", f"{X} 2": "2", "tag": "x", "z": {X: [["c"]]}},
            [
                f"{X}: {LOCAL_PATH}",
                f"{X}: {MAIL}",
                f"z.{X}: {LOCAL_PATH}",
            ],
        ),
    ],
)
def test_a_header(fields: dict[str, Any], clean: dict[str, Any], left_out: list[str]) -> None:
    assert found_in(fields) == (clean, left_out)


def test_a_header_is_not_changed_but_copied() -> None:
    header = header_of({"tag": "x", "actor": {"mail": "ada@example.org"}})
    before = dump_header(header)
    redact_header(header)
    assert dump_header(header) == before


def test_many_keys_that_go_take_no_longer_each() -> None:
    def work(keys: str) -> None:
        redact_header(header_of(dict.fromkeys(keys.split(), "x")))

    def text(size: int) -> str:
        return " ".join(f"a{number}@b.example" for number in range(size))

    assert outgrown(work, text, (250, 500, 1_000, 4_000), LONG_MARGIN)[0] == 0


def test_what_a_header_may_keep() -> None:
    header = header_of(
        {
            "actor": {"mail": "ada@example.org"},
            "x": {"root": "/srv/x", "password": "abc", "host": "gpu01"},
        }
    )
    kept, left_out = redact_header(header, keep=KINDS.values())
    assert kept.fields == {
        "actor": {"mail": "ada@example.org"},
        "x": {"root": "/srv/x", "host": "gpu01"},
    }
    assert left_out == (LeftOut(field="x.password", what=SECRET),)


@given(headers)
def test_a_header_redacted_twice_is_as_if_once(fields: dict[str, Any]) -> None:
    once, _ = redact_header(header_of(fields))
    twice, left_out = redact_header(once)
    assert twice == once
    assert left_out == ()


@pytest.mark.parametrize(
    "words", [("docker", "login", "-p"), ("--token",), ("ssh", "a@b"), ("1" * 9,)]
)
def test_neither_is_a_long_list(words: tuple[str, ...]) -> None:
    fields = {"libraries": [*words * 10_000, "1" * 100_000], "1" * 100_000: "1." * 50_000}
    clean, _ = found_in(fields)
    assert len(clean["libraries"]) == 10_000 * len(words) + 1


# Statements -------------------------------------------------------------------------------------

_P = "https://w3id.org/primad-ld/ontology#"


@pytest.mark.parametrize(
    ("value", "clean", "left_out"),
    [
        ('"bm25"', '"bm25"', ()),
        ('"/home/ada/x"', '"x"', ("says: a local path",)),
        ('"/home/ada/x"@en-GB', '"x"@en-GB', ("says: a local path",)),
        ('"ada@example.org"^^<http://x.org/t>', f'"{X}"^^<http://x.org/t>', (f"says: {MAIL}",)),
        (r'"a\n\"b\" /home/ada/x"', r'"a\n\"b\" x"', (f"says: {LOCAL_PATH}",)),
        (
            r'"\u000b\U0001F600 C:\\Users\\ada\\x"',
            '"\\u000b\U0001f600 x"',
            (f"says: {LOCAL_PATH}",),
        ),
        ('"a\u2028b\x85 ~/x"', '"a\u2028b\x85 x"', (f"says: {LOCAL_PATH}",)),
        (r'"{\"password\":\"a b\"}"', rf'"{{\"password\":\"{X}\"}}"', (f"says: {SECRET}",)),
        (  # escaped, a line of JSON looks like no line
            rf'"{{\"a\":\"b\\npassword: c d\",\"n\":0.10}}"^^<{RDF}JSON>',
            rf'"{{\"a\":\"b\\npassword: {X}\",\"n\":0.10}}"^^<{RDF}JSON>',
            (f"says.a: {SECRET}",),
        ),
        (
            rf'"{{\"my password\":[1],\"x\":[\"~/ü\",null,true,1e5]}}"^^<{RDF}JSON>',
            rf'"{{\"x\":[\"ü\",null,true,1e5]}}"^^<{RDF}JSON>',
            (f"says.my password: {SECRET}", f"says.x: {LOCAL_PATH}"),
        ),
        (rf'"no ~/json"^^<{RDF}JSON>', rf'"no json"^^<{RDF}JSON>', (f"says: {LOCAL_PATH}",)),
        (rf'"{{ \"a\" : 1 }}"^^<{RDF}JSON>', rf'"{{ \"a\" : 1 }}"^^<{RDF}JSON>', ()),
        ("<https://example.org/x>", "<https://example.org/x>", ()),
        ("<mailto:ada@example.org>", "", (f"says: {MAIL}",)),
        ("<file:///home/ada/x>", "", (f"says: {LOCAL_PATH}",)),
        ("<https://ada:pw@example.org/x>", "", (f"says: {LOGIN}",)),
        ("<http://gpu01/x>", "", (f"says: {HOST}",)),
        (
            rf'"[\"--password\",12,1]"^^<{RDF}JSON>',
            rf'"[\"--password\",\"{X}\",1]"^^<{RDF}JSON>',
            (f"says: {SECRET}",),
        ),
        ("<https://example.org/?token=abc>", "", (f"says: {SECRET}",)),
        ("<https://example.org/ada@example.org>", "", (f"says: {MAIL}",)),
        ("_:b0", "_:b0", ()),  # somebody else's, and none of our business
    ],
)
def test_a_statement(value: str, clean: str, left_out: tuple[str, ...]) -> None:
    def line(one: str) -> str:
        return f"<https://x.org/s> <{_P}says> {one} .\n" if one else ""

    before = f"<https://x.org/s> <{_P}is> <https://x.org/o> .\n"
    found, out = redact_triples(before + line(value) + before)
    assert found == before + line(clean) + before
    assert tuple(map(str, out)) == left_out
    assert len(list(pyoxigraph.parse(found, format=pyoxigraph.RdfFormat.N_TRIPLES))) >= 2


def test_what_is_said_of_a_local_thing_goes() -> None:
    found, out = redact_triples(f'<file:///home/ada/x> <{_P}name> "x" .\n')
    assert (found, [one.what for one in out]) == ("", [LOCAL_PATH])


def test_statements_may_keep_what_headers_may() -> None:
    lines = f"<https://x.org/s> <{_P}mbox> <mailto:ada@example.org> .\n"
    assert redact_triples(lines, keep={MAIL}) == (lines, ())


@pytest.mark.parametrize(
    ("spelling", "is_clean"),
    [
        ('{"/platform/hardware/ram":"32 GB"}', True),
        ('{"/data/test collection/name":[1,0]}', True),
        ('{"/research goal/description":"see ~/notes"}', False),
        ('{"/method/retrieval/0/~1home~1ada~1x":null}', False),  # a key of that name
        ('{"/implementation/executable/password":"abcdef"}', False),
    ],
)
def test_places_in_a_header_are_no_paths(spelling: str, is_clean: bool) -> None:
    line = f"<x> <{_P}spelling> {json_literal(json.loads(spelling))} .\n"
    assert (redact_triples(line) == (line, ())) is is_clean
