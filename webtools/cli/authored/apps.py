"""The apps that a folder's pages name, and the manifests that a built site has of them."""

import hashlib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from urllib.parse import quote, unquote, urljoin, urlsplit

from webtools.cli.authored.pages import AppTag, read_page, with_manifests
from webtools.cli.authored.shown import is_shown, pages_in
from webtools.cli.files.folder import DIGITS
from webtools.cli.terminal.problems import CommandProblem, Report

__all__ = ["App", "add_manifests", "apps_of_pages"]

App = tuple[Path, str | None]
"""Its file, and the entry of an archive."""

_HOST = "site.invalid"


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
    made: dict[App, Path | None] = {}

    def run(app: Path, entry: str | None) -> str:
        original = directory / app.relative_to(site)
        report(f"Running {original} for its manifest …")
        return manifest_of(original, entry)

    for page in pages_in(site):
        html = page.read_bytes()
        tags = read_page(html)
        named: list[tuple[AppTag, str]] = []
        for tag in tags.apps:
            if tag.has_manifest:
                continue
            original = directory / page.relative_to(site)
            where = f"{original}, line {tag.line}"
            app = _app_file(site, page, tags.base, tag.app)
            if app is None:
                _warn(report, where, f"{tag.app} is elsewhere than in {directory}, so it has no manifest")
                continue
            key = app, tag.entry
            if key not in made:
                warn = partial(_warn, report, where)
                made[key] = _made_manifest(tag, app, _gone(tag, original, directory), run, warn)
            if manifest := made[key]:
                named.append((tag, _beside(tag.app, manifest.name)))
        if named:
            page.write_bytes(with_manifests(html, named))
    return [manifest for manifest in made.values() if manifest]


def _warn(report: Report, where: str, said: str) -> None:
    report(f"warning: {where}: {said}")


def _made_manifest(
    tag: AppTag, app: Path, gone: str, run: Callable[[Path, str | None], str], warn: Report
) -> Path | None:
    """Write an app's manifest beside it; None where a warning says why there is none."""
    if not app.is_file():
        warn(f"{gone}; until then the built page has none of its tools")
        return None
    try:
        return _write_manifest(app, run(app, tag.entry))
    except CommandProblem as problem:
        warn(f"this app has no manifest: {problem}")
        return None


def apps_of_pages(directory: Path, report: Report) -> dict[Path, list[App]]:
    """Find the apps that a folder's pages name, each once for a page; a page without any is left out.

    Args:
        directory: The author's folder.
        report: Told of an app that is on another host.

    Raises:
        CommandProblem: A page names an app of the folder that is not there.
    """
    found: dict[Path, list[App]] = {}
    for page in pages_in(directory):
        if is_shown(page, directory) and (apps := _apps_of(page, directory, report)):
            found[page] = apps
    return found


def _apps_of(page: Path, directory: Path, report: Report) -> list[App]:
    found: dict[App, None] = {}
    tags = read_page(page.read_bytes())
    for tag in tags.apps:
        app = _app_file(directory, page, tags.base, tag.app)
        where = f"{page}, line {tag.line}"
        if app is None:
            _warn(report, where, f"{tag.app} is elsewhere than in {directory}, so it is left out")
        elif not app.is_file():
            raise CommandProblem(f"{where}: {_gone(tag, page, directory)}")
        else:
            found[app, tag.entry] = None
    return list(found)


def _gone(tag: AppTag, page: Path, directory: Path) -> str:
    """Say what may be meant: the folder around the one that is served, as of what `webtools new` makes."""
    if page.parent != directory and page.parent.joinpath(tag.app.lstrip("/")).is_file():
        return f"the app {tag.app} is beside the page: name {page.parent} instead of {directory}"
    return f"the app {tag.app} is not there; put it into {directory}, or mend data-app"


def _app_file(site: Path, page: Path, base: str, app: str) -> Path | None:
    """Give the file, there or not, that a page asks for as its app; None where that is not of the site."""
    address = f"http://{_HOST}/{quote(page.relative_to(site).as_posix())}"
    url = urlsplit(urljoin(urljoin(address, base), app.strip()))
    file = site / unquote(url.path).lstrip("/")
    is_inside = url.hostname == _HOST and file.resolve().is_relative_to(site.resolve())
    return file if is_inside else None


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
