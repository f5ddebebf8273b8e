"""Passwords and tokens, by the words around them and by how they begin.

The words around a password tell what it is. Tokens begin as those who issue them chose, so that
scanners find them.
"""

from __future__ import annotations

import re
from typing import Final

from primad_ld.header.redaction.form_matching import (
    DIGITS,
    END_OF_CALL,
    LETTERS,
    SECRET,
    Form,
    Match,
    form,
)
from primad_ld.header.redaction.telling_names import (
    FILLED,
    NAMED,
    QUOTE,
    START,
    VALUE,
    is_secret,
    named_value,
)

# Passwords --------------------------------------------------------------------------------


def _call(name: str, programs: str, option: str, signs: str, caught: str, kept: str) -> Form:
    """Passwords as values of a short option that means something else elsewhere."""
    value = (
        rf"(?:\A|(?<=\s)){option}(?:=|(?:\\\n|\s){{0,9}})(?![=\s]|\\\n){QUOTE}"
        rf"(?!-)(?!\d*\.\d+(?!\S)){FILLED}(?P<x>{VALUE})"
    )
    within = rf"(?:\A|(?<=[\s/'\"(;|&]))(?:{programs})\s{END_OF_CALL}"
    return form(name, SECRET, value, signs, caught, kept, within=within, flags=0)


_SIGNED: Final = re.compile(r"(?:.*[._\-])?(?:sig|signature|credential|sid)", re.IGNORECASE)
_SHORT_LIVED: Final = re.compile(r"(?:.*[._\-])?(?:session|session_?id)", re.IGNORECASE)


def _queried(match: Match) -> tuple[int, int] | None:
    """The value of a query's parameter, if it is a secret."""
    name, value = match["name"], match["x"][:100]
    is_random = re.search("[0-9]", value) and re.search("[A-Za-z]", value)
    if (
        _SIGNED.fullmatch(name)
        or is_secret(name, value)
        or (is_random and _SHORT_LIVED.fullmatch(name))
        or (re.search("[0-9]", value) and re.search(r"(?:\A|[._\-])key\Z", name, re.IGNORECASE))
    ):
        return match.span("x")
    return None


_SCHEMES: Final = r"(?:basic|bearer|digest|token|apikey|negotiate)"
_FLAGS: Final = r"(?:-\w+\s+(?:\d+\s+)?)"
_Q: Final = r"[^\s'\"\\]"

PASSWORDS: Final = (
    form(
        "query of an address",
        SECRET,
        r"[?&#;](?P<name>[\w.\-]{1,60})=(?!\[removed\])(?P<x>[^&#\s'\"<>]+)",
        "=",
        "https://example.org/?x=1&X-Amz-Signature=«q7abc»#access_token=«q7abc»",
        "https://example.org/?key=title&max_token=512&q=secret+garden",
        part=_queried,
    ),
    form(
        "authorization",
        SECRET,
        rf"\bauthorization{QUOTE}\s?[:=]\s*{QUOTE}(?:{_SCHEMES}\s+)?(?!{_SCHEMES}(?:\s|\Z)){FILLED}"
        r"(?P<x>[^\s'\"]{4,})",
        "authorization",
        "curl -H 'Authorization: Basic «YWRhOnB3»' x",
        "curl -H 'Authorization: Bearer $TOKEN' x",
    ),
    form(
        "bearer",
        SECRET,
        rf"\bbearer\s+(?=[^\s'\"]*[0-9]){FILLED}(?P<x>[A-Za-z0-9._~+/\-]{{12,}}=*)",
        "bearer",
        "with bearer «0123456789abcdef»",
        "the bearer of understanding",
    ),
    form(
        "value of a name",
        SECRET,
        NAMED.pattern,
        "pass pw token auth secret credential key sess",
        "HF_TOKEN=«abcdef» x --api-key '«q7 r8»' --k1 0.9",
        "x --max-tokens 512 --password $PASSWORD pad_token=[PAD], first pass: bm25",
        part=named_value,
    ),
    form(
        "user and password",
        SECRET,
        r"(?:\A|(?<=\s))(?:-u|--user|--proxy-user)(?:=\x1f?|\s+)['\"]?"
        r"(?!\d+:\d+(?!\S))(?!\[removed\])(?P<x>[^\s:'\"/]+:(?!//)[^\s'\"]+)",
        "-u --user --proxy-user",
        "curl -u «ada:pw» https://example.org",
        "docker run -u 1000:1000 x",
    ),
    form(
        "login of a hub",
        SECRET,
        r"\b(?:wandb|huggingface-cli|hf auth)\s+login\s+(?P<x>[A-Za-z0-9_]{20,})",
        "login",
        f"wandb login «{LETTERS}»",
        "wandb login --relogin",
    ),
    _call(
        "login of a registry",
        r"(?:docker|podman|nerdctl|buildah|skopeo|oras|az|helm|crane|singularity|apptainer)"
        r"(?:\s+[\w\-=.:/]{1,60}){0,4}?\s+login",
        "-p",
        "login",
        "docker login -u ada -p «hunter2» ghcr.io && x -p 0.8",
        "docker login -u ada -p $TOKEN ghcr.io; docker run -p 8080:80 x",
    ),
    _call(
        "client of a database",
        r"(?:mysql\w*|mariadb[\w\-]*|mongo\w*)(?:\.exe)?",
        "-p",
        "mysql mariadb mongo",
        "mysql -u ada -p«hunter12» db -e 'select 1'",
        "mysql -u ada -p$PW db; python x.py -p abc",
    ),
    form(
        "sshpass",
        SECRET,
        rf"\bsshpass\s+-p\s*{QUOTE}{FILLED}(?P<x>{VALUE})",
        "sshpass",
        "sshpass -p «hunter2» ssh -p 2222 x",
        "sshpass -e ssh -p 2222 x",
    ),
    _call(
        "archive with a password behind its option",
        "7z[azrs]?|7zz|rar|unrar",
        r"-(?:p|hp)(?!\s)",
        "7z rar",
        "7z a -p«hunter2» runs.7z runs",
        "7z a -p runs.7z; ./rar -x -mhe",
    ),
    _call(
        "key of OpenSSL",
        "openssl",
        r"-[kK](?=\s)",
        "openssl",
        "openssl enc -aes-256-cbc -k «hunter2» -in x",
        "openssl enc -kfile x; curl -k https://example.org",
    ),
    form(
        "login of a vault",
        SECRET,
        rf"\bvault\s+login\s+(?:-[\w\-]+(?:=\S{{0,99}})?\s+){{0,4}}(?!-|\w+=)"
        r"(?!(?:is|was|of|to|with|and|or|for|in|page|first)\b)"
        rf"{QUOTE}{FILLED}(?P<x>{VALUE})",
        "vault",
        "vault login -no-print «hunter2»",
        "vault login -method=oidc role=x; vault login $TOKEN",
    ),
    form(
        "file of logins",
        SECRET,
        rf"\bhtpasswd\s+(?={_FLAGS}{{0,5}}-\w*b)(?:(?P<print>(?={_FLAGS}{{0,5}}-\w*n))|)(?>{_FLAGS}{{1,6}})"
        rf"(?(print)|\S+\s+)\S+\s+{QUOTE}{FILLED}(?P<x>{VALUE})",
        "htpasswd",
        "htpasswd -b -C 10 users ada «hunter2» && htpasswd -nb ada «hunter2»",
        "htpasswd -c users ada; htpasswd -b users ada $PASSWORD",
        flags=0,
    ),
    form(
        "login of Samba",
        SECRET,
        r"(?<!\S)(?:-U|--user(?:name)?)[=\s]?(?P<q>['\"])?(?!\[removed\])"
        r"(?P<x>[^\s%'\"]+%(?!\$)(?:(?(q)[^'\"\n]+|[^\s'\"]+)))",
        "smb rpcclient net",
        "smbclient -U '«ada%hunter2»' //example.org/x; x -U 5%x",
        "smbclient -U ada //example.org/x; x -U 'ada%hunter2'",
        within=rf"\b(?:smb\w+|rpcclient|net)\s{END_OF_CALL}",
        flags=0,
    ),
    form(
        "text as the input of a login",
        SECRET,
        rf"\b(?:login|chpasswd|kinit|cryptsetup|sudo\s+-S|--password-stdin|--with-token)\b"
        rf"[^\n|;&<]{{0,200}}<<<\s*{QUOTE}{FILLED}(?P<x>{VALUE})",
        "<<<",
        "docker login ghcr.io <<< «hunter2»",
        "docker login ghcr.io <<< $TOKEN; wc -w <<< words",
    ),
    _call("redis", "redis-cli", "-a", "redis", "redis-cli -a «hunter2» get k1", "x -a redis"),
    _call(
        "directory of users",
        r"ldap\w+",
        "-w",
        "ldap",
        "ldapsearch -x -D cn=a -w «hunter2» -b dc=x",
        "grep -w word ldap.txt",
    ),
    _call(
        "archive with a password",
        "(?:sqlcmd|bcp|tsql|zip|unzip)",
        "-P",
        "sqlcmd bcp tsql zip",
        "unzip -P «hunter2» runs.zip",
        "unzip runs.zip | xargs -P 4",
    ),
    form(
        "into the input of a login",
        SECRET,
        rf"\b(?:echo|printf)\s+(?:-\w+\s+)?{QUOTE}{FILLED}(?P<x>{VALUE})"
        r"(?=['\"]?\s{0,9}\|[^\n|]{0,200}?(?:--password-stdin|--with-token|sudo\s+-S|chpasswd|login\b))",
        "echo printf",
        "echo «hunter2» | docker login -u ada --password-stdin ghcr.io",
        "echo $TOKEN | docker login -u ada --password-stdin ghcr.io; echo a | tee b",
    ),
    form(
        "in a sentence",
        SECRET,
        r"\b(?:password|passwd|passphrase|passcode|pass ?word|pwd)\s{1,4}(?:(?:is|was)\b|=)\s?:?"
        rf"\s{{0,4}}['\"`]?(?!\d{{1,2}}\s){FILLED}"
        r"(?=[^\s'\"`]{0,99}?(?:[0-9]|[!@#$%^&*+=~_]\w))(?P<x>[^\s'\"`]+)",
        "pass pwd",
        "The password is: «hunter2»",
        "Its password is 8 characters long, and the password was wrong!",
    ),
    form(
        "cookie",
        SECRET,
        rf"\b(?:set-)?cookie{QUOTE}\s?:\s*{QUOTE}(?=[\w.\-]{{1,60}}=)(?!\[removed\])(?P<x>[^\n'\"]+)",
        "cookie",
        "curl -H 'Cookie: «a=b; c=d»' x",
        "Cookie: what users of the web eat",
    ),
    form(
        "session",
        SECRET,
        rf"{START}(?:[a-z0-9]+[._\-])*session(?:[._\-]?id)?={QUOTE}(?=[^\s'\"&;]{{0,99}}[0-9])"
        r"(?=[^\s'\"&;]{0,99}[a-z])(?!\[removed\]|trec|clef|ntcir)(?P<x>[^\s'\"&;]{8,})",
        "session",
        "curl -b 'session=«abcd1234»' x",
        "session=trec2014 session=day1",
    ),
    form(
        "npmrc",
        SECRET,
        rf":_(?:authToken|auth|password)(?:\s?=\s?|\s{{1,9}}){QUOTE}{FILLED}(?P<x>{VALUE})",
        ":_auth :_password",
        "//registry.example.org/:_authToken=«abc-def»",
        "//registry.example.org/:_authToken=${NPM_TOKEN}",
    ),
    form(
        "netrc",
        SECRET,
        r"\b(?:machine\s{1,9}\S{1,253}|default)\s{1,9}(?:(?:login|account)\s{1,9}\S{1,253}\s{1,9}){0,2}"
        rf"password\s{{1,9}}{FILLED}(?P<x>\S+)",
        "password",
        "machine example.org\n  login grace password «hunter2»\n",
        "a machine with a login and a password",
    ),
    form(
        "key beside a user",
        SECRET,
        rf"\busername{QUOTE}\s?:\s?{QUOTE}{_Q}{{1,99}}?{QUOTE}[\s,]{{1,9}}"
        rf"{QUOTE}key{QUOTE}\s?:\s?{QUOTE}(?={_Q}{{0,99}}\d)(?P<x>{_Q}{{8,}}?)(?=[\\'\",\s}}]|\Z)",
        "username",
        f'{{"username":"grace","key":"«{DIGITS}»"}}',
        '{"username":"grace","key":"docno"}',
    ),
    form(
        "key before a user",
        SECRET,
        rf"\bkey{QUOTE}\s?:\s?{QUOTE}(?={_Q}{{0,99}}\d)(?P<x>{_Q}{{8,200}}?)"
        rf"(?={QUOTE}[\s,]{{1,9}}{QUOTE}username\b)",
        "username",
        f'{{"key": "«{DIGITS}»", "username": "grace"}}',
        '{"key": "docno", "username": "grace"}',
    ),
    form(
        "webhook",
        SECRET,
        r"\b(?:hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)"
        r"|discord(?:app)?\.com/api/(?:v\d+/)?webhooks|hooks\.zapier\.com/hooks/catch"
        r"|webhook\.office\.com/webhookb2|outlook\.office(?:365)?\.com/webhook|maker\.ifttt\.com/trigger/\w+/with/key)"
        r"/(?!\[removed\])(?P<x>[^\s'\"<>]+)",
        "hooks webhook",
        f"https://hooks.slack.com/services/«T0/B0/{LETTERS[:24]}» https://discord.com/api/webhooks/«1/{LETTERS}»"
        f" https://outlook.office.com/webhook/«1@2/IncomingWebhook/{LETTERS}»",
        "https://api.slack.com/messaging/webhooks https://outlook.office.com/mail/",
    ),
)


# Tokens -----------------------------------------------------------------------------------


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
