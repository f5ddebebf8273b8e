"""Messages with the values that they are about; what nobody should know is not repeated."""

from __future__ import annotations

import json
import re

import pytest
from support import Cli, Put
from support.judged import as_run, changed, found_in, report
from support.mutations_across import SECRETS, TOKEN

from primad_ld.core.iris import SH
from primad_ld.header.redaction import SECRET as PASSWORD
from primad_ld.header.redaction.texts import FORMS
from primad_ld.rdf.subject_index import Object
from primad_ld.shacl.judge import ShapeResult
from primad_ld.shacl.literals import STRING
from primad_ld.validation.messages import (
    filled,
    message_of,
    secret_finder,
    shown,
    without_secrets,
)
from primad_ld.validation.profiles import load_profile

# Words ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("a  b\n c", '"a b c"'),
        (["a", 1], '["a", 1]'),
        ({"é": True}, '{"é": true}'),
        ("x" * 60, '"' + "x" * 60 + '"'),
        ("a" * 40 + "b" * 40, '"' + "a" * 30 + "…" + "b" * 29 + '"'),  # the end tells more
    ],
)
def test_a_value_as_a_message_quotes_it(value: object, text: str) -> None:
    assert shown(value) == text


def test_places_of_a_message_are_filled_in() -> None:
    texts = {"value": "“{?field}”", "field": "tag"}
    assert filled("{?value} in {$field}, {?other} {} {value}", texts) == "“{?field}” in tag, {?other} {} {value}"  # fmt: skip


def result(component: str, value: str | None = None) -> ShapeResult:
    return ShapeResult(
        focus=Object("https://example.org/run/a"),
        path=None,
        value=None if value is None else Object(value, STRING),
        shape="https://example.org/no-shape",
        component=f"{SH}{component}ConstraintComponent",
        severity=f"{SH}Violation",
    )


@pytest.mark.parametrize(
    ("component", "value", "text"),
    [
        ("MinCount", None, "does not fit: min count"),
        ("NodeKind", "x", '"x" does not fit: node kind'),
        ("HasURLValue", "x", '"x" does not fit: has url value'),
    ],
)
def test_a_shape_without_a_message(component: str, value: str | None, text: str) -> None:
    assert message_of(load_profile("core"))(result(component, value)) == text


def test_secrets_are_left_out_of_results() -> None:
    given = [result("Pattern", value) for value in (TOKEN, "bm25", None)]
    found = list(without_secrets(given, load_profile("core")))
    assert [one.value and one.value.value for one in found] == ["…", "bm25", None]
    assert found[1:] == given[1:]


# Secrets ----------------------------------------------------------------------------------

FORMATS = ["text", "json", "sarif", "github", "turtle"]


def hints(format: str) -> list[str]:
    """The option to show hints, where a format does not have them anyway."""
    return ["--hints"] * (format in ("text", "github"))


@pytest.mark.parametrize("name", SECRETS)
def test_a_secret_is_shown_nowhere(put: Put, cli: Cli, name: str) -> None:
    case, secret = SECRETS[name]
    text = case.text()
    assert secret in text
    put("run.txt", as_run(text))
    for format in FORMATS:
        done = cli("validate", "run.txt", *hints(format), "-f", format)
        assert done.exit_code == 1
        assert secret not in done.stdout + done.stderr, format
        assert "password or an access token" in done.stdout


def test_what_drafts_leave_out_is_not_shown_either(put: Put, cli: Cli) -> None:
    tells = secret_finder(load_profile("core"))
    forms = [form for form in FORMS if form.kind == PASSWORD]
    texts = [re.sub("[«»]", "", form.caught) for form in forms]
    assert [text for text in texts if not tells(text)] == []
    put("a.yml", changed(("automatic: true", f"automatic: {json.dumps(texts)}")))
    done = cli("validate", "a.yml", "--hints")
    assert done.exit_code == 1
    printed = done.stdout + done.stderr
    private = [one for form in forms for one in re.findall("«(.*?)»", form.caught, re.DOTALL)]
    assert [one for one in private if one in printed] == []


def test_forms_of_keys_are_errors_and_what_looks_like_them_is_none(put: Put) -> None:
    names = (
        *("Stripe", "SendGrid", "Twilio", "Telegram", "Doppler", "Google", "registry of packages"),
        *("webhook", "npmrc", "netrc", "login of a registry"),
    )
    forms = [form for form in FORMS if form.name in names]
    texts = [re.sub("[«»]", "", form.caught) for form in forms]
    texts += [form.kept for form in forms]
    items = "".join(f"- {json.dumps(text)}\n    " for text in texts)
    found = found_in(report(put("a.yml", changed(("- ndcg\n    ", items)))))
    errors = [field for _, _, field, code in found if code == "secret"]
    first = "research goal.evaluation.reported measures"
    assert errors == [f"{first}[{place}]" for place in range(2, 2 + len(names))]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("orcid: 0000-0002-0661-7189", f"orcid: {TOKEN}"),
        ("commit: 9548cd6e", f"commit: {TOKEN}"),
        ("automatic: true", f"automatic: {TOKEN}"),
        ("ram: 128 GB", f"ram: [{TOKEN}, 1 GB]"),
        ("kernel: 6.1.0-25-amd64", f"kernel: {{token: {TOKEN}}}"),
        ("year: 2024", f"year: TODO {TOKEN}"),
        ("- fold1\n", f"- {TOKEN}\n    - {TOKEN}\n"),
        ("tag: pond-mix\nplatform", f"tag: {TOKEN}\nplatform"),
        ("baseline:\n    - pond-bm25", f"baseline: [{TOKEN}, {TOKEN}]"),
        ("schema-version: 0.1", f"schema-version: {TOKEN}"),
        ("reranks: bm25", f"reranks: {TOKEN}"),
    ],
)
def test_whatever_else_is_wrong_with_it(put: Put, cli: Cli, old: str, new: str) -> None:
    put("a.yml", changed((old, new)))
    for format in FORMATS:
        done = cli("validate", "a.yml", *hints(format), "-f", format)
        assert TOKEN not in done.stdout + done.stderr, format
        assert "password or an access token" in done.stdout


@pytest.mark.parametrize(
    "command",
    [
        "python search.py --token $TOKEN",
        "python search.py --token-file token.txt",
        "python search.py --tokenizer whitespace",
        "python search.py --max-tokens 100000",
        "python search.py --key-field docno --password-free",
        "java -Xmx8g -cp anserini.jar SearchCollection -topicreader TsvInt",
        "curl https://example.org/search?q=secret+garden",
    ],
)
def test_a_command_that_tells_no_secret(put: Put, command: str) -> None:
    text = changed(("cmd: python search.py --tag pond-mix", f"cmd: {command}"))
    assert found_in(report(put("a.yml", text))) == []


@pytest.mark.parametrize(
    "text",
    [
        "Late interaction over token embeddings, with a secret ingredient.",
        "A model for multi-task-learning-of-dense-retrieval-representations.",
        "risk-sensitive-evaluation-of-query-expansion",
        "We keep the password hashes of no one.",
        "The api key terms of a query are weighed by their max-token scores.",
        "Trained on 8xA100 at 3 p.m. @ the lab; see https://example.org/~ada/x.",
        "None of the stemmers helps. TODO lists are what we search for.",
        "todos and notes in the home directory /home are searched",
        "Unknown words are left out",
        "What is $q? <b>Bold</b> and {curly} text...",
    ],
)
def test_a_text_that_only_sounds_like_one(put: Put, text: str) -> None:
    for old in ("description: BM25 with feedback.", "prompt: Answer from the passages."):
        key = old.partition(":")[0]
        changes = changed((old, f"{key}: '{text}'"))
        assert found_in(report(put("a.yml", changes))) == []
