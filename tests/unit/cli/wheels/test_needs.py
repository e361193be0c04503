from pathlib import Path

import pytest

from tests.unit.cli.made_up import INFO, make_wheel
from webtools.cli.terminal.problems import CommandProblem
from webtools.cli.wheels.needs import check_needs


def test_only_what_a_page_needs_has_to_be_there(tmp_path: Path) -> None:
    needs = [
        "Typing_Extensions>=4",
        "uvicorn; sys_platform != 'emscripten'",
        "tomli; python_version < '3.11'",
        "rich; extra == 'cli'",
        "pytz; platform_system == 'Emscripten' and python_full_version >= '3.14.2'",
    ]
    wheels = [make_wheel(tmp_path, "shop", needs=needs)]
    wheels += [make_wheel(tmp_path, name) for name in ("typing_extensions", "pytz")]
    check_needs(INFO, wheels)
    for missing in ("typing-extensions", "pytz"):
        left = [wheel for wheel in wheels if not wheel.name.startswith(missing.replace("-", "_"))]
        with pytest.raises(CommandProblem, match=f"shop needs {missing}, "):
            check_needs(INFO, left)


def test_what_is_missing_is_told_with_the_cure(tmp_path: Path) -> None:
    wheel = make_wheel(tmp_path, "shop", needs=["left-pad>=1"])
    with pytest.raises(
        CommandProblem, match=r"shop needs left-pad, .*; add its wheel, .*page-requirements\.txt"
    ):
        check_needs(INFO, [wheel])
