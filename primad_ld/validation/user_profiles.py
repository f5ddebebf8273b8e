"""Profiles of users: whoever wrote one, judging by it ends.

A pattern may try for ever, a SPARQL constraint may ask for all combinations of all statements,
and what a shape refers to may double at each step. So headers are judged by files of users in a
process of its own, within limits. Profiles that ship with primad-ld need none.
"""

from __future__ import annotations

from typing import Final

from primad_ld.core.errors import HeaderError, LimitError
from primad_ld.core.processes import Limits, note
from primad_ld.validation.profiles import Profile

#: For each header. One is judged in some milliseconds, with pyshacl in seconds.
LIMITS: Final = Limits(seconds=60, memory=2 * 2**30)


def limits_for(profile: Profile) -> Limits | None:
    """Within which limits headers are judged by a profile; None if it ships with primad-ld."""
    return LIMITS if profile.of_users else None


def note_shape(shape: str, judged: str) -> None:
    """Note which shape judges which file or run."""
    note(f"{shape}\n{judged}")


def ended(profile: Profile, error: LimitError) -> HeaderError:
    """What to say where a limit ended the process: of the profile, its shape and the header."""
    shape, _, judged = error.at.partition("\n")
    file = profile.of_users.get(shape) or next(iter(profile.of_users.values()))
    return HeaderError(
        f"judging {judged or 'a header'} by this {'shape' if shape else 'profile'} {error.why}",
        file=file,
        field=profile.terms.place_of(shape) if shape else "",
        hint="simplify the shape, or validate without this profile",
    )
