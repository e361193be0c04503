"""The folder that `webtools build` makes; `e2e/test_build.py` opens one in browsers."""

import gzip
import hashlib
import itertools
import json
import re
from collections.abc import Collection, Mapping
from pathlib import Path

import brotli
import pytest

from tests.unit.cli.made_up import quiet, webtools
from webtools.cli import app as command
from webtools.cli.building.site import FILES, build_site
from webtools.cli.files.compressing import Compressor, Variants
from webtools.cli.sources.library import ensure_library
from webtools.cli.terminal.problems import CommandProblem

FOR_EVER = "public, max-age=31536000, immutable"
PAGE = '<!doctype html>\n<script type="module" src="/webtools/webtools.js" data-app="{}"></script>\n'
LONG = "# a line of an app that does nothing\n" * 20
PACK = b"PK" * 1000


def modules_of(out: Path) -> Path:
    (folder,) = (path for path in (out / "webtools").iterdir() if path.name.startswith("lib-"))
    return folder


class Workshop:
    """An author's folder, what is built of it, and what was said meanwhile."""

    def __init__(self, folder: Path) -> None:
        self.site, self.out, self.runtime = folder / "shop", folder / "out", folder / "runtime"
        self._cache = folder / "cache"
        self.said: list[str] = []
        self.ran: list[Path] = []
        self.packages: dict[str, bytes] = {}
        for path in (self.site / "help", self.runtime / "pyodide-1"):
            path.mkdir(parents=True)
        self.write("index.html", PAGE.format("/shop.py"))
        self.write("shop.py", LONG)
        index = {
            "engine": "pyodide-1/",
            "info": {"python": "3.14.2"},
            "packages": {"file": "packages-1.zip", "size": len(PACK)},
            "stdlib": {"file": "python_stdlib-1.zip", "size": len(PACK)},
        }
        (self.runtime / "runtime.json").write_text(json.dumps(index))
        for name in ("packages-1.zip", "python_stdlib-1.zip", "pyodide-1/pyodide.asm.wasm"):
            (self.runtime / name).write_bytes(PACK)

    def write(self, name: str, text: str) -> Path:
        path = self.site / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
        return path

    def manifest_of(self, app: Path, entry: str | None) -> str:
        self.ran.append(app)
        if entry is not None:
            return json.dumps({"tools": [], "app": entry})
        source = app.read_text()
        if "import js" in source:
            raise CommandProblem(f"{app}, line 1: it needs a page")
        return json.dumps({"tools": [], "app": source})

    def compress(self, files: Collection[Path], **_: object) -> Mapping[Path, Variants]:
        return Compressor(self._cache, quiet, best=False).variants(files)

    def build(self, site: Path | None = None, out: Path | None = None) -> Path:
        build_site(
            site or self.site,
            out or self.out,
            library=ensure_library(),
            runtime=self.runtime,
            packages=self.packages,
            version="0.1.0",
            manifest_of=self.manifest_of,
            compress=self.compress,
            report=self.said.append,
        )
        return out or self.out


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    return Workshop(tmp_path)


def contents(folder: Path) -> dict[str, bytes]:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def test_it_has_what_serve_shows_and_nothing_else_of_the_folder(shop: Workshop, tmp_path: Path) -> None:
    for hidden in (".env", ".git/config", "help/.secret", "__pycache__/shop.pyc"):
        shop.write(hidden, "secret")
    shop.write("help/index.html", "<title>help</title>")
    (tmp_path / "outside.txt").write_text("secret")
    (shop.site / "out.txt").symlink_to(tmp_path / "outside.txt")
    (shop.site / "env.txt").symlink_to(shop.site / ".env")
    (shop.site / "same.py").symlink_to(shop.site / "shop.py")
    built = contents(shop.build())
    assert not any(b"secret" in content for content in built.values())
    own = {name for name in built if not name.startswith("webtools/") and not name.endswith((".br", ".gz"))}
    (manifest,) = (name for name in own if ".tools-" in name)
    assert own == {"_headers", "index.html", "help/index.html", "shop.py", "same.py", manifest}
    assert built["shop.py"] == built["same.py"] == LONG.encode()


def test_the_runtime_lies_beside_the_modules_which_have_its_index(shop: Workshop) -> None:
    built = contents(shop.build())
    (index,) = (name for name in built if name.endswith("/runtime.json"))
    assert index.startswith("webtools/lib-")
    said = json.loads(built[index])
    folder = shop.out / index
    for file in ("packages", "stdlib"):
        assert (folder.parent / said[file]["file"]).read_bytes() == PACK
    assert (folder.parent / said["engine"] / "pyodide.asm.wasm").is_file()
    assert (said["packages"]["gzip"], said["stdlib"]["gzip"]) == (True, False)
    assert said["info"] == {"python": "3.14.2"}


def test_what_compresses_lies_beside_itself_compressed(shop: Workshop) -> None:
    shop.write("tiny.css", "p{}")
    shop.write("theirs.js", "let a = 1;\n" * 100)
    shop.write("theirs.js.br", "the author's own")
    built = contents(shop.build())
    (module,) = (name for name in built if re.fullmatch(r"webtools/lib-\w+/webtools\.js", name))
    for name in ("shop.py", "webtools/runtime/packages-1.zip", module):
        assert brotli.decompress(built[f"{name}.br"]) == gzip.decompress(built[f"{name}.gz"]) == built[name]
    assert built["theirs.js.br"] == b"the author's own"
    assert not {"tiny.css.br", "_headers.br", f"{FILES}.br"} & built.keys()


def test_the_list_has_every_other_file(shop: Workshop) -> None:
    built = contents(shop.build())
    listed = json.loads(built.pop(FILES))
    assert listed["webtools"] == "0.1.0"
    assert listed["files"] == {
        name: {"size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        for name, content in built.items()
    }


def test_headers_keep_what_never_changes_and_tell_no_path_anything_twice(shop: Workshop) -> None:
    shop.write("_headers", "/secret/*\n  X-Robots-Tag: noindex\n\n\n")
    built = contents(shop.build())
    text = built["_headers"].decode()
    assert text.startswith("/secret/*\n  X-Robots-Tag: noindex\n\n/webtools/")
    lines = text.splitlines()
    rules = [(path, line.strip()) for path, line in itertools.pairwise(lines) if line.startswith("  ")]
    kept = {path for path, header in rules if header == f"Cache-Control: {FOR_EVER}"}
    asked = {path for path, header in rules if header == "Cache-Control: no-cache"}
    (manifest,) = (name for name in built if ".tools-" in name and name.endswith(".json"))
    modules = modules_of(shop.out).name
    assert kept == {f"/webtools/{modules}/*", "/webtools/runtime/*", f"/{manifest}"}
    assert asked == {
        "/webtools/elements.js",
        "/webtools/polyfill.js",
        "/webtools/react.js",
        "/webtools/webtools.js",
    }
    assert ("/webtools/runtime/pyodide-1/pyodide.asm.wasm", "Content-Type: application/wasm") in rules


def test_the_same_folder_gives_the_same_bytes(shop: Workshop, tmp_path: Path) -> None:
    first = contents(shop.build())
    assert contents(shop.build(out=tmp_path / "again")) == first


def test_a_page_names_the_manifests_of_its_apps(shop: Workshop) -> None:
    built = contents(shop.build())
    (manifest,) = (name for name in built if ".tools-" in name and name.endswith(".json"))
    assert json.loads(built[manifest])["app"] == LONG
    preload = f'<link rel="preload" as="fetch" crossorigin href="/{manifest}">'
    tag = PAGE.format("/shop.py").replace("<script", f'{preload}<script data-manifest="/{manifest}"')
    assert built["index.html"].decode() == tag
    assert shop.ran == [shop.site / "shop.py"]


@pytest.mark.parametrize(
    ("page", "app", "prefix"),
    [
        ("index.html", "shop.py", ""),
        ("index.html", "/apps/shop.py?v=1#top", "/apps/"),
        ("help/index.html", "../apps/shop.py", "../apps/"),
        ("help/index.html", "./shop.py", "./"),
        ("help/page.htm", "/my%20apps/shop.py", "/my%20apps/"),
    ],
)
def test_a_manifest_lies_beside_its_app_and_is_named_as_that_is(
    shop: Workshop, page: str, app: str, prefix: str
) -> None:
    for folder in ("help", "apps", "my apps"):
        shop.write(f"{folder}/shop.py", LONG)
    shop.write(page, PAGE.format(app))
    built = contents(shop.build())
    named = built[page].decode().split('data-manifest="')[1].split('"')[0]
    assert named.startswith(f"{prefix}shop.tools-")
    assert shop.said[0].startswith("Running ")


def test_a_base_tag_counts(shop: Workshop) -> None:
    (shop.site / "shop.py").unlink()
    shop.write("help/shop.py", LONG)
    shop.write("index.html", '<base href="help/">' + PAGE.format("shop.py"))
    assert b'data-manifest="shop.tools-' in contents(shop.build())["index.html"]


def test_an_app_that_needs_a_page_is_told_with_its_line_and_the_page_goes_without(shop: Workshop) -> None:
    shop.write("shop.py", "import js")
    shop.write("other.html", PAGE.format("/shop.py"))
    built = contents(shop.build())
    assert built["index.html"].decode() == PAGE.format("/shop.py")
    (warning,) = (line for line in shop.said if line.startswith("warning: "))
    assert warning.startswith(f"warning: {shop.site / 'index.html'}, line 2: ")
    assert warning.endswith(f"{shop.site / 'shop.py'}, line 1: it needs a page")


@pytest.mark.parametrize(
    ("app", "said"),
    [
        ("/missing.py", "the app /missing.py is not there; put it into "),
        ("/.env", "the app /.env is not there"),
        ("/", "the app / is not there"),
        ("/%2e%2e/%2e%2e/outside.py", "/%2e%2e/%2e%2e/outside.py is elsewhere than in "),
        ("https://other.example/shop.py", "https://other.example/shop.py is elsewhere than in "),
    ],
)
def test_an_app_that_is_not_in_the_folder_is_told(shop: Workshop, app: str, said: str) -> None:
    shop.write(".env", "secret")
    (shop.out.parent / "outside.py").write_text("secret")
    shop.write("index.html", PAGE.format(app))
    assert contents(shop.build())["index.html"].decode() == PAGE.format(app)
    (warning,) = shop.said
    assert warning.startswith(f"warning: {shop.site / 'index.html'}, line 2: {said}")
    assert shop.ran == []


def test_the_folder_around_the_one_that_is_served_is_told_with_the_right_one(shop: Workshop) -> None:
    (shop.site / "index.html").unlink()
    shop.write("site/cart.py", LONG)
    shop.write("site/index.html", PAGE.format("/cart.py"))
    shop.build()
    (warning,) = shop.said
    assert f"is beside the page: name {shop.site / 'site'} instead of {shop.site}; until then" in warning


def test_a_folder_without_a_page_is_told(shop: Workshop) -> None:
    (shop.site / "index.html").unlink()
    shop.build()
    assert shop.said == [f"warning: {shop.site} has no page, no .html file, so there is nothing to open"]


def test_what_it_has_made_is_replaced(shop: Workshop) -> None:
    shop.write("old.txt", "old")
    shop.build()
    (shop.site / "old.txt").unlink()
    shop.write("new.txt", "new")
    built = contents(shop.build())
    assert ("old.txt" in built, built["new.txt"]) == (False, b"new")
    assert {path.name for path in shop.out.parent.iterdir()} == {"shop", "out", "runtime", "cache"}


@pytest.mark.parametrize("name", ["index.html", "webtools/files.json", ".git/config"])
def test_what_it_has_not_made_is_never_deleted(shop: Workshop, name: str) -> None:
    (shop.out / name).parent.mkdir(parents=True)
    (shop.out / name).write_text("{}")
    if name == "webtools/files.json":
        (shop.out / "mine.txt").write_text("mine")
    before = contents(shop.out)
    with pytest.raises(CommandProblem, match=r"was not made by webtools build, .* with -o\.$"):
        shop.build()
    assert contents(shop.out) == before


def test_a_file_that_was_put_into_a_built_folder_is_not_deleted_either(shop: Workshop) -> None:
    (shop.build() / "CNAME").write_text("shop.example")
    with pytest.raises(CommandProblem, match="CNAME was not made by"):
        shop.build()


def test_an_empty_folder_is_as_good_as_none(shop: Workshop) -> None:
    shop.out.mkdir()
    assert (shop.build() / "index.html").is_file()


@pytest.mark.parametrize("where", ["shop/out", "shop", "."])
def test_a_folder_in_itself_is_refused(shop: Workshop, tmp_path: Path, where: str) -> None:
    with pytest.raises(CommandProblem, match=r"one in the other; choose .* such as: -o "):
        shop.build(out=tmp_path / where)


def test_a_folder_that_has_the_librarys_place_taken_is_refused(shop: Workshop) -> None:
    shop.write("webtools/mine.js", "")
    with pytest.raises(CommandProblem, match=r"webtools is where the library goes; give it another name\.$"):
        shop.build()
    assert not shop.out.exists()


def test_a_folder_that_cannot_be_written_is_told_and_the_old_one_stays(
    shop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = contents(shop.build())

    def full(files: Collection[Path]) -> Mapping[Path, Variants]:
        raise OSError(28, "No space left on device", "somewhere")

    monkeypatch.setattr(shop, "compress", full)
    with pytest.raises(CommandProblem, match=r"\(No space left on device: somewhere\); make room"):
        shop.build()
    assert contents(shop.out) == before
    assert {path.name for path in shop.out.parent.iterdir()} == {"shop", "out", "runtime", "cache"}


def test_an_archives_manifest_is_that_of_its_entry(shop: Workshop) -> None:
    shop.write("shop.zip", "PK")
    tag = PAGE.format("/shop.zip").replace('data-app="', 'data-entry="{}" data-app="')
    shop.write("index.html", tag.format("shop.one") + tag.format("shop.two"))
    out = shop.build()
    named = re.findall(r'data-manifest="/([^"]+)"', (out / "index.html").read_text())
    assert [json.loads((out / name).read_text())["app"] for name in named] == ["shop.one", "shop.two"]


def test_the_index_of_wheels_lies_beside_the_modules(shop: Workshop) -> None:
    before = modules_of(shop.build())
    shop.packages = {"micropip.whl": b"PK", "made-up/index.html": b"<a>"}
    after = modules_of(shop.build())
    assert after.name != before.name
    assert (after / "packages" / "made-up" / "index.html").read_bytes() == b"<a>"
    assert (after / "packages" / "micropip.whl").read_bytes() == b"PK"


def test_the_command_builds_with_the_checkouts_library(
    shop: Workshop, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "ensure_runtime", lambda **_: shop.runtime)
    monkeypatch.setattr(command, "ensure_micropip", lambda *_: shop.runtime)
    monkeypatch.setattr(command, "dependencies_of", lambda *_: [])
    monkeypatch.setattr(command, "compress_files", shop.compress)
    monkeypatch.setattr(command, "manifest_text", lambda app, entry, **_: shop.manifest_of(app, entry))
    assert webtools("build", str(shop.site), "-o", str(shop.out)) == 0
    assert capsys.readouterr().out.startswith(f"Built {shop.out}")
    assert json.loads((shop.out / FILES).read_text())["webtools"] == command._version()
    assert webtools("build", str(shop.site)) == 2
    assert "output" in capsys.readouterr().err
