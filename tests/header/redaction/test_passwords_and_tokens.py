"""Passwords and tokens are left out, and what stands around them stays."""

from __future__ import annotations

import pytest
from support.private_texts import SECRETS

from primad_ld.header.redaction import SECRET, redact_text


@pytest.mark.parametrize(("text", "clean"), SECRETS.items())
def test_a_secret(text: str, clean: str) -> None:
    assert redact_text(text) == (clean, (SECRET,))
