"""The forms of what must not leave the machine: one table, with an example in each row.

Texts may come from anybody: each pattern begins at few places and goes over what follows once,
so the work grows as the text does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from primad_ld.redaction.names import (
    FILLED,
    NAMED,
    QUOTE,
    START,
    VALUE,
    is_secret,
    named_value,
)

#: What stands in the place of something that has no part which others may know.
REMOVED: Final = "[removed]"

MAIL: Final = "a mail address"
LOCAL_PATH: Final = "a path of one machine"
LOGIN: Final = "a login in an address"
HOST: Final = "a private address or host"
SECRET: Final = "a password or an access token"  # noqa: S105  it is none
#: What people may want to keep, by a short name; secrets are nobody's.
KINDS: Final = {"mail": MAIL, "paths": LOCAL_PATH, "logins": LOGIN, "hosts": HOST}

Match = re.Match[str]
#: A place in a text, and what is to stand there.
Place = tuple[int, int, str]


@dataclass(frozen=True, kw_only=True, slots=True)
class Form:
    """One way to write something that must not leave the machine."""

    name: str
    kind: str
    #: The group ``x`` is what is left out, or all of it where there is no such group.
    pattern: re.Pattern[str]
    #: A text with the form has one of these, in small letters.
    signs: tuple[str, ...]
    #: An example; what is left out stands between « and ».
    caught: str
    #: One that looks like it, and stays.
    kept: str
    #: Only inside of these, such as the call of one program.
    within: re.Pattern[str] | None = None
    #: Where in a match, if the pattern alone cannot say.
    part: Callable[[Match], tuple[int, int] | None] | None = None
    instead: str | Callable[[str], str] = REMOVED

    def places(self, text: str) -> Iterator[Place]:
        """What of a text is left out, in order, and what stands there instead."""
        end = 0
        for region in self.within.finditer(text) if self.within else [None]:
            for match in self.pattern.finditer(text, *(region.span() if region else ())):
                # A value may hold what looks like the next one.
                found = self._span(match) if match.start() >= end else None
                if found is not None:
                    start, end = found
                    yield start, end, self.replacement(text[start:end])

    def _span(self, match: Match) -> tuple[int, int] | None:
        if self.part is not None:
            return self.part(match)
        return match.span("x" if "x" in self.pattern.groupindex else 0)

    def replacement(self, found: str) -> str:
        """What stands in the place of something that was found."""
        return self.instead if isinstance(self.instead, str) else self.instead(found)


#: Of examples. They are put together, so that nobody finds a key in these lines.
_R: Final = "0a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0u1V"
_H: Final = "0123456789abcdef" * 2


def _issued(name: str, pattern: str, signs: str, caught: str, kept: str) -> Form:
    """Keys that begin as those who issue them chose, so that scanners find them."""
    return Form(
        name=name,
        kind=SECRET,
        pattern=re.compile(rf"(?<![A-Za-z0-9_\-])(?:{pattern})(?![A-Za-z0-9])"),
        signs=tuple(signs.split()),
        caught=caught,
        kept=kept,
    )


#: To its end, also on the next lines.
_END_OF_CALL: Final = r"(?:(?!&&|\|\||[;|]\s)(?:[^\n]|(?<=\\)\n))*"


def _call(name: str, programs: str, option: str, signs: str, caught: str, kept: str) -> Form:
    """Passwords as values of a short option that means something else elsewhere."""
    return Form(
        name=name,
        kind=SECRET,
        within=re.compile(rf"(?:\A|(?<=[\s/'\"(;|&]))(?:{programs})\s{_END_OF_CALL}"),
        pattern=re.compile(
            rf"(?:\A|(?<=\s)){option}(?:=|(?:\\\n|\s){{0,9}})(?![=\s]|\\\n){QUOTE}(?!-)(?!\d*\.\d+(?!\S)){FILLED}(?P<x>{VALUE})"
        ),
        signs=tuple(signs.split()),
        caught=caught,
        kept=kept,
    )


def _text(
    name: str, kind: str, pattern: str, signs: str, caught: str, kept: str, instead: str = REMOVED
) -> Form:
    return Form(
        name=name,
        kind=kind,
        pattern=re.compile(pattern, re.IGNORECASE | re.MULTILINE),
        signs=tuple(signs.split()),
        caught=caught,
        kept=kept,
        instead=instead,
    )


# Secrets in addresses -----------------------------------------------------------------------------

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


# Hosts --------------------------------------------------------------------------------------------

_OCTET: Final = r"(?:25[0-5]|2[0-4]\d|1?\d?\d)"
#: RFC 1918, RFC 6598 (carriers), RFC 3927 (links).
_PRIVATE_4: Final = (
    rf"(?:(?:10\.{_OCTET}|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01])"
    rf"|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.{_OCTET}\.{_OCTET})"
)
_INNER: Final = r"(?:internal|intranet|intra|local|localdomain|lan|corp|home\.arpa|ts\.net)"
_LABEL: Final = r"(?:[a-z0-9](?:[\w\-]{0,61}[a-z0-9])?)"
#: A name without a dot, which only one network knows.
_SINGLE: Final = rf"(?!localhost(?![\w.\-])|loopback(?![\w.\-]))(?=[\w\-]*[a-z]){_LABEL}"
_SSH: Final = re.compile(rf"\b(?:ssh|sftp|mosh|autossh|sshfs|ssh-copy-id)\s{_END_OF_CALL}")
#: With what a host begins, which no version and no measure has.
_USER_OF_SSH: Final = (
    r"(?<![\w.%+\-@])(?!git@)[\w.%+\-]+@(?!\d+\.\d+(?!\.\d))(?=[\w\-.]*[A-Za-z]|\d+\.)"
)
_PROTOCOLS: Final = (
    r"(?:https?|wss?|ftps?|sftp|ssh|telnet|rsync|ldaps?|rediss?|mongodb|postgres(?:ql)?|mysql"
    r"|mariadb|clickhouse|amqps?|nats|kafka|mqtts?|tcp|udp|grpcs?|smtps?|imaps?|vnc|rdp"
    r"|elasticsearch|opensearch|solr)"
)


def _private_6(match: Match) -> tuple[int, int] | None:
    """RFC 4193 (local) and RFC 4291 (links, sites), if it is an address."""
    from ipaddress import AddressValueError, IPv6Address

    try:
        IPv6Address(match["address"])
    except AddressValueError:
        return None
    return match.span("x")


# Mail ---------------------------------------------------------------------------------------------

# Written so that machines shall not find it.
_AT: Final = r"[\[({<]\s?at\s?[\])}>]"

# Paths --------------------------------------------------------------------------------------------

# What begins in a text, and not in the middle of an address of the web.
_BEFORE: Final = (
    r"(?:\A|(?<=[\s=:;'\"`,(\[{<>|&@+!\u201c\u2018\u00ab\u201e])|(?<=\s-[A-Za-z])|(?<=\A-[A-Za-z]))"
)
_STEP: Final = r"(?:\\.|[^\s'\"`,;|<>():\[\]{}\\])"
_STEPS_OF_WINDOWS: Final = r"(?:(?:(?! -)[^\\/:*?\"<>|\r\n])+\\{1,2})*[^\s'\"`,;|<>():\[\]{}]*"
#: Folders of the system are alike everywhere, but for those of people inside of them.
_SYSTEM: Final = r"(?:usr(?!/(?:local/)?homes?/)|bin|sbin|lib|lib32|lib64|etc|dev|proc|sys)"
_PATH: Final = (
    _BEFORE + r"(?:(?:file:/{1,3}|(?:smb|nfs|afp|sftp|cifs)://)(?:[A-Za-z]:)?" + _STEP + r"+"
    r"|~(?:[A-Za-z_][\w.\-]*)?/" + _STEP + r"*"
    r"|/(?:home|Users)/[\w.\-]+(?: [A-Z][\w.\-]*){1,3}/" + _STEP + r"*"
    r"|/(?!" + _SYSTEM + r"/)[\w.\-$~@%+](?:\\.|[^/\s'\"`,;|<>()\[\]{}:\\])*/" + _STEP + r"+"
    r"|[A-Za-z]:\\{1,2}(?=[\w.$])" + _STEPS_OF_WINDOWS + r"|[A-Za-z]:/(?=[\w.$])"
    r"(?:Users/(?:(?! -)[^/\\:*?\"<>|\r\n])+/)?" + _STEP + r"+"
    r"|\\{2,4}[\w.\-$]+\\{1,2}(?=[\w.$])"
    + _STEPS_OF_WINDOWS
    # Of the drive that somebody is on.
    + r"|\\(?:Users|home|Documents and Settings)\\(?=[\w.$])"
    + _STEPS_OF_WINDOWS
    + r")"
)
#: What is directly in one of these is called after its owner.
_OF_PEOPLE: Final = re.compile(
    r"(?:home|user|usr|people|person|scratch|work|staff|student|account|profile|u)s?\d*"
    r"|documents and settings",
    re.IGNORECASE,
)


def _without_folder(path: str) -> str:
    """The name of the file, which tells more than where it lies; nothing of a person's folder."""
    separators = r"[/\\]+" if re.match(r"[A-Za-z]:|\\", path) else "/+"
    *above, name = re.split(separators, path)
    if not name or (above and _OF_PEOPLE.fullmatch(above[-1])):
        return REMOVED
    return name


# The table ----------------------------------------------------------------------------------------


_SCHEMES: Final = r"(?:basic|bearer|digest|token|apikey|negotiate)"
_Q: Final = r"[^\s'\"\\]"

_IN_CONTEXT: Final = (
    Form(
        name="query of an address",
        kind=SECRET,
        pattern=re.compile(r"[?&#;](?P<name>[\w.\-]{1,60})=(?!\[removed\])(?P<x>[^&#\s'\"<>]+)"),
        part=_queried,
        signs=("=",),
        caught="https://example.org/?x=1&X-Amz-Signature=«q7abc»#access_token=«q7abc»",
        kept="https://example.org/?key=title&max_token=512&q=secret+garden",
    ),
    _text(
        "authorization",
        SECRET,
        rf"\bauthorization{QUOTE}\s?[:=]\s*{QUOTE}(?:{_SCHEMES}\s+)?(?!{_SCHEMES}(?:\s|\Z)){FILLED}"
        r"(?P<x>[^\s'\"]{4,})",
        "authorization",
        "curl -H 'Authorization: Basic «YWRhOnB3»' x",
        "curl -H 'Authorization: Bearer $TOKEN' x",
    ),
    _text(
        "bearer",
        SECRET,
        rf"\bbearer\s+(?=[^\s'\"]*[0-9]){FILLED}(?P<x>[A-Za-z0-9._~+/\-]{{12,}}=*)",
        "bearer",
        "with bearer «0123456789abcdef»",
        "the bearer of understanding",
    ),
    Form(
        name="value of a name",
        kind=SECRET,
        pattern=NAMED,
        part=named_value,
        signs=("pass", "pw", "token", "auth", "secret", "credential", "key", "sess"),
        caught="HF_TOKEN=«abcdef» x --api-key '«q7 r8»' --k1 0.9",
        kept="x --max-tokens 512 --password $PASSWORD pad_token=[PAD], first pass: bm25",
    ),
    _text(
        "user and password",
        SECRET,
        r"(?:\A|(?<=\s))(?:-u|--user|--proxy-user)(?:=|\s+)['\"]?"
        r"(?!\d+:\d+(?!\S))(?!\[removed\])(?P<x>[^\s:'\"/]+:(?!//)[^\s'\"]+)",
        "-u --user --proxy-user",
        "curl -u «ada:pw» https://example.org",
        "docker run -u 1000:1000 x",
    ),
    _text(
        "login of a hub",
        SECRET,
        r"\b(?:wandb|huggingface-cli|hf auth)\s+login\s+(?P<x>[A-Za-z0-9_]{20,})",
        "login",
        f"wandb login «{_R}»",
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
    _text(
        "sshpass",
        SECRET,
        rf"\bsshpass\s+-p\s*{QUOTE}{FILLED}(?P<x>{VALUE})",
        "sshpass",
        "sshpass -p «hunter2» ssh -p 2222 x",
        "sshpass -e ssh -p 2222 x",
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
    _text(
        "into the input of a login",
        SECRET,
        rf"\b(?:echo|printf)\s+(?:-\w+\s+)?{QUOTE}{FILLED}(?P<x>{VALUE})"
        r"(?=['\"]?\s{0,9}\|[^\n|]{0,200}?(?:--password-stdin|--with-token|sudo\s+-S))",
        "echo printf",
        "echo «hunter2» | docker login -u ada --password-stdin ghcr.io",
        "echo $TOKEN | docker login -u ada --password-stdin ghcr.io; echo a | tee b",
    ),
    _text(
        "in a sentence",
        SECRET,
        r"\b(?:password|passwd|passphrase|passcode|pass ?word|pwd)\s{1,4}(?:(?:is|was)\b|=)\s?:?"
        rf"\s{{0,4}}['\"`]?(?!\d{{1,2}}\s){FILLED}"
        r"(?=[^\s'\"`]{0,99}?(?:[0-9]|[!@#$%^&*+=~_]\w))(?P<x>[^\s'\"`]+)",
        "pass pwd",
        "The password is: «hunter2»",
        "Its password is 8 characters long, and the password was wrong!",
    ),
    _text(
        "cookie",
        SECRET,
        rf"\b(?:set-)?cookie{QUOTE}\s?:\s*{QUOTE}(?=[\w.\-]{{1,60}}=)(?!\[removed\])(?P<x>[^\n'\"]+)",
        "cookie",
        "curl -H 'Cookie: «a=b; c=d»' x",
        "Cookie: what users of the web eat",
    ),
    _text(
        "session",
        SECRET,
        rf"{START}(?:[a-z0-9]+[._\-])*session(?:[._\-]?id)?={QUOTE}(?=[^\s'\"&;]{{0,99}}[0-9])"
        r"(?=[^\s'\"&;]{0,99}[a-z])(?!\[removed\]|trec|clef|ntcir)(?P<x>[^\s'\"&;]{8,})",
        "session",
        "curl -b 'session=«abcd1234»' x",
        "session=trec2014 session=day1",
    ),
    _text(
        "npmrc",
        SECRET,
        rf":_(?:authToken|auth|password)(?:\s?=\s?|\s{{1,9}}){QUOTE}{FILLED}(?P<x>{VALUE})",
        ":_auth :_password",
        "//registry.example.org/:_authToken=«abc-def»",
        "//registry.example.org/:_authToken=${NPM_TOKEN}",
    ),
    _text(
        "netrc",
        SECRET,
        r"\b(?:machine\s{1,9}\S{1,253}|default)\s{1,9}(?:(?:login|account)\s{1,9}\S{1,253}\s{1,9}){0,2}"
        rf"password\s{{1,9}}{FILLED}(?P<x>\S+)",
        "password",
        "machine example.org\n  login grace password «hunter2»\n",
        "a machine with a login and a password",
    ),
    _text(
        "key beside a user",
        SECRET,
        rf"\busername{QUOTE}\s?:\s?{QUOTE}{_Q}{{1,99}}?{QUOTE}[\s,]{{1,9}}"
        rf"{QUOTE}key{QUOTE}\s?:\s?{QUOTE}(?={_Q}{{0,99}}\d)(?P<x>{_Q}{{8,}}?)(?=[\\'\",\s}}]|\Z)",
        "username",
        f'{{"username":"grace","key":"«{_H}»"}}',
        '{"username":"grace","key":"docno"}',
    ),
    _text(
        "key before a user",
        SECRET,
        rf"\bkey{QUOTE}\s?:\s?{QUOTE}(?={_Q}{{0,99}}\d)(?P<x>{_Q}{{8,200}}?)"
        rf"(?={QUOTE}[\s,]{{1,9}}{QUOTE}username\b)",
        "username",
        f'{{"key": "«{_H}»", "username": "grace"}}',
        '{"key": "docno", "username": "grace"}',
    ),
    _text(
        "webhook",
        SECRET,
        r"\b(?:hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)"
        r"|discord(?:app)?\.com/api/(?:v\d+/)?webhooks|hooks\.zapier\.com/hooks/catch"
        r"|webhook\.office\.com/webhookb2|maker\.ifttt\.com/trigger/\w+/with/key)"
        r"/(?!\[removed\])(?P<x>[^\s'\"<>]+)",
        "hooks webhook",
        f"https://hooks.slack.com/services/«T0/B0/{_R[:24]}» https://discord.com/api/webhooks/«1/{_R}»",
        "https://api.slack.com/messaging/webhooks",
    ),
)

_ISSUED: Final = (
    _issued(
        "GitHub",
        r"gh[opusr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_\-]{16,}",
        "gh github_pat_",
        f"with «ghp_{_R}»!",
        "ghp_short the highs_and_lows_of_retrieval_models_of_today",
    ),
    _issued(
        "GitLab",
        r"gl(?:pat|ptt|dt|rt|cbt|soat|imt|agent|ft)-[A-Za-z0-9_\-]{16,}",
        "gl",
        f"«glpat-{_R[:20]}»",
        "glpat-short",
    ),
    _issued(
        "registry of packages",
        r"(?:hf_|gsk_|npm_|r8_)[A-Za-z0-9]{20,}|(?:dckr_pat_|pypi-)[A-Za-z0-9_\-]{16,}",
        "hf_ gsk_ npm_ r8_ dckr_pat_ pypi-",
        f"«hf_{_R}» «pypi-{_R}» «npm_{_R}» «dckr_pat_{_R}»",
        "npm_config_cache hf_hub_download",
    ),
    _issued(
        "Google",
        r"AIza[A-Za-z0-9_\-]{30,}|ya29\.[A-Za-z0-9_\-]{16,}|GOCSPX-[A-Za-z0-9_\-]{20,}"
        r"|1//0[A-Za-z0-9_\-]{30,}",
        "aiza ya29. gocspx- 1//0",
        f"«AIza{_R}» «ya29.{_R}» «GOCSPX-{_R}»",
        "ya29.5 AIza-beam",
    ),
    _issued(
        "Slack",
        r"(?:xox[abceoprs]|xapp)-(?:[0-9]-)?[A-Za-z0-9\-]{10,}",
        "xox xapp-",
        f"«xoxb-{_R[:12]}-{_R[:6]}»",
        "xoxo-hugs",
    ),
    _issued(
        "Amazon",
        r"(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16,}",
        "akia asia abia acca",
        "«AKIA" + "ABCD1234" * 2 + "»",
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
        f"«sk-proj-{_R[:12]}-{_R[:8]}» «nvapi-{_R}»",
        "sk-learn-based-classification-of-queries task-specific-fine-tuning-of-things",
    ),
    _issued(
        "Stripe",
        r"(?:sk|rk)_(?:live|test|prod)_[A-Za-z0-9]{10,}|whsec_[A-Za-z0-9]{20,}",
        "sk_ rk_ whsec_",
        f"«sk_live_{_R[:24]}» «rk_live_{_R[:24]}»",
        "task_live_evaluation2026 sk_live_x",
    ),
    _issued(
        "SendGrid",
        r"SG\.[A-Za-z0-9_\-]{16,}\.[A-Za-z0-9_\-]{16,}",
        "sg.",
        f"«SG.{_R[:22]}.{_R[:43]}»",
        "SG.bm25.run SG. and others",
    ),
    _issued(
        "Twilio",
        r"(?:AC|SK)[0-9a-f]{32}",
        "ac sk",
        f"«SK{_H}» «AC{_H}»",
        f"SK{_H[:31]} xSK{_H}",
    ),
    _issued(
        "Telegram",
        r"(?:bot)?[0-9]{6,16}:(?=[a-z0-9_\-]*[A-Z])(?=[A-Z0-9_\-]*[a-z])[A-Za-z0-9_\-]{35,50}",
        ":",
        f"https://api.telegram.org/«bot123456789:AA{_R[:33]}»/getMe",
        "20240101:msmarco-passage-v2-bm25-baseline-x",
    ),
    _issued(
        "Doppler",
        r"dp\.(?:pt|st|ct|sa|scim|audit|said)\.(?:[a-z0-9_\-]{2,35}\.)?[A-Za-z0-9]{20,}",
        "dp.",
        f"«dp.st.prd.{_R[:40]}»",
        "dp.st.prd dp.pt.model",
    ),
    _issued(
        "other services",
        r"(?:dop_v1_|shp(?:at|ca|pa|ss)_|sq0[a-z]{3}-|figd_|lin_api_|glsa_|hv[sb]\.|PMAK-|AGE-SECRET-KEY-1"
        r"|tskey-[a-z]+-|key-(?=[0-9a-f]{32})|eyrie_)[A-Za-z0-9_\-]{20,}",
        "dop_v1_ shp sq0 figd_ lin_api_ glsa_ hvs. hvb. pmak- age-secret-key- tskey- key-",
        f"«hvs.{_R}» «glsa_{_R}»",
        "hvs.bm25 key-value-memory-networks-for-reading",
    ),
    _issued(
        "JSON Web Token",
        r"(?<![_\-])eyJ[A-Za-z0-9_\-]{10,}\.[A-Za-z0-9_\-]{10,}(?:\.[A-Za-z0-9_\-]*)?",
        "eyj",
        f"«eyJ{_R}.eyJ{_R}.{_R}»",
        "eyJafjallajokull.is",
    ),
    Form(
        name="private key",
        kind=SECRET,
        pattern=re.compile(
            r"-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----.*?"
            r"(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|\Z)",
            re.DOTALL,
        ),
        signs=("-----begin ",),
        caught="a\n«-----BEGIN RSA PRIVATE KEY-----\nMIIEvQ\n-----END RSA PRIVATE KEY-----»\nb",
        kept="-----BEGIN PUBLIC KEY-----",
    ),
)

_HOSTS: Final = (
    _text(
        "private address (IPv4)",
        HOST,
        rf"(?<![\w.\-])(?<![=~<>!]=)(?<!version )(?<!version: )(?<![a-z]/)(?P<x>{_PRIVATE_4})(?![\w\-]|\.\w)",
        "10. 192.168. 169.254. 172. 100.",
        "http://«10.0.0.5»:9200/x «192.168.1.20» «172.16.0.1» «169.254.3.4» «100.64.0.1»",
        "127.0.0.1 0.0.0.0 8.8.8.8 172.32.0.1 100.128.0.1 x==10.0.0.1 v10.0.0.1 X/10.0.0.1 10.1145/347 10.0.0",
    ),
    Form(
        name="private address (IPv6)",
        kind=HOST,
        pattern=re.compile(
            r"(?<![\w.:])(?P<x>(?P<bracket>\[)?(?P<address>f(?:[cd][0-9a-f]{2}|e[89a-f][0-9a-f])"
            r"(?::{1,2}[0-9a-f]{0,4}){2,8})(?:%\w{1,15})?(?(bracket)\]|(?![\w:])))",
            re.IGNORECASE,
        ),
        part=_private_6,
        signs=("fc", "fd", "fe8", "fe9", "fea", "feb", "fec", "fed", "fee", "fef"),
        caught="http://«[fd12:3456:789a::1]»:9200/ «fe80::1%eth0»",
        kept="::1 2001:db8::1 fe80:12 fd12:3456 feed::bm25",
    ),
    _text(
        "internal name",
        HOST,
        r"(?:(?<=://)|(?<=@)|(?<![\w./\\\-]))"
        r"(?!(?:com|org|net|io|edu|java|javax|jdk|sun|scala|threading|config|settings|env)\.)"
        rf"(?P<x>(?:{_LABEL}\.){{1,8}}{_INNER})(?![\w\-(]|\.\w)",
        ".internal .intra .local .lan .corp .home.arpa .ts.net",
        "on «gpu01.internal», «node7.lan» and https://«search.eu.corp»/x «a.svc.cluster.local»:9200",
        "org.apache.lucene.internal threading.local() /etc/rc.local settings.local.yml x.localhost",
    ),
    _text(
        "name without a domain in an address",
        HOST,
        rf"\b{_PROTOCOLS}://(?:[^/?#\s'\"]*@)?(?P<x>{_SINGLE})"
        r"(?=[:/?#\s'\"`,;)\]}>]|\Z)(?![^/?#\s'\"]*@)",
        "://",
        "http://«qgpu01»:9200/x jdbc:postgresql://ada@«qdb7»/x",
        "http://localhost:9200/x https://example.org/x s3://bucket/x hdfs://host/x http://$HOST/",
    ),
    Form(
        name="login by ssh",
        kind=HOST,
        within=_SSH,
        pattern=re.compile(rf"{_USER_OF_SSH}(?P<x>[\w\-]+(?:\.[\w\-]+)*)"),
        signs=("ssh", "sftp", "mosh"),
        caught="ssh -p 2222 ada@«gpu01.example.org» nvidia-smi",
        kept="ssh -T git@github.com, ssh is measured by P@10",
    ),
    _text(
        "host of files",
        HOST,
        _BEFORE + rf"(?!git@)[\w.%+\-]+@(?=[\w\-]{{2}})(?P<x>{_SINGLE})(?=:[^\s:])"
        r"(?![^/?#\s'\"]*@)",
        "@",
        "rsync x.txt ada@«qgpu01»:runs",
        "P@10:0.5 nDCG@10:0.2 git@github:x",
    ),
    Form(
        name="host of copied files",
        kind=HOST,
        within=re.compile(rf"\b(?:scp|rsync)\s{_END_OF_CALL}"),
        pattern=re.compile(rf"(?<=\s)(?P<x>{_SINGLE})(?=:[^\s:])(?<=\w\w)", re.IGNORECASE),
        signs=("scp", "rsync"),
        caught="scp x.txt «qgpu01»:runs",
        kept="scp x.txt example.org:runs; x tag:y",
    ),
    _text(
        "option or variable with a host",
        HOST,
        rf"{START}(?:--?(?:[\w\-]{{0,60}}[_\-])?host(?:name)?(?:=|\s+)|(?-i:[A-Z_]{{0,60}}HOST(?:NAME)?=))"
        rf"{QUOTE}(?!(?:none|null|true|false|auto)\b)(?P<x>{_SINGLE})(?=(?::\d+)?(?:[\s'\",;)\]}}]|\Z))",
        "host",
        "x --es-host «qsolr» --port 8983; PGHOST=«qdb7» psql",
        "x --host localhost --host=0.0.0.0 --host es.example.org --hosts 2 HOST=http://x.org",
    ),
)

_OTHERS: Final = (
    _text(
        "login in an address",
        LOGIN,
        r"(?<=://)(?!git@)[^/?#\s'\"]*@(?=[\w\[])",
        "://",
        "https://«ada:pw@»example.org/x",
        "ssh://git@github.com/x/y https://example.org/@ada/x",
        "",
    ),
    Form(
        name="user of ssh",
        kind=LOGIN,
        within=_SSH,
        pattern=re.compile(_USER_OF_SSH),
        instead="",
        signs=("ssh", "sftp", "mosh"),
        caught="ssh -p 2222 «ada@»gpu01.example.org nvidia-smi",
        kept="ssh -T git@github.com, ssh is measured by P@10",
    ),
    # Where logins are kept.
    _text(
        "password in an address",
        SECRET,
        r"(?<=://)[^/?#\s:@'\"]*(?P<x>:[^/?#\s'\"]*)@(?=[\w\[])",
        "://",
        "https://ada«:qpw7»@example.org/x",
        "https://ada@example.org:80/x",
        "",
    ),
    # Measures look like this, too: P@10:0.5. So a machine has a name of letters, or four numbers.
    _text(
        "login before a host",
        LOGIN,
        _BEFORE + r"(?!git@)[\w.%+\-]+@"
        r"(?=(?:\d+(?:\.\d+){3}|(?=[\d.\-]*[A-Za-z])[\w.\-]{2,}):[^\s:])"
        r"|(?<![\w.%+\-])(?!git@)[\w.%+\-]+@(?=\[removed\])",
        "@",
        "scp x «ada@»gpu01:runs «ben@»[removed]",
        "git@github.com:x/y.git nDCG@10:0.5",
        "",
    ),
    _text(
        "mail address",
        MAIL,
        r"(?:mailto:)?(?<![\w.%+\-])(?<!//)(?!git@)[\w.%+\-]+(?:@|%40)"
        # A version is no machine: lucene@9.1.beta.
        r"(?!\d+\.\d+)(?:[\w\-]+\.)+[^\W\d_]{2,}(?![\w\-])",
        "@ %40",
        "Ada <«ada@example.org»>",
        "org.apache.lucene:lucene@9.1.beta P@5.x",
    ),
    _text(
        "mail address in words",
        MAIL,
        rf"(?<![\w.%+\-])[\w.%+\-]+\s?{_AT}\s?"
        r"(?:[\w\-]+(?:\.|\s?[\[({<]\s?(?:dot|punkt)\s?[\])}>]\s?))+[^\W\d_]{2,}(?![\w\-])",
        "at",
        "ask «ada(at)uni.example», please",
        "P(at)10 look {at} this.",
    ),
    Form(
        name="path of one machine",
        kind=LOCAL_PATH,
        pattern=re.compile(_PATH, re.IGNORECASE),
        signs=("/", "\\"),
        instead=_without_folder,
        caught=r"x --index=«/data/idx» «C:\Users\ada\x.txt» «/home/ada»",
        kept="s3://bucket/x beir/nfcorpus/test /usr/bin/python TCP/IP ../data/x",
    ),
)

#: In the order in which they are looked for.
FORMS: Final = (*_IN_CONTEXT, *_ISSUED, *_HOSTS, *_OTHERS)
