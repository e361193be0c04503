"""What can be imported of wheels."""

import re
from collections.abc import Iterable
from pathlib import Path
from zipfile import ZipFile

__all__ = ["modules_in"]


def modules_in(wheels: Iterable[Path]) -> list[str]:
    """Name the modules and packages that lie at the top of wheels, but for those that are not for others."""
    tops = {name.split("/")[0] for wheel in wheels for name in ZipFile(wheel).namelist()}
    names = {re.sub(r"\.pyc?$", "", top) for top in tops}
    return sorted(name for name in names if name.isidentifier() and not name.startswith("_"))
