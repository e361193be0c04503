"""The pack: one zip of all that a page's packages install. `static/pack.js` unpacks it."""

from collections.abc import Iterable
from pathlib import Path
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from webtools.cli.terminal.problems import CommandProblem

__all__ = ["write_pack"]

_NO_DATE = (1980, 1, 1, 0, 0, 0)


def write_pack(wheels: Iterable[Path], target: Path) -> None:
    """Write the members of all wheels into one zip, none of them compressed; from the same, the same bytes.

    Raises:
        CommandProblem: Two wheels have a member of one name.
    """
    origins: dict[str, str] = {}
    with ZipFile(target, "w", ZIP_STORED) as pack:
        for wheel in wheels:
            with ZipFile(wheel) as archive:
                for member in archive.infolist():
                    if member.is_dir():
                        continue
                    other = origins.setdefault(member.filename, wheel.name)
                    if other != wheel.name:
                        raise CommandProblem(
                            f"{other} and {wheel.name} both have {member.filename}; leave one of them out."
                        )
                    pack.writestr(ZipInfo(member.filename, _NO_DATE), archive.read(member))
