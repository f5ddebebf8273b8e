"""Nanopublications: drafted from runs and archives, signed, checked, published, and read back.

What comes in are runs, archives, claims and files of nanopublications; what goes out are drafts,
signed files, what a check found, and what archives hold of them. `drafting` writes drafts, `held`
hooks into archives, `registries` talks to servers; the modules here sign and check, and have what
all three rely on.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from primad_ld.core.library_arguments import checked

if TYPE_CHECKING:
    from primad_ld.nanopub.drafting.outbox import MakeReport
    from primad_ld.nanopub.folder_checks import CheckReport
    from primad_ld.nanopub.folder_signing import SignReport
    from primad_ld.nanopub.registries.publishing import PublishReport

__all__ = ["check", "make", "publish", "sign"]


@checked
def make(
    runs: str | Path | Iterable[str | Path] = (),
    output: str | Path = "nanopubs",
    *,
    archive: str | Path | None = None,
    assessment: str | Iterable[str] = (),
    qra: str | Path | Iterable[str | Path] = (),
    validation: str = "",
    keep: str | Iterable[str] = (),
    base: str = "https://w3id.org/primad-ld/id/",
    headers_only: bool = False,
    force: bool = False,
    jobs: int | None = 1,
) -> MakeReport:
    """Write nanopublications that nobody has signed yet into a folder, as TriG.

    >>> import primad_ld as pl
    >>> pl.nanopub.make("runs/shed-bm25.txt", "drafts").to_dicts()[0]["kind"]
    'run'

    Args:
        runs: Runs, headers and folders of them.
        output: The folder to write into.
        archive: Draft all that an archive holds instead.
        assessment: Of the archive: these assessments only, and the runs that they are about.
        qra: Measurements whose precision is assessed instead.
        validation: A profile whose verdict on each run is added.
        keep: What is not left out of ``"mail"``, ``"paths"``, ``"logins"`` and ``"hosts"``.
        base: Where the IRIs of runs and components begin.
        headers_only: Do not read rankings.
        force: Replace drafts that are there; never signed ones.
        jobs: Processes; None takes all cores where that pays.
    """
    from primad_ld.core.files import check_exist
    from primad_ld.core.library_arguments import to_choice, to_parts, to_paths
    from primad_ld.header.redaction import KINDS
    from primad_ld.nanopub.drafting.draft_sources import MakeOptions
    from primad_ld.nanopub.drafting.outbox import make_nanopubs

    options = MakeOptions(
        base=base,
        headers_only=headers_only,
        profile=validation,
        keep=[KINDS[to_choice(*KINDS)(kind, "keep")] for kind in to_parts(keep, "keep")],
        jobs=jobs,
    )
    return make_nanopubs(
        output,
        check_exist(to_paths(runs, "runs")),
        archive=archive,
        assessments=assessment,
        tables=qra,
        options=options,
        force=force,
    )


@checked
def sign(
    paths: str | Path | Iterable[str | Path],
    *,
    orcid: str,
    license: str,
    key: str | Path | None = None,
    name: str = "",
    created: str | None = None,
) -> SignReport:
    """Sign drafts, each in its place; what is signed already stays as it is.

    >>> import primad_ld as pl
    >>> from pathlib import Path
    >>> from primad_ld.nanopub.keys import make_key
    >>> key = make_key(Path("key.pem")).path
    >>> report = pl.nanopub.make("runs/shed-bm25.txt", "signed")
    >>> me = "0000-0002-1825-0097"
    >>> len(pl.nanopub.sign("signed", orcid=me, license="cc-by", key=key).to_dicts())
    1

    Args:
        paths: Drafts, or folders of them.
        orcid: Who signs.
        license: cc-by, cc0 … or the address of a licence.
        key: The private key; one in your settings if left out.
        name: Your name, for people who see the nanopublication.
        created: The time that is stated; now if left out.
    """
    from primad_ld.core.files import check_exist
    from primad_ld.core.library_arguments import to_paths
    from primad_ld.nanopub.folder_signing import sign_nanopubs
    from primad_ld.nanopub.keys import load_signer

    files = check_exist(to_paths(paths))
    signer = load_signer(key=key, orcid=orcid, license=license, created=created, name=name)
    return sign_nanopubs(files, signer)


@checked
def check(
    paths: str | Path | Iterable[str | Path], *, strict: bool = False, jobs: int | None = 1
) -> CheckReport:
    """Say whether nanopublications are well-formed, unchanged and signed; if not, why not.

    >>> import primad_ld as pl
    >>> report = pl.nanopub.make("runs/shed-bm25.txt", "checked")
    >>> pl.nanopub.check("checked").to_dicts()[0]["state"]
    'plain'

    Args:
        paths: Nanopublications, or folders of them.
        strict: Also say what registries and their users would miss.
        jobs: Processes; None takes all cores where that pays.
    """
    from primad_ld.core.library_arguments import to_paths
    from primad_ld.nanopub.folder_checks import check_paths

    return check_paths(to_paths(paths), is_strict=strict, jobs=jobs)


@checked
def publish(
    paths: str | Path | Iterable[str | Path],
    registry: str,
    *,
    jobs: int = 4,
    timeout: float = 30,
) -> PublishReport:
    r"""Publish signed nanopublications in a registry, and ask for each whether it is there.

    >>> import primad_ld as pl
    >>> report = pl.nanopub.make("runs/shed-bm25.txt", "unsigned")
    >>> try:
    ...     pl.nanopub.publish("unsigned", "https://registry.example.org/np/")
    ... except pl.PrimadError as error:
    ...     print(str(error).partition("\n")[0])
    nothing was sent: 1 of 1 files cannot be published

    Args:
        paths: Signed nanopublications, or folders of them.
        registry: Its address.
        jobs: Connections to the registry.
        timeout: Seconds that one request may take.
    """
    from primad_ld.nanopub.registries.publishing import publish_nanopubs
    from primad_ld.nanopub.registries.registry_client import Settings

    settings = Settings(jobs=jobs, timeout=timeout)
    return publish_nanopubs(paths, registry, settings=settings)
