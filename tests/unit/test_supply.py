"""What comes from others is pinned, hashed, of a known licence, and runs nothing when it is installed."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests import audit
from tests.supply import REQUIREMENTS, ROOT, npm_packages, requirements_in

LICENCES = {"MIT", "ISC", "Apache-2.0", "APACHE-2.0", "BSD-3-Clause", "MPL-2.0"}
"""What our own licence goes with. MPL-2.0 is axe's, which only tests use."""

WITH_SCRIPTS = {"esbuild"}
"""Packages with an install script, which we never run: theirs only checks what is there already."""


@pytest.mark.parametrize("path", REQUIREMENTS, ids=lambda path: path.stem)
def test_each_wheel_of_a_page_is_one_version_with_one_hash(path: Path) -> None:
    assert requirements_in(path)


def test_a_requirement_without_a_hash_is_noticed(tmp_path: Path) -> None:
    loose = tmp_path / "page-requirements.txt"
    loose.write_text("# ours\npydantic==2.14.4\n")
    with pytest.raises(ValueError, match="pydantic=="):
        requirements_in(loose)


def test_each_package_of_npm_comes_from_its_registry_with_a_strong_hash() -> None:
    packages = npm_packages()
    assert len(packages) > 50
    for name, package in packages.items():
        assert package["integrity"].startswith("sha512-"), name
        assert package.keys().isdisjoint({"link", "resolved", "inBundle"}), name


def test_licences_are_known_and_allowed() -> None:
    assert {package["license"] for package in npm_packages().values()} <= LICENCES


def test_no_install_script_runs_by_whomever_npm_is_called() -> None:
    assert "ignore-scripts=true" in (ROOT / ".npmrc").read_text().splitlines()
    assert {name for name, each in npm_packages().items() if "hasInstallScript" in each} == WITH_SCRIPTS


def test_what_the_tests_and_the_demo_use_is_pinned() -> None:
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["dependency-groups"]
    assert all(re.fullmatch(r"[\w.-]+==[\w.]+", each) for group in groups.values() for each in group)
    package = json.loads((ROOT / "package.json").read_text("utf-8"))
    wanted = package["dependencies"] | package["devDependencies"]
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in wanted.values())


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        ({"message": "405 Method Not Allowed"}, "405"),
        ({"vulnerabilities": {"a": {"severity": "high"}}}, "a: high"),
    ],
)
def test_an_audit_that_was_not_made_is_not_passed_either(
    monkeypatch: pytest.MonkeyPatch, told: dict[str, Any], reason: str
) -> None:
    skipped = {"dependencies": [{"name": "pydantic", "skip_reason": "not found"}]}
    monkeypatch.setattr(audit, "_json_of", lambda name, _: told if name == "npm audit" else skipped)
    said = audit.main()
    assert said is not None
    assert reason in said
    assert "PyPI tells nothing of pydantic" in said


def test_an_audit_that_finds_nothing_is_passed(monkeypatch: pytest.MonkeyPatch) -> None:
    clean = {"dependencies": [{"name": "pydantic", "version": "2", "vulns": []}], "vulnerabilities": {}}
    monkeypatch.setattr(audit, "_json_of", lambda *_: clean)
    assert audit.main() is None
