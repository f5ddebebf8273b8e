"""Addresses of machines, of people and of files.

Four numbers such as 10.1.2.0 may be a version as well as an address of a private network; the words
around them tell.
"""

from __future__ import annotations

import re
from typing import Final

from primad_ld.header.redaction.form_matching import (
    END_OF_CALL,
    HOST,
    LOCAL_PATH,
    LOGIN,
    MAIL,
    REMOVED,
    SECRET,
    Match,
    form,
)
from primad_ld.header.redaction.telling_names import QUOTE, START

# Hosts ------------------------------------------------------------------------------------

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
#: Of ssh and its like, with their values.
_SSH_OPTIONS: Final = (
    r"(?:-(?:-[\w\-]+(?:=[^\s'\"]{0,300})?|(?-i:[46AaCfGgKkMNnqsTtVvXxYy]*(?:[BbcDEeFIiJLlmOoPpQRSWw]"
    r"\s{0,9}(?:\"[^\"\n]{0,300}\"|'[^'\n]{0,300}'|[^\s'\"\-][^\s'\"]*))?))\s+)"
)
#: Where a command begins, and not in a sentence.
_COMMAND: Final = r"(?:\A|^[ \t]*|(?<=[;&|(`'\"])[ \t]*|(?<=\bsudo )|(?<=\$ ))"
#: What is said of keys, versions and hardware has a number, too.
_NOT_A_HOST: Final = (
    r"(?!(?:[ahvp][12]00|[lt]4|a[14]0|a10g|l40s?|(?:rtx|gtx|bm)-?\d+\w*|[a-z]\w{1,5}\.\w{0,9}(?:large|medium|small|micro|metal))(?![\w]))"
    r"(?!(?:v|port|ed|rsa|ecdsa|sha|aes|md|x|i|arm|amd|aarch|ppc|http|jetty|tomcat|nginx|apache"
    r"|lucene|python|py|java|jdk|nodejs|php|level|tier|type)[\d_.\-]+(?![\w]))"
)
#: A machine by a name with a number.
_NUMBERED: Final = (
    rf"{_NOT_A_HOST}"
    r"(?=[a-z])(?=[a-z_\-]{0,60}\d)(?:[a-z0-9](?:[\w\-]{0,61}[a-z0-9])?)(?:\.[\w\-]+){0,8}"
)
_END_OF_HOST: Final = r"(?=[\s'\"`;|&)>:,]|\Z)"
_SSH: Final = rf"\b(?:ssh|sftp|mosh|autossh|sshfs|ssh-copy-id)\s{END_OF_CALL}"
#: With what a host begins, which no version and no measure has.
_USER_OF_SSH: Final = (
    r"(?<![\w.%+\-@])(?!git@)[\w.%+\-]+@(?!\d+\.\d+(?!\.\d))(?=[\w\-.]*[A-Za-z]|\d+\.)"
)
_PROTOCOLS: Final = (
    r"(?:https?|wss?|ftps?|sftp|ssh|telnet|rsync|ldaps?|rediss?|mongodb|postgres(?:ql)?|mysql"
    r"|mariadb|clickhouse|amqps?|nats|kafka|mqtts?|tcp|udp|grpcs?|smtps?|imaps?|vnc|rdp"
    r"|elasticsearch|opensearch|solr)"
)


def _private_4(match: Match) -> tuple[int, int] | None:
    """An address, if the words around do not say that it is a version; only 10.… may be one."""
    text, (start, end) = match.string, match.span("x")
    before, after = text[max(0, start - _WINDOW) : start], text[end : end + 2]
    return None if text.startswith("10.", start) and is_version(before, after) else (start, end)


def _private_4_in_name(match: Match) -> tuple[int, int] | None:
    """An address that is a part of a name, as of a file, unless it is a version in there."""
    text, (start, end) = match.string, match.span("x")
    if text[start].isdigit():
        before = text[max(0, start - _WINDOW) : start]
        word = re.split(r"[^A-Za-z]", before.rstrip("._-"))[-1].lower()
        is_part = _BEFORE_IN_NAME.search(before) or _AFTER_IN_NAME.match(text, end)
        if not is_part or word in _BEFORE_A_VERSION:
            return None
    return start, end


def _private_6(match: Match) -> tuple[int, int] | None:
    """RFC 4193 (local) and RFC 4291 (links, sites), if it is an address."""
    from ipaddress import AddressValueError, IPv6Address

    try:
        IPv6Address(match["address"])
    except AddressValueError:
        return None
    return match.span("x")


# Mail -------------------------------------------------------------------------------------

# Written so that machines shall not find it.
_AT: Final = r"[\[({<]\s?at\s?[\])}>]"

# Paths ------------------------------------------------------------------------------------

# What begins in a text, and not in the middle of an address of the web.
_SIGNS_BEFORE: Final = r"\s=:;'\"`,(\[{<>|&@!\u201c\u2018\u00ab\u201e"
_AFTER_OPTION: Final = r"(?<=\s-[A-Za-z])|(?<=\A-[A-Za-z])"
_BEFORE: Final = rf"(?:\A|(?<=[{_SIGNS_BEFORE}+])|{_AFTER_OPTION})"
# A plus may stand in a login, too: only the first of one may be before it, and each is read once.
_BEFORE_LOGIN: Final = (
    rf"(?:\A|(?<=[{_SIGNS_BEFORE}])|{_AFTER_OPTION}|(?<![\w.%+\-])[\w.%\-]*+\+)(?!git@)"
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


# The table --------------------------------------------------------------------------------

ADDRESSES: Final = (
    form(
        "hosts that a login goes through",
        HOST,
        r"(?:(?-i:(?<=\s)-J)\s{0,9}|\bProxyJump[=\s])(?!none\b)(?P<x>(?=[^\s'\"]{0,99}[a-z])[\w.+@,:\-]+)(?=[\s'\"]|\Z)",
        "-j proxyjump",
        "ssh -J «jump92,ada@jump.example.org:22» git@github.com && ssh -o ProxyJump=«jump92» git@github.com",
        "ssh -o ProxyJump=none git@github.com; tar -J x",
        within=_SSH,
    ),
    form(
        "private address (IPv4)",
        HOST,
        rf"(?<![\w.\-])(?<![=~<>!]=)(?<!version )(?<!version: )(?<![a-z]/)(?P<x>{_PRIVATE_4})(?![\w\-]|\.\w)",
        "10. 192.168. 169.254. 172. 100.",
        "http://«10.0.0.5»:9200/x «192.168.1.20» «172.16.0.1» «169.254.3.4» «100.64.0.1»",
        "127.0.0.1 0.0.0.0 8.8.8.8 172.32.0.1 100.128.0.1 x==10.0.0.1 v10.0.0.1 X/10.0.0.1 10.1145/347 10.0.0"
        " Lucene 10.1.2.0 --lucene-version 10.1.2.0",
        part=_private_4,
    ),
    form(
        "private address (IPv6)",
        HOST,
        r"(?<![\w.:])(?P<x>(?P<bracket>\[)?(?P<address>f(?:[cd][0-9a-f]{2}|e[89a-f][0-9a-f])"
        r"(?::[0-9a-f]{0,4}+){2,16}+)(?:%\w{1,15})?(?(bracket)\]|(?![\w:])))",
        "fc fd fe8 fe9 fea feb fec fed fee fef",
        "http://«[fd12:3456:789a::1]»:9200/ «fe80::1%eth0»",
        "::1 2001:db8::1 fe80:12 fd12:3456 feed::bm25",
        part=_private_6,
    ),
    form(
        "host in the answer of uname",
        HOST,
        r"\b(?:Linux|GNU|Darwin|SunOS|(?:Free|Net|Open)BSD|(?:CYGWIN|MINGW\d\d|MSYS)_NT-[\w.\-]{1,40})"
        r"[ \t]{1,9}(?!(?:localhost|kernel|release|version)[ \t])(?P<x>[\w.\-]{1,253})"
        r"(?=[ \t]{1,9}\d{1,9}\.\d[\w.+~()\-]{0,99}[ \t]{1,9}"
        r"(?:#\d|Darwin|FreeBSD|NetBSD|[\w.\-]{0,99}[ \t]{0,9}(?:x86_64|i\d86|amd64|aarch64|arm64)))",
        "linux gnu darwin sunos bsd _nt-",
        "Linux «gpu01» 5.15.0-91-generic #101-Ubuntu SMP x86_64; Linux «a.example.org» 6.1.0 aarch64; "
        "Darwin «Adas-MBP» 21.6.0 Darwin Kernel Version 21.6.0; FreeBSD «box» 13.2-RELEASE FreeBSD 13",
        "Linux kernel 5.15.0 #1 SMP; Linux localhost 5.4.0 #1; Linux 5.15.0-91-generic x86_64",
    ),
    form(
        "internal name",
        HOST,
        r"(?:(?<=://)|(?<=@)|(?<![\w./\\\-]))"
        r"(?!(?:com|org|net|io|edu|java|javax|jdk|sun|scala|threading|config|settings|env)\.)"
        rf"(?P<x>(?:{_LABEL}\.){{1,8}}{_INNER})(?![\w\-(]|\.\w)",
        ".internal .intra .local .lan .corp .home.arpa .ts.net",
        "on «gpu01.internal», «node7.lan» and https://«search.eu.corp»/x «a.svc.cluster.local»:9200",
        "org.apache.lucene.internal threading.local() /etc/rc.local settings.local.yml x.localhost",
    ),
    form(
        "private address in a name",
        HOST,
        rf"(?<!\d)(?<!\d\.)(?P<x>{_PRIVATE_4}|(?<!\w)ip(?:-{_OCTET}){{4}})(?!\d|\.\d)",
        "10. 192.168. 169.254. 172. 100. ip-",
        "run-«10.0.0.5».txt bm25_«192.168.1.20».run.gz «172.16.0.1».qrels on «ip-10-0-3-4»",
        "lucene-10.1.2.0.jar v10.0.0.1.txt run-8.8.8.8.txt x-10.0.0.1.2 ship-10-0-3-4 10.1145-3",
        part=_private_4_in_name,
    ),
    form(
        "name without a domain in an address",
        HOST,
        rf"\b{_PROTOCOLS}://(?:[^/?#\s'\"]*@)?(?P<x>{_SINGLE})"
        r"(?=[:/?#\s'\"`,;)\]}>]|\Z)(?![^/?#\s'\"]*@)",
        "://",
        "http://«qgpu01»:9200/x jdbc:postgresql://ada@«qdb7»/x",
        "http://localhost:9200/x https://example.org/x s3://bucket/x hdfs://host/x http://$HOST/",
    ),
    form(
        "login by ssh",
        HOST,
        rf"{_USER_OF_SSH}(?P<x>[\w\-]+(?:\.[\w\-]+)*)",
        "ssh sftp mosh",
        "ssh -p 2222 ada@«gpu01.example.org» nvidia-smi",
        "ssh -T git@github.com, ssh is measured by P@10",
        within=_SSH,
    ),
    form(
        "host of a login",
        HOST,
        rf"\b(?:ssh|sftp|mosh|autossh|sshfs|ssh-copy-id)\s+(?>{_SSH_OPTIONS}{{0,12}})"
        rf"(?:(?:to|into|on|via)\s)?(?!git@)(?P<x>{_NUMBERED}){_END_OF_HOST}",
        "ssh sftp mosh",
        "ssh -p 22 -i key «gpu01» ./run.sh; sftp «gpu94»",
        "ssh -T git@github.com; ssh ed25519 keys, ssh v2 and ssh 2 times",
    ),
    form(
        "host of a command",
        HOST,
        rf"{_COMMAND}(?:ssh|sftp|mosh|autossh|sshfs|ssh-copy-id)[ \t]+(?>{_SSH_OPTIONS}{{0,12}})(?!git@)"
        r"(?!(?:is|was|keys?|configs?|access|tunnels?|logins?|to|into|via|and|or|from|with|servers?"
        r"|clients?|connections?|ports?|sessions?|agents?|hosts?|users?|commands?|passwords?|protocols?"
        r"|daemon|in|on|over|for|github\.com|gitlab\.com|hf\.co|bitbucket\.org)(?![\w.\-]))"
        rf"{_NOT_A_HOST}(?P<x>{_SINGLE}(?:\.[\w\-]+){{0,8}}){_END_OF_HOST}",
        "ssh sftp mosh",
        "ssh -t «cluster» ls && ssh «es.example.org» ls",
        "ssh keys are used, and ssh access; ssh github.com",
    ),
    form(
        "host of files",
        HOST,
        _BEFORE_LOGIN + rf"[\w.%+\-]++@(?=[\w\-]{{2}})(?P<x>{_SINGLE})(?=:[^\s:])"
        r"(?![^/?#\s'\"]*@)",
        "@",
        "rsync x.txt ada@«qgpu01»:runs",
        "P@10:0.5 nDCG@10:0.2 git@github:x",
    ),
    form(
        "host of copied files",
        HOST,
        rf"(?<=\s)(?P<x>{_SINGLE})(?=:[^\s:])(?<=\w\w)",
        "scp rsync",
        "scp x.txt «qgpu01»:runs",
        "scp x.txt example.org:runs; x tag:y",
        within=rf"\b(?:scp|rsync)\s{END_OF_CALL}",
    ),
    form(
        "option or variable with a host",
        HOST,
        rf"{START}(?:--?(?:[\w\-]{{0,60}}[_\-])?host(?:name)?(?:\x1f?=\x1f?|\s+)|(?-i:[A-Z_]{{0,60}}HOST(?:NAME)?=))"
        rf"{QUOTE}(?!(?:none|null|true|false|auto)\b)(?P<x>{_SINGLE})(?=(?::\d+)?(?:[\s'\",;)\]}}]|\Z))",
        "host",
        "x --es-host «qsolr» --port 8983; PGHOST=«qdb7» psql",
        "x --host localhost --host=0.0.0.0 --host es.example.org --hosts 2 HOST=http://x.org",
    ),
    form(
        "node of a cluster",
        HOST,
        rf"{START}(?:--?(?:[\w\-]{{0,60}}[_\-])?(?:server|node(?:name|list)?)(?:\x1f?=\x1f?|\s+)"
        r"|(?-i:[A-Z_]{0,60}(?:SERVER|NODE(?:NAME|LIST)?)=)"
        r"|(?:node|server|host(?:name)?)[ \t\x1f]?[:=][ \t\x1f]?)"
        rf"{QUOTE}(?P<x>{_NUMBERED})(?=(?::\d+)?(?:[\s'\",;)\]}}]|\Z))",
        "server node host",
        "x --node «gpu79» --server=«gpu81»; node: «gpu79»",
        "x --nodes 2 --server jetty9 --node 4, machine: x86_64, server: dedicated",
    ),
    form(
        "login in an address",
        LOGIN,
        r"(?<=://)(?!git@)[^/?#\s'\"]*@(?=[\w\[])",
        "://",
        "https://«ada:pw@»example.org/x",
        "ssh://git@github.com/x/y https://example.org/@ada/x",
        instead="",
    ),
    form(
        "user of ssh",
        LOGIN,
        _USER_OF_SSH,
        "ssh sftp mosh",
        "ssh -p 2222 «ada@»gpu01.example.org nvidia-smi",
        "ssh -T git@github.com, ssh is measured by P@10",
        instead="",
        within=_SSH,
    ),
    # Where logins are kept.
    form(
        "password in an address",
        SECRET,
        r"(?<=://)[^/?#\s:@'\"]*(?P<x>:[^/?#\s'\"]*)@(?=[\w\[])",
        "://",
        "https://ada«:qpw7»@example.org/x",
        "https://ada@example.org:80/x",
        instead="",
    ),
    # Measures look like this, too: P@10:0.5. So a machine has a name of letters, or four numbers.
    form(
        "login before a host",
        LOGIN,
        rf"(?:{_BEFORE_LOGIN}(?=[\w.%+\-]++@"
        r"(?:\d+(?:\.\d+){3}|(?=[\d.\-]*[A-Za-z])[\w.\-]{2,}):[^\s:])"
        r"|(?<![\w.%+\-])(?!git@)(?=[\w.%+\-]++@\[removed\]))(?P<x>[\w.%+\-]+@)",
        "@",
        "scp x «ada@»gpu01:runs «ben@»[removed]",
        "git@github.com:x/y.git nDCG@10:0.5",
        instead="",
    ),
    form(
        "mail address",
        MAIL,
        r"(?:mailto:)?(?<![\w.%+\-])(?<!//)(?!git@)[\w.%+\-]+(?:@|%40)"
        # A version is no machine: lucene@9.1.beta.
        r"(?!\d+\.\d+)(?:[\w\-]+\.)+[^\W\d_]{2,}(?![\w\-])",
        "@ %40",
        "Ada <«ada@example.org»>",
        "org.apache.lucene:lucene@9.1.beta P@5.x",
    ),
    form(
        "mail address in words",
        MAIL,
        rf"(?<![\w.%+\-])[\w.%+\-]+\s?{_AT}\s?"
        r"(?:[\w\-]+(?:\.|\s?[\[({<]\s?(?:dot|punkt)\s?[\])}>]\s?))+[^\W\d_]{2,}(?![\w\-])",
        "at",
        "ask «ada(at)uni.example», please",
        "P(at)10 look {at} this.",
    ),
    form(
        "path of one machine",
        LOCAL_PATH,
        _PATH,
        "/ \\",
        r"x --index=«/data/idx» «C:\Users\ada\x.txt» «/home/ada»",
        "s3://bucket/x beir/nfcorpus/test /usr/bin/python TCP/IP ../data/x",
        instead=_without_folder,
    ),
)


# Versions ---------------------------------------------------------------------------------

#: Before an address: prepositions, kinds of machines, verbs and programs that take a machine.
_BEFORE_AN_ADDRESS: Final = frozenset(
    "a an the and or not but of on at in to from by via into over under for with without within "
    "between through behind after before until than per as is are was were be been has had its "
    "this that it we i use uses used using run runs ran see only also both either all each other "
    "ip ipv4 ips addr address addresses inet host hosts hostname server servers node nodes machine "
    "machines cluster clusters worker workers master slave primary secondary replica head login "
    "gateway router proxy dns vpn lan wan nat vlan subnet network net mask netmask bridge bind "
    "interface eth broker endpoint backend frontend instance service services client peer remote "
    "local private internal public external target source destination dest src dst box vm pod "
    "container gpu gpus cpu computer laptop workstation desktop pc nas san db database url uri "
    "http https tcp udp port listen listens listening connect connects ping curl wget telnet nc "
    "ncat netcat nmap ssh sftp scp rsync mosh ftp traceroute dig nslookup route allow deny permit "
    "reach reached reaches contact call calls ask asks visit visits open opens query queries "
    "send sends fetch get post put lives sits stands auf bei von zu mit der den dem rechner".split()
)
#: What has versions, also before a colon, where others have the address that they are at.
_SOFTWARE: Final = frozenset(
    "lucene anserini pyserini terrier pyterrier indri galago java jdk openjdk jre jvm graalvm "
    "python pypy numpy scipy pandas torch pytorch tensorflow keras transformers faiss cuda cudnn "
    "nccl ruby perl php go golang rust node.js nodejs gcc clang cmake maven gradle ant docker "
    "podman linux kernel ubuntu debian windows macos chrome chromium firefox scala kotlin julia "
    "spark hadoop tika log4j log4j2 trec_eval ir_measures ir_datasets sentence-transformers "
    "splade colbert xapian whoosh zettair atire pisa tantivy nltk spacy stanza corenlp".split()
)
_SAY_VERSION: Final = frozenset("version versions release ver rev revision build".split())
_BEFORE_A_VERSION: Final = _SOFTWARE | _SAY_VERSION | {"v"}
_NAME: Final = re.compile(
    r"(?<![\w.+@/\\~\-])(?P<option>--?)?(?P<word>[A-Za-z][\w+.\-]{0,60})"
    r"(?P<sign>['\"`]?[ \t]?(?:[:=]|\x1f[:=]|[:=]\x1f)[ \t]?['\"`]?|[ \t]\(|[ \t]{1,4}['\"`]?|\x1f)\Z"
)
#: Around an address that is a part of a name.
_BEFORE_IN_NAME: Final = re.compile(r"\w[._\-@]\Z")
_AFTER_IN_NAME: Final = re.compile(r"[._\-][A-Za-z]")
_OF_AN_ADDRESS: Final = re.compile(r":\d|/")
_VERB: Final = re.compile(r"[a-z]+(?:ing|ed)")
#: How much of the text before counts.
_WINDOW: Final = 72
_CAMEL: Final = re.compile(r"[_.\-]|(?<=[a-z])(?=[A-Z])")


def is_version(before: str, after: str = "") -> bool:
    """Whether the words around four numbers say that they are a version.

    What has a port or a path is an address, and so is what has no such words. In texts, a word
    directly before it is the name of software, unless it says where something is. Before a colon,
    as a key, or as a word of a list, many names have an address, so software has to be known.
    """
    if _OF_AN_ADDRESS.match(after):
        return False
    match = _NAME.search(before[-_WINDOW:])
    if match is None:
        return False
    word = match["word"]
    if _CAMEL.split(word)[-1].lower() in _SAY_VERSION:
        return True
    if match["option"]:
        return False
    if word.lower() in _SOFTWARE:
        return True
    if match["sign"].strip(" \t'\"`") not in ("", "(") or "\x1f" in match["sign"]:
        return False
    parts = re.split("[_-]", word.lower())
    is_name = len(word) > 1 and all(map(str.isalpha, parts)) and _VERB.fullmatch(word) is None
    return is_name and _BEFORE_AN_ADDRESS.isdisjoint(parts)
