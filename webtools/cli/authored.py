"""The author's part of a built site: a copy of the folder, whose pages name the manifests of their apps."""

import hashlib
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote, unquote, urljoin, urlsplit

from webtools.cli.folder import DIGITS
from webtools.cli.pages import AppTag, read_page, with_manifests
from webtools.cli.problems import CommandProblem, Report

__all__ = ["add_manifests", "copy_shown", "named_apps"]

_HOST = "site.invalid"
_PAGES = frozenset({".htm", ".html"})


def copy_shown(directory: Path, site: Path) -> None:
    """Copy what `webtools serve` shows of a folder, but for what Python leaves behind (`__pycache__`)."""
    site.mkdir()
    for path in sorted(directory.rglob("*")):
        parts = path.relative_to(directory).parts
        if path.is_file() and "__pycache__" not in parts and _is_shown(path, directory):
            copy = site.joinpath(*parts)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)


def _is_shown(path: Path, directory: Path) -> bool:
    """Tell whether neither the file nor what it links to is hidden, or elsewhere."""
    found = path.resolve()
    if not found.is_relative_to(directory.resolve()):
        return False
    parts = (*path.relative_to(directory).parts, *found.relative_to(directory.resolve()).parts)
    return not any(part.startswith(".") for part in parts)


def add_manifests(
    directory: Path, site: Path, manifest_of: Callable[[Path, str | None], str], report: Report
) -> list[Path]:
    """Write a manifest beside each app that a page names without one, and name it in the page.

    Args:
        directory: The author's folder; problems name files in it.
        site: Its copy, which is changed.
        manifest_of: Gives the manifest of an app, for an archive by its entry; a CommandProblem tells why
            there is none.
        report: Told of an app before it is run, and of one without a manifest: its page goes without, too.

    Returns:
        The manifests.
    """
    made: dict[tuple[Path, str | None], Path | None] = {}

    def manifest_for(app: Path, entry: str | None, where: str) -> Path | None:
        key = app, entry
        if key not in made:
            original = directory / app.relative_to(site)
            report(f"Running {original} for its manifest …")
            try:
                made[key] = _write_manifest(app, manifest_of(original, entry))
            except CommandProblem as problem:
                made[key] = None
                report(f"warning: {where}: this app has no manifest: {problem}")
        return made[key]

    for page in _pages(site):
        html = page.read_bytes()
        tags = read_page(html)
        named: list[tuple[AppTag, str]] = []
        for tag in tags.apps:
            if tag.has_manifest:
                continue
            where = f"{directory / page.relative_to(site)}, line {tag.line}"
            app = _app_file(site, page, tags.base, tag.app)
            if app is None:
                report(f"warning: {where}: {tag.app} is not in {directory}, so it has no manifest")
            elif manifest := manifest_for(app, tag.entry, where):
                named.append((tag, _beside(tag.app, manifest.name)))
        if named:
            page.write_bytes(with_manifests(html, named))
    return [manifest for manifest in made.values() if manifest]


def named_apps(directory: Path, report: Report) -> list[tuple[Path, str | None]]:
    """Find the apps that a folder's pages name, each once: the file, and the entry of an archive.

    Args:
        directory: The author's folder.
        report: Told of an app that is somewhere else.
    """
    found: dict[tuple[Path, str | None], None] = {}
    for page in _pages(directory):
        if not _is_shown(page, directory):
            continue
        tags = read_page(page.read_bytes())
        for tag in tags.apps:
            app = _app_file(directory, page, tags.base, tag.app)
            if app is None:
                report(f"warning: {page}, line {tag.line}: {tag.app} is not in {directory}")
            else:
                found[app, tag.entry] = None
    return list(found)


def _pages(folder: Path) -> Iterator[Path]:
    yield from sorted(path for path in folder.rglob("*") if path.suffix in _PAGES)


def _app_file(site: Path, page: Path, base: str, app: str) -> Path | None:
    """Find the file that a page gets when it asks for its app; None where that is not in the site."""
    address = f"http://{_HOST}/{quote(page.relative_to(site).as_posix())}"
    url = urlsplit(urljoin(urljoin(address, base), app.strip()))
    file = site / unquote(url.path).lstrip("/")
    is_inside = url.hostname == _HOST and file.resolve().is_relative_to(site.resolve())
    return file if is_inside and file.is_file() else None


def _beside(url: str, name: str) -> str:
    """Give the URL of a file in the same folder; it is relative where that one is."""
    path = url.strip().partition("#")[0].partition("?")[0]
    return path[: path.rfind("/") + 1] + name


def _write_manifest(app: Path, text: str) -> Path:
    content = text.encode()
    digest = hashlib.sha256(content).hexdigest()[:DIGITS]
    manifest = app.with_name(f"{app.stem}.tools-{digest}.json")
    manifest.write_bytes(content)
    return manifest
