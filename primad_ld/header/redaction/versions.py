"""Where four numbers such as 10.1.2.0 are a version, and not an address of a private network."""

from __future__ import annotations

import re
from typing import Final

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
_NAME: Final = re.compile(
    r"(?<![\w.+@/\\~\-])(?P<option>--?)?(?P<word>[A-Za-z][\w+.\-]{0,60})"
    r"(?P<sign>['\"`]?[ \t]?(?:[:=]|\x1f[:=]|[:=]\x1f)[ \t]?['\"`]?|[ \t]\(|[ \t]{1,4}['\"`]?|\x1f)\Z"
)
_OF_AN_ADDRESS: Final = re.compile(r":\d|/")
_VERB: Final = re.compile(r"[a-z]+(?:ing|ed)")
#: How much of the text before counts.
WINDOW: Final = 72
_CAMEL: Final = re.compile(r"[_.\-]|(?<=[a-z])(?=[A-Z])")


def is_version(before: str, after: str = "") -> bool:
    """Whether the words around four numbers say that they are a version.

    What has a port or a path is an address, and so is what has no such words. In texts, a word
    directly before it is the name of software, unless it says where something is. Before a colon,
    as a key, or as a word of a list, many names have an address, so software has to be known.
    """
    if _OF_AN_ADDRESS.match(after):
        return False
    match = _NAME.search(before[-WINDOW:])
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
