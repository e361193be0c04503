import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from tests.unit.cli.made_up import INFO, make_wheel
from webtools.cli.lockfile import lock_text
from webtools.cli.problems import CommandProblem


def lock(*wheels: Path) -> dict[str, Any]:
    packages: dict[str, Any] = json.loads(lock_text(INFO, wheels))["packages"]
    return packages


def test_pyodides_own_info_is_kept_as_it_is(tmp_path: Path) -> None:
    assert json.loads(lock_text(INFO, [make_wheel(tmp_path, "shop")]))["info"] == INFO


def test_a_wheel_is_listed_with_what_pyodide_needs_to_install_it(tmp_path: Path) -> None:
    wheel = make_wheel(
        tmp_path, "Shop_Tools", version="1.2", files=["shop/__init__.pyc", "helper.pyc", "more.py"]
    )
    assert lock(wheel) == {
        "shop-tools": {
            "name": "shop-tools",
            "version": "1.2",
            "file_name": "Shop_Tools-1.2-py3-none-any.whl",
            "install_dir": "site",
            "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(),
            "package_type": "package",
            "imports": ["helper", "more", "shop"],
            "depends": [],
            "unvendored_tests": False,
        }
    }


def test_dependencies_are_those_of_a_page(tmp_path: Path) -> None:
    needs = [
        "Typing_Extensions>=4",
        "uvicorn; sys_platform != 'emscripten'",
        "tomli; python_version < '3.11'",
        "rich; extra == 'cli'",
        "pytz; platform_system == 'Emscripten' and python_full_version >= '3.14.2'",
    ]
    wheels = [make_wheel(tmp_path, "shop", needs=needs)]
    wheels += [make_wheel(tmp_path, name) for name in ("typing_extensions", "pytz")]
    assert lock(*wheels)["shop"]["depends"] == ["pytz", "typing-extensions"]


def test_a_dependency_that_is_not_pinned_is_told_with_the_cure(tmp_path: Path) -> None:
    wheel = make_wheel(tmp_path, "shop", needs=["left-pad>=1"])
    with pytest.raises(
        CommandProblem, match=r"shop needs left-pad, .*; add its wheel, .*page-requirements\.txt"
    ):
        lock_text(INFO, [wheel])


def test_the_text_depends_on_the_wheels_alone(tmp_path: Path) -> None:
    one, two = make_wheel(tmp_path, "one"), make_wheel(tmp_path, "two")
    assert lock_text(INFO, [one, two]) == lock_text(INFO, [two, one])
