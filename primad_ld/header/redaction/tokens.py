"""Tokens that begin as those who issue them chose, so that scanners find them."""

from __future__ import annotations

import re
from typing import Final

from primad_ld.header.redaction.forms import DIGITS, LETTERS, SECRET, Form, form


def _issued(name: str, pattern: str, signs: str, caught: str, kept: str) -> Form:
    whole = rf"(?<![A-Za-z0-9_\-])(?:{pattern})(?![A-Za-z0-9])"
    return form(name, SECRET, whole, signs, caught, kept, flags=0)


TOKENS: Final = (
    _issued(
        "GitHub",
        r"gh[opusr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_\-]{16,}",
        "gh github_pat_",
        f"with «ghp_{LETTERS}»!",
        "ghp_short the highs_and_lows_of_retrieval_models_of_today",
    ),
    _issued(
        "GitLab",
        r"gl(?:pat|ptt|dt|rt|cbt|soat|imt|agent|ft)-[A-Za-z0-9_\-]{16,}",
        "gl",
        f"«glpat-{LETTERS[:20]}»",
        "glpat-short",
    ),
    _issued(
        "registry of packages",
        r"(?:hf_|gsk_|npm_|r8_)[A-Za-z0-9]{20,}|(?:dckr_pat_|pypi-)[A-Za-z0-9_\-]{16,}",
        "hf_ gsk_ npm_ r8_ dckr_pat_ pypi-",
        f"«hf_{LETTERS}» «pypi-{LETTERS}» «npm_{LETTERS}» «dckr_pat_{LETTERS}»",
        "npm_config_cache hf_hub_download",
    ),
    _issued(
        "Google",
        r"AIza[A-Za-z0-9_\-]{30,}|ya29\.[A-Za-z0-9_\-]{16,}|GOCSPX-[A-Za-z0-9_\-]{20,}"
        r"|1//0[A-Za-z0-9_\-]{30,}",
        "aiza ya29. gocspx- 1//0",
        f"«AIza{LETTERS}» «ya29.{LETTERS}» «GOCSPX-{LETTERS}»",
        "ya29.5 AIza-beam",
    ),
    _issued(
        "Slack",
        r"(?:xox[abceoprs]|xapp)-(?:[0-9]-)?[A-Za-z0-9\-]{10,}",
        "xox xapp-",
        f"«xoxb-{LETTERS[:12]}-{LETTERS[:6]}»",
        "xoxo-hugs",
    ),
    _issued(
        "Amazon",
        r"(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16,}(?:['\"]?[\s:,;|]{1,3}['\"]?[A-Za-z0-9/+]{40})?",
        "akia asia abia acca",
        "«AKIA" + "ABCD1234" * 2 + f":{LETTERS[:40]}»",
        "ASIA2019 ASIAN-LANGUAGES-IN-TREC",
    ),
    # Also words such as task-specific end like this, so a digit or a whole word is asked for.
    _issued(
        "language models",
        r"(?<![_\-])(?:sk-(?:[a-z]+[0-9]*-)?"
        r"(?:[A-Za-z0-9_]{20,}[A-Za-z0-9_\-]*|(?=[A-Za-z_\-]*[0-9])[A-Za-z0-9_\-]{20,})"
        r"|(?:nvapi|xai|pplx|tvly|fw|pa|jina|pcsk|lsv2|rpa|ntn|co)[_\-](?=[A-Za-z_\-]*[0-9])(?=[0-9a-z_\-]*[A-Z])"
        r"[A-Za-z0-9_\-]{30,})",
        "sk- nvapi xai pplx tvly fw_ fw- pa_ pa- jina pcsk lsv2 rpa ntn co_ co-",
        f"«sk-proj-{LETTERS[:12]}-{LETTERS[:8]}» «nvapi-{LETTERS}»",
        "sk-learn-based-classification-of-queries task-specific-fine-tuning-of-things",
    ),
    _issued(
        "Stripe",
        r"(?:sk|rk)_(?:live|test|prod)_[A-Za-z0-9]{10,}|whsec_[A-Za-z0-9]{20,}",
        "sk_ rk_ whsec_",
        f"«sk_live_{LETTERS[:24]}» «rk_live_{LETTERS[:24]}»",
        "task_live_evaluation2026 sk_live_x",
    ),
    _issued(
        "SendGrid",
        r"SG\.[A-Za-z0-9_\-]{16,}\.[A-Za-z0-9_\-]{16,}",
        "sg.",
        f"«SG.{LETTERS[:22]}.{LETTERS[:43]}»",
        "SG.bm25.run SG. and others",
    ),
    _issued(
        "Twilio",
        r"(?:AC|SK)[0-9a-f]{32}(?:['\"]?[\s:,;/|=]{1,3}['\"]?[0-9A-Za-z]{32})?",
        "ac sk",
        f"«SK{DIGITS}» «AC{DIGITS}:{DIGITS}»",
        f"SK{DIGITS[:31]} xSK{DIGITS} {DIGITS}",
    ),
    _issued(
        "Telegram",
        r"(?:bot)?[0-9]{6,16}:(?=[a-z0-9_\-]*[A-Z])(?=[A-Z0-9_\-]*[a-z])[A-Za-z0-9_\-]{35,50}",
        ":",
        f"https://api.telegram.org/«bot123456789:AA{LETTERS[:33]}»/getMe",
        "20240101:msmarco-passage-v2-bm25-baseline-x",
    ),
    _issued(
        "Doppler",
        r"dp\.(?:pt|st|ct|sa|scim|audit|said)\.(?:[a-z0-9_\-]{2,35}\.)?[A-Za-z0-9]{20,}",
        "dp.",
        f"«dp.st.prd.{LETTERS[:40]}»",
        "dp.st.prd dp.pt.model",
    ),
    _issued(
        "other services",
        r"(?:dop_v1_|shp(?:at|ca|pa|ss)_|sq0[a-z]{3}-|figd_|lin_api_|glsa_|hv[sb]\.|PMAK-|AGE-SECRET-KEY-1"
        r"|tskey-[a-z]+-|key-(?=[0-9a-f]{32})|eyrie_)[A-Za-z0-9_\-]{20,}",
        "dop_v1_ shp sq0 figd_ lin_api_ glsa_ hvs. hvb. pmak- age-secret-key- tskey- key-",
        f"«hvs.{LETTERS}» «glsa_{LETTERS}»",
        "hvs.bm25 key-value-memory-networks-for-reading",
    ),
    _issued(
        "JSON Web Token",
        r"(?<![_\-])eyJ[A-Za-z0-9_\-]{10,}\.[A-Za-z0-9_\-]{10,}(?:\.[A-Za-z0-9_\-]*)?",
        "eyj",
        f"«eyJ{LETTERS}.eyJ{LETTERS}.{LETTERS}»",
        "eyJafjallajokull.is",
    ),
    form(
        "private key",
        SECRET,
        r"-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----.*?"
        r"(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|\Z)",
        "-----begin ",
        "a\n«-----BEGIN RSA PRIVATE KEY-----\nMIIEvQ\n-----END RSA PRIVATE KEY-----»\nb",
        "-----BEGIN PUBLIC KEY-----",
        flags=re.DOTALL,
    ),
)
