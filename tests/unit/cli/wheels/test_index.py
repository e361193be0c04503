"""The index of the wheels that an author has; `e2e/test_packages.py` has micropip read it."""

import hashlib
import re
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.testclient import TestClient

from tests.unit.cli.made_up import make_wheel, webtools
from webtools.cli.terminal.problems import CommandProblem
from webtools.cli.wheels.index import by_project, index_files, index_routes


@pytest.fixture
def wheels(tmp_path: Path) -> Path:
    folder = tmp_path / "wheels"
    for name, version in (("Made_Up.name", "1.0"), ("made_up_name", "1!2.0+local"), ("other", "3")):
        make_wheel(folder, name, version=version)
    (folder / "notes.txt").write_text("secret")
    return folder


@pytest.fixture
def client(wheels: Path, tmp_path: Path) -> TestClient:
    micropip = make_wheel(tmp_path, "micropip")
    routes = [Mount("/webtools/packages", routes=index_routes(wheels, micropip))]
    return TestClient(Starlette(routes=routes), base_url="http://localhost")


@pytest.mark.parametrize("asked", ["made-up-name", "Made_Up.Name"])
def test_a_project_lists_its_wheels_with_their_hashes(client: TestClient, wheels: Path, asked: str) -> None:
    url = f"/webtools/packages/{asked}/"
    page = client.get(url)
    assert page.headers["content-type"].startswith("text/html")
    assert page.headers["cache-control"] == "no-cache"
    links = re.findall(r'<a href="([^"#]+)#sha256=([0-9a-f]{64})">([^<]+)</a>', page.text)
    assert {name for _, _, name in links} == {
        "Made_Up.name-1.0-py3-none-any.whl",
        "made_up_name-1!2.0+local-py3-none-any.whl",
    }
    for href, digest, name in links:
        got = client.get(url + href)
        assert got.content == (wheels / name).read_bytes()
        assert hashlib.sha256(got.content).hexdigest() == digest
        assert got.headers["content-type"] == "application/zip"


def test_micropip_lies_beside_it(client: TestClient) -> None:
    assert client.get("/webtools/packages/micropip.whl").status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        *("nowhere/", "other/made_up_name-1.0-py3-none-any.whl", "other/..%2Fnotes.txt", "other/notes.txt"),
        *("notes.txt/", "../wheels/notes.txt", "%2E%2E/"),
    ],
)
def test_what_is_no_wheel_of_the_project_is_not_there(client: TestClient, path: str) -> None:
    assert client.get(f"/webtools/packages/{path}").status_code == 404


def test_each_request_looks_anew(client: TestClient, wheels: Path) -> None:
    assert client.get("/webtools/packages/late/").status_code == 404
    make_wheel(wheels, "late")
    assert client.get("/webtools/packages/late/").status_code == 200


def test_a_site_without_wheels_has_an_empty_index(tmp_path: Path) -> None:
    routes = index_routes(tmp_path / "nowhere", tmp_path)
    client = TestClient(Starlette(routes=routes))
    assert client.get("/other/").status_code == 404


def test_a_file_without_a_wheels_name_is_told_with_the_cure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "wheels").mkdir()
    (tmp_path / "wheels" / "shop.whl").touch()
    with pytest.raises(CommandProblem, match=r"shop\.whl has no wheel's name, such as"):
        by_project((tmp_path / "wheels").glob("*.whl"))
    assert webtools("serve", str(tmp_path), "--port", "0") == 1
    assert "give it the one that it was built with" in capsys.readouterr().err


def test_as_files_it_is_the_same(client: TestClient, wheels: Path, tmp_path: Path) -> None:
    files = index_files(wheels, make_wheel(tmp_path, "micropip"))
    assert set(files) == {
        "micropip.whl",
        *("made-up-name/index.html", "made-up-name/Made_Up.name-1.0-py3-none-any.whl"),
        "made-up-name/made_up_name-1!2.0+local-py3-none-any.whl",
        *("other/index.html", "other/other-3-py3-none-any.whl"),
    }
    for name, content in files.items():
        assert client.get(f"/webtools/packages/{name.removesuffix('index.html')}").content == content
    assert index_files(tmp_path / "nowhere", tmp_path) == {}
