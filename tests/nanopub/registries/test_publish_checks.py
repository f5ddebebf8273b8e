"""What is to be published: what is found before anything is sent, and in which order it goes."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from support import Put, problem_of
from support.registries import ahead_of_time, code_of, put_all, signed, signed_index

from primad_ld.core.errors import PrimadError
from primad_ld.nanopub.drafts import Draft, nanopub_of_draft
from primad_ld.nanopub.registries.publish_checks import Outgoing, in_steps, survey
from primad_ld.nanopub.signing import Signer
from primad_ld.nanopub.trig import as_trig
from primad_ld.rdf.subject_index import Object

XSD = "http://www.w3.org/2001/XMLSchema#"


def test_what_is_found_of_a_nanopublication(tmp_path: Path, signer: Signer) -> None:
    first = signed("first", signer)
    second = signed("second", signer, sources=[first.nanopub.uri])
    put_all(tmp_path, [second])
    put_all(tmp_path / "again", [second])
    seen: list[tuple[int, int]] = []
    (one,), remarks = survey([tmp_path], progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 2), (2, 2)]
    assert remarks.pop() == "1 file repeats what another one holds"
    assert (one.uri, one.code) == (second.nanopub.uri, code_of(second))
    assert one.links == (code_of(first),)  # itself is none of those that it mentions
    assert (one.problem, one.refusal, remarks) == ("", "", [])


def test_nodes_of_others_are_links_and_texts_are_not(tmp_path: Path, signer: Signer) -> None:
    other, named = signed("other", signer), signed("named", signer)
    link = ("this:", "https://example.org/see", Object(f"{other.nanopub.uri}/run"))
    third = signed("third", signer, says=f'"{named.nanopub.uri}"', pubinfo=[link])
    put_all(tmp_path, [third])
    (one,), _ = survey([tmp_path])
    assert one.links == (code_of(other),)


def test_an_index_is_sent_after_what_it_lists(tmp_path: Path, signer: Signer) -> None:
    elements = [signed(word, signer) for word in ("first", "second")]
    index = signed_index("all", signer, [one.nanopub.uri for one in elements])
    put_all(tmp_path, [index, *elements])
    found, _ = survey([tmp_path])
    first, (last,) = in_steps(found)
    assert {one.code for one in first} == set(map(code_of, elements)) == set(last.links)


# What nothing is sent with ------------------------------------------------------------------


def _problems(put: Put, signer: Signer) -> dict[str, str]:
    """Files that cannot be published, and a word of the reason."""
    one = signed("one", signer)
    draft = Draft(
        kind="method",
        about="https://example.org/method/draft",
        label="A draft",
        types=(),
        triples="<https://example.org/a> <https://example.org/b> <https://example.org/c> .\n",
        provenance=(
            (
                "sub:assertion",
                "https://example.org/from",
                Object("https://a.org/"),
            ),
        ),
    )
    texts = {
        "draft.trig": (as_trig(nanopub_of_draft(draft)), "a draft"),
        "changed.trig": (one.text.replace("BM25", "BM26"), "changed since it got its name"),
        "forged.trig": (signed("two", signer).text.replace("hasSignature ", "sign "), "signature"),
        "broken.trig": ("@prefix this: <", "not valid RDF"),
        "empty.nq": ("", "nothing here is called a nanopublication"),
        "other.jsonld": ("{}", "nothing here is called a nanopublication"),
    }
    for name, (text, _) in texts.items():
        put(f"np/{name}", text)
    return {name: word for name, (_, word) in texts.items()}


def test_all_that_cannot_be_published_is_told_at_once(put: Put, signer: Signer) -> None:
    words = _problems(put, signer)
    folder = put("np/fine.trig", signed("fine", signer).text).parent
    with pytest.raises(PrimadError) as caught:
        survey([folder])
    first, *lines, hint = str(caught.value).splitlines()
    assert first == "nothing was sent: 6 of 7 files cannot be published"
    assert hint == "primad-ld nanopub sign signs drafts"
    for line, name in zip(lines, sorted(words), strict=True):
        assert line.startswith(f"  {folder / name}: ")
        assert words[name] in line


def test_a_long_list_is_cut_off(put: Put) -> None:
    for number in range(30):
        folder = put(f"np/{number:02}.nq", "").parent
    with pytest.raises(PrimadError) as caught:
        survey([folder])
    lines = str(caught.value).splitlines()
    assert len(lines) == 23
    assert lines[-2:] == [
        "  and 10 more",
        "primad-ld nanopub check says the same without publishing",
    ]


def test_files_that_are_not_there_or_none(tmp_path: Path) -> None:
    missing = problem_of(lambda: survey([tmp_path / "missing.trig"]))
    assert missing is not None
    assert missing.why == "there is no such file or folder"
    with pytest.raises(PrimadError, match="there are no nanopublications here"):
        survey([tmp_path])


def test_what_no_registry_takes_is_told_apart(put: Put, signer: Signer) -> None:
    text = ahead_of_time("late", signer).text
    (one,), remarks = survey([put("late.trig", text)])
    assert one.problem == ""
    assert "yet to come" in one.refusal
    assert not any("yet to come" in remark for remark in remarks)  # said once


def test_remarks_are_said_once_with_their_number(tmp_path: Path, signer: Signer) -> None:
    odd = [
        signed(word, signer, pubinfo=[("this:", "https://example.org/see", Object("urn:a:b"))])
        for word in ("a", "b", "c")
    ]
    put_all(tmp_path, odd)
    _, remarks = survey([tmp_path])
    assert len(remarks) == 1
    assert remarks[0].startswith("urn:a:b does not begin with http")
    assert remarks[0].endswith("(3 of them)")


# In which order -------------------------------------------------------------------------------


def item(name: str, *links: str) -> Outgoing:
    return Outgoing(path=Path(f"{name}.trig"), code=name, links=links)


def steps_of(*items: Outgoing) -> list[set[str]]:
    return [{one.code for one in step} for step in in_steps(items)]


@pytest.mark.parametrize(
    ("items", "steps"),
    [
        ([], []),
        ([item("a"), item("b")], [{"a", "b"}]),
        ([item("a", "b"), item("b")], [{"b"}, {"a"}]),
        # what is published elsewhere is nothing to wait for
        ([item("a", "elsewhere"), item("b")], [{"a", "b"}]),
        ([item("a", "b", "c"), item("b", "c"), item("c")], [{"c"}, {"b"}, {"a"}]),
    ],
)
def test_what_others_rely_on_comes_first(items: list[Outgoing], steps: list[set[str]]) -> None:
    assert steps_of(*items) == steps


def test_long_chains(signer: Signer) -> None:
    names = [f"n{number}" for number in range(5000)]
    chain = [item(name, *names[number - 1 : number]) for number, name in enumerate(names)]
    random.Random(1).shuffle(chain)
    assert [step[0].code for step in in_steps(chain)] == names


def test_a_circle_is_an_error_and_no_endless_loop() -> None:
    with pytest.raises(PrimadError, match="in a circle"):
        in_steps([item("a", "b"), item("b", "a"), item("c")])
