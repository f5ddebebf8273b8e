"""The profiles, and what one of them asks, as answers."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from primad_ld.core.iris import FIELD, SH
from primad_ld.tables.answers import Answer, Column, Table
from primad_ld.validation.explaining import Explainer
from primad_ld.validation.findings_at_lines import Remark, rank, severity_of
from primad_ld.validation.messages import in_general
from primad_ld.validation.profiles import (
    Description,
    code_of,
    demands,
    describe,
    load_profile,
    profile_names,
)


@dataclass(frozen=True, kw_only=True, repr=False)
class ProfileList(Answer):
    """The profiles that ship with primad-ld."""

    profiles: tuple[Description, ...]

    def table(self) -> Table:
        """A row for each profile."""
        columns = [
            Column(key="name", title="profile"),
            Column(key="title"),
            Column(key="description", title="what it asks"),
        ]
        rows = [asdict(profile) for profile in self.profiles]
        return Table(name="profiles", columns=columns, rows=rows)


@dataclass(frozen=True, kw_only=True, repr=False)
class ProfileDemands(Answer):
    """What a profile asks, the gravest first."""

    profile: Description
    #: What is said where a header does not meet them.
    demands: tuple[Remark, ...]

    def table(self) -> Table:
        """A row for each demand."""
        columns = [
            Column(key="severity", title="severity"),
            Column(key="field", title="field"),
            Column(key="code", title="code", wide=True),
            Column(key="message", title="message if not"),
            Column(key="hint", title="what to do", wide=True),
        ]
        rows = [demand._asdict() for demand in self.demands]
        title = f"{self.profile.title}: {self.profile.description}"
        return Table(name="demands", columns=columns, rows=rows, title=title)

    def record(self) -> dict[str, object]:
        """The profile, then what it asks."""
        profile = self.profile
        return {
            "name": profile.name,
            "title": profile.title,
            "description": profile.description,
            **Answer.record(self),
        }


def list_profiles() -> ProfileList:
    """The profiles that ship with primad-ld, the default first."""
    return ProfileList(profiles=tuple(map(describe, profile_names())))


def profile_demands(name: str) -> ProfileDemands:
    """What a profile asks, by its name or its file; not what it asks of any value at all."""
    profile = load_profile(name)
    explainer = Explainer(profile)
    found = [
        Remark(
            severity=severity_of(shape.severity),
            field=" or ".join(fields),
            code=code_of(shape.iri),
            message=in_general(profile.text(shape.iri, SH + "message")),
            hint=in_general(profile.text(shape.iri, FIELD + "hint")),
        )
        for shape in demands(profile)
        if (fields := explainer.named(shape))
    ]
    found.sort(key=lambda demand: (rank(demand.severity), demand.field))
    return ProfileDemands(profile=describe(name), demands=tuple(found))
