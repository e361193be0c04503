"""Look at what `python -m release` has built as a stranger meets it: `python -m release.checks dist`."""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from zipfile import ZipFile

from release.licences import NOTICES
from webtools.cli.sources.checkout import CHECKOUT

_ENVIRONMENTS = CHECKOUT / ".nox"
_MOST_BYTES = 100_000_000
_APART = ("unshare", "--user", "--map-root-user", "--net")
"""Runs a program in a machine without a network, where Linux lets it."""


def main(dist: Path) -> None:
    """Check all, and print the licences and the sizes; end with an exit code where something is wrong."""
    (wheel,) = dist.glob("*.whl")
    (sdist,) = dist.glob("*.tar.gz")
    try:
        _check_metadata(sdist, wheel)
        _check_same_bytes(wheel)
        python = _install(wheel)
        is_apart = shutil.which(_APART[0]) and not subprocess.run([*_APART, "true"], check=False).returncode
        if not is_apart:
            print("This machine cannot take the network away: only PATH and pip's index are.")
        _run(*(_APART if is_apart else ()), sys.executable, "-m", "release.offline", str(python))
    except subprocess.CalledProcessError as error:
        sys.exit(f"error: {' '.join(map(str, error.cmd))} failed; what it said is above")
    print(_licences(wheel))
    for path in (sdist, wheel):
        size = path.stat().st_size
        print(f"{path.name}: {size / 1e6:.1f} MB")
        if size > _MOST_BYTES:
            sys.exit(f"error: PyPI takes no file above {_MOST_BYTES / 1e6:.0f} MB")


def _check_metadata(*files: Path) -> None:
    python = _environment("twine")
    _run(python, "-m", "pip", "install", "--quiet", "--group", f"{CHECKOUT / 'pyproject.toml'}:release")
    _run(python, "-m", "twine", "check", "--strict", *files)


def _check_same_bytes(wheel: Path) -> None:
    """Build the wheel again, of the sources alone; npm's packages and PyPI's wheels are checked by hashes."""
    with tempfile.TemporaryDirectory(prefix="webtools-again-") as scratch:
        folder, out = Path(scratch) / "clone", Path(scratch) / "dist"
        listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        names = subprocess.run(listed, cwd=CHECKOUT, check=True, capture_output=True, text=True).stdout
        for name in (*filter(None, names.split("\0")), "static/storefront/vendor/react.js"):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(CHECKOUT / name, folder / name)
        (folder / "node_modules").symlink_to(CHECKOUT / "node_modules")
        shutil.copytree(CHECKOUT / "build" / "wheels", folder / "build" / "wheels")
        env = {**os.environ, "PYTHONPATH": str(folder)}
        subprocess.run([sys.executable, "-m", "release", "-o", out], cwd=folder, env=env, check=True)
        (again,) = out.glob("*.whl")
        if again.name != wheel.name or _hash(again) != _hash(wheel):
            sys.exit(f"error: the same sources gave another wheel: {_differences(wheel, again)}")
    print("The same sources give the same wheel, byte for byte.")


def _install(wheel: Path) -> Path:
    """Install it in an environment of its own, from a folder of wheels: no index is asked."""
    python = _environment("installed")
    with tempfile.TemporaryDirectory(prefix="webtools-wheels-") as wheels:
        _run(python, "-m", "pip", "download", "--quiet", "--dest", wheels, wheel)
        _run(python, "-m", "pip", "install", "--quiet", "--no-index", "--find-links", wheels, wheel)
    _run(python, "-m", "pip", "check")
    return python


def _environment(name: str) -> Path:
    folder = _ENVIRONMENTS / name
    shutil.rmtree(folder, ignore_errors=True)
    _run(sys.executable, "-m", "virtualenv", "--quiet", folder)
    return folder / "bin" / "python"


def _run(*command: object) -> None:
    subprocess.run(list(map(str, command)), cwd=CHECKOUT, check=True)


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _differences(one: Path, other: Path) -> str:
    with ZipFile(one) as first, ZipFile(other) as second:
        entries = [{(each.filename, each.CRC) for each in archive.infolist()} for archive in (first, second)]
    return ", ".join(sorted({name for name, _ in entries[0] ^ entries[1]}))


def _licences(wheel: Path) -> str:
    with ZipFile(wheel) as archive:
        (name,) = (each for each in archive.namelist() if each.endswith(f"/{NOTICES}"))
        return archive.read(name).decode("utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
