"""`webtools build`: an author's folder, the library and the runtime, for any static host to serve."""

import hashlib
import json
import shutil
import tempfile
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from webtools.cli.authored.apps import add_manifests
from webtools.cli.authored.shown import copy_shown, has_page
from webtools.cli.building.modules import write_modules
from webtools.cli.files.compressing import SUFFIXES, Variants, is_worth_it
from webtools.cli.files.folder import INDEX
from webtools.cli.files.headers import headers_text
from webtools.cli.sources.bundle import ENTRIES
from webtools.cli.terminal.problems import CommandProblem, Report

__all__ = ["FILES", "build_site"]

_OWN = "webtools"
"""The folder of all that is not the author's."""

FILES = f"{_OWN}/files.json"
"""The list of all other files, by which a folder is known as one that `build_site` has made."""

_HEADERS = "_headers"
_READ_BY_US = frozenset({"packages", "snapshot"})
"""Of the runtime's files: Pyodide, which reads others, would not know what to do with gzip."""
_TYPED = frozenset({".bin", ".mjs", ".wasm", ".zip"})


def build_site(
    directory: Path,
    target: Path,
    *,
    library: Path,
    runtime: Path,
    packages: Mapping[str, bytes],
    version: str,
    manifest_of: Callable[[Path, str | None], str],
    compress: Callable[[Collection[Path]], Mapping[Path, Variants]],
    report: Report,
) -> None:
    """Make the folder: as a whole, or not at all. The same input gives the same files, byte for byte.

    Args:
        directory: The author's folder.
        target: Where to make it. What is there already is replaced, where this function has made it.
        library: What `ensure_library` gave.
        runtime: What `ensure_runtime` gave.
        packages: What `index_files` gave.
        version: The library's.
        manifest_of: Gives the manifest of an app, for an archive by its entry; a CommandProblem tells why
            there is none.
        compress: Gives for files where they lie compressed.
        report: Told of what is slow, and of what a page has to go without.

    Raises:
        CommandProblem: A folder cannot be what it is to be; nothing is changed.
    """
    _check(directory, target)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=".webtools-build-") as scratch:
            site = Path(scratch) / "site"
            copy_shown(directory, site)
            if not has_page(site):
                report(f"warning: {directory} has no page, no .html file, so there is nothing to open")
            manifests = add_manifests(directory, site, manifest_of, report)
            modules = _write_own(site / _OWN, library, runtime, packages)
            _write_compressed(site, compress)
            _write_headers(site, modules, manifests)
            _write_list(site, version)
            if target.exists():
                target.rename(Path(scratch) / "old")
            site.rename(target)
    except OSError as error:
        raise CommandProblem(
            f"Cannot build {target} ({error.strerror}: {error.filename}); make room or give permission, "
            "or choose another folder with -o."
        ) from error


def _check(directory: Path, target: Path) -> None:
    """Refuse to build a folder into itself, or where a file would be lost."""
    here, there = directory.resolve(), target.resolve()
    if there.is_relative_to(here) or here.is_relative_to(there):
        raise CommandProblem(
            f"{target} and {directory} lie one in the other; choose a folder outside with -o, such as: "
            f"-o {here.parent / f'{here.name}-built'}"
        )
    if (directory / _OWN).exists():
        raise CommandProblem(f"{directory / _OWN} is where the library goes; give it another name.")
    strange = next(_strangers(target), None)
    if strange:
        raise CommandProblem(
            f"{strange} was not made by webtools build, which would delete it; move it away, "
            "or choose another folder with -o."
        )


def _strangers(target: Path) -> Iterator[Path]:
    """Find what the folder's own list does not have."""
    if not target.is_dir():
        yield from [target] if target.exists() else []
        return
    try:
        listed = {FILES, *json.loads((target / FILES).read_text("utf-8"))["files"]}
    except (OSError, ValueError, KeyError, TypeError):
        listed = set()
    for path in sorted(target.rglob("*")):
        if not path.is_dir() and path.relative_to(target).as_posix() not in listed:
            yield path


def _write_own(own: Path, library: Path, runtime: Path, packages: Mapping[str, bytes]) -> str:
    """Write the library, and the runtime beside it; gives the name of the modules' folder."""
    shutil.copytree(runtime, own / "runtime", ignore=shutil.ignore_patterns(INDEX))
    return write_modules(library, own, _index_from_modules(runtime), packages)


def _index_from_modules(runtime: Path) -> str:
    """Write the index for the modules' folder, where it never changes, so that it fits the modules."""
    index: dict[str, Any] = json.loads((runtime / INDEX).read_text("utf-8"))
    index["engine"] = f"../../runtime/{index['engine']}"
    for name, entry in index.items():
        if isinstance(entry, dict) and "file" in entry:
            content = (runtime / entry["file"]).read_bytes()
            entry["gzip"] = name in _READ_BY_US and is_worth_it(content)
            entry["file"] = f"../../runtime/{entry['file']}"
    return json.dumps(index, indent=1, sort_keys=True)


def _write_compressed(site: Path, compress: Callable[[Collection[Path]], Mapping[Path, Variants]]) -> None:
    """Put the compressed files beside what they are of; an author's own ones stay."""
    for file, variants in compress(_files(site)).items():
        for encoding, path in variants.items():
            beside = file.with_name(file.name + SUFFIXES[encoding])
            if not beside.exists():
                shutil.copyfile(path, beside)


def _write_headers(site: Path, modules: str, manifests: Collection[Path]) -> None:
    """Write what hosts send with files, below what the author has written."""
    never_change = [f"{_OWN}/{modules}/*", f"{_OWN}/runtime/*"]
    never_change += sorted(path.relative_to(site).as_posix() for path in manifests)
    in_runtime = _files(site / _OWN / "runtime")
    own = headers_text(
        kept=never_change,
        asked=[f"{_OWN}/{name}" for name in ENTRIES],
        typed=[path.relative_to(site).as_posix() for path in in_runtime if path.suffix in _TYPED],
    )
    headers = site / _HEADERS
    written = headers.read_text("utf-8") if headers.exists() else ""
    headers.write_text(f"{written.rstrip()}\n\n{own}" if written.strip() else own, "utf-8")


def _write_list(site: Path, version: str) -> None:
    files = {path.relative_to(site).as_posix(): _facts(path.read_bytes()) for path in _files(site)}
    text = json.dumps({"webtools": version, "files": files}, ensure_ascii=False, indent=1)
    (site / FILES).write_text(text + "\n", "utf-8")


def _facts(content: bytes) -> dict[str, object]:
    return {"size": len(content), "sha256": hashlib.sha256(content).hexdigest()}


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())
