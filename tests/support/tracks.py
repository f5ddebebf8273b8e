"""A small track in texts, for the tests of replication tracks."""

from __future__ import annotations

from pathlib import Path

from primad_ld.core.yamltext import Mapping, parse
from primad_ld.replication.track_reading import track_of
from primad_ld.replication.tracks import Track

#: One system, one analyst, a question of each kind.
SMALL = """\
track: {title: Small}
measures:
  F: {tolerance: 0.01}
roles: {user: User, developer: Developer}
scales:
  yes_no: {levels: {1: 'Yes', 0: 'No'}}
  ease: {levels: {5: easy, 3: so so, 1: impossible}}
  same:
    levels:
      4: {label: the same, outcome: exact}
      3: {label: nearly, outcome: slightly_different}
      2: {label: different, outcome: different}
      1: {label: failed, outcome: tool_error}
  words: {}
questions:
- {id: Q1, scale: yes_no, text: Was it easy?}
- {id: Q2, scale: ease, text: How easy was it?}
- {id: Q3, scale: yes_no, polarity: negative, text: Did you need help?}
- {id: Q4, scale: same, only_with_results: yes, text: Are the scores the same?}
- {id: Q5, scale: words, text: What else?}
systems:
- {id: S, submitted: {F: 0.80}}
- {id: T, submitted: {first: {F: 0.50}, second: {F: 0.60}}}
analysts:
- {id: A, role: user}
- {id: B, role: user}
- {id: C, role: developer}
"""


def track(*attempts: str, text: str = SMALL, folder: Path = Path()) -> Track:
    """The small track with some attempts, each a mapping in YAML's flow style."""
    rows = "".join(f"- {{{one}}}\n" for one in attempts)
    whole = f"{text}attempts:\n{rows}" if attempts else text
    top = parse(whole)
    assert isinstance(top, Mapping)
    return track_of(top, folder / "track.yaml")
