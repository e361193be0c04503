"""The list of what is other people's in the wheel."""

import json
from pathlib import Path
from zipfile import ZipFile

import pytest

from release.licences import NOTICES, write_licences
from tests.unit.cli.made_up import INFO
from webtools.cli.terminal.problems import CommandProblem

MPL = "Mozilla Public License Version 2.0\n====\n"
BILL = {
    "metadata": {"component": {"name": "core"}},
    "components": [
        {"name": "serde", "version": "1.0", "licenses": [{"expression": "MIT OR Apache-2.0"}]},
        {"name": "plain", "version": "2.0"},
    ],
}


def made(folder: Path, name: str, licence: str, text: str, **more: str) -> Path:
    wheel = folder / f"{name}-1.0-py3-none-any.whl"
    with ZipFile(wheel, "w") as archive:
        about = f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n{licence}\n"
        archive.writestr(f"{name}-1.0.dist-info/METADATA", about)
        archive.writestr(f"{name}-1.0.dist-info/licenses/LICENSE", text)
        for path, content in more.items():
            archive.writestr(f"{name}-1.0.dist-info/{path}.cyclonedx.json", content)
    return wheel


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    """npm's packages, of which Pyodide has no text of its licence."""
    folder = tmp_path / "node_modules"
    for name in ("pyodide", "react", "react-dom", "scheduler"):
        (folder / name).mkdir(parents=True)
        licence = "MPL-2.0" if name == "pyodide" else "MIT"
        about = {
            "name": name,
            "version": "3",
            "license": licence,
            "repository": {"url": f"git+https://x/{name}.git"},
        }
        (folder / name / "package.json").write_text(json.dumps(about))
        if name != "pyodide":
            (folder / name / "LICENSE").write_text(f"{name}'s")
    return folder


def listed(tmp_path: Path, packages: Path, *wheels: Path) -> str:
    (tmp_path / "wasm").write_bytes(b"\0asm\0 inflate 1.3 Copyright 1995-2024 Mark Adler \0Py_GetCopyright\0")
    folder = tmp_path / "licences"
    write_licences(folder, wheels=wheels, packages=packages, wasm=tmp_path / "wasm", info=INFO)
    return (folder / NOTICES).read_text("utf-8")


def test_each_part_is_listed_with_the_text_that_its_package_has(tmp_path: Path, packages: Path) -> None:
    wheels = [made(tmp_path, "core", "License-Expression: MIT", "core's", bill=json.dumps(BILL))]
    wheels += [made(tmp_path, "micropip", f"License: {MPL}", MPL)]
    text = listed(tmp_path, packages, *wheels)
    assert "| core | 1.0 | MIT | core-LICENSE.txt |" in text
    assert "| react | 3 | MIT | react-LICENSE.txt | https://x/react |" in text
    assert "| micropip | 1.0 | Mozilla Public License Version 2.0 | micropip-LICENSE.txt |" in text
    assert (tmp_path / "licences" / "core-LICENSE.txt").read_text() == "core's"
    assert "| pyodide | 3 | MPL-2.0 | micropip-LICENSE.txt |" in text


def test_what_is_compiled_in_is_listed_by_what_the_binaries_tell(tmp_path: Path, packages: Path) -> None:
    wheels = [made(tmp_path, "core", "License: MIT", "core's", bill=json.dumps(BILL))]
    wheels += [made(tmp_path, "micropip", "License: MPL", MPL)]
    text = listed(tmp_path, packages, *wheels)
    assert "- inflate 1.3 Copyright 1995-2024 Mark Adler\n" in text
    assert "GetCopyright" not in text
    assert "emscripten/blob/5.0.3/LICENSE>" in text
    assert text.endswith("## Compiled into core\n\n- plain 2.0: not told\n- serde 1.0: MIT OR Apache-2.0\n")


def test_a_part_without_any_text_of_its_licence_stops_the_build(tmp_path: Path, packages: Path) -> None:
    with pytest.raises(CommandProblem, match=r"^pyodide has no text of its licence, MPL-2\.0; add it"):
        listed(tmp_path, packages, made(tmp_path, "core", "License: MIT", "core's"))
