from pathlib import Path
from zipfile import ZIP_STORED, ZipFile

import pytest

from tests.unit.cli.made_up import make_wheel
from webtools.cli.runtime.pack import write_pack
from webtools.cli.terminal.problems import CommandProblem


def test_a_pack_has_all_members_as_they_are(tmp_path: Path) -> None:
    wheels = [make_wheel(tmp_path, "shop", files=["shop/__init__.py", "shop/größe.txt"])]
    wheels += [make_wheel(tmp_path, "cart")]
    write_pack(wheels, tmp_path / "pack.zip")
    with ZipFile(tmp_path / "pack.zip") as pack:
        assert pack.testzip() is None
        assert {member.compress_type for member in pack.infolist()} == {ZIP_STORED}
        assert pack.namelist() == [
            *(
                "shop/__init__.py",
                "shop/größe.txt",
                "shop-1.0.dist-info/METADATA",
                "shop-1.0.dist-info/WHEEL",
            ),
            *("cart/__init__.py", "cart-1.0.dist-info/METADATA", "cart-1.0.dist-info/WHEEL"),
        ]
        assert pack.read("shop-1.0.dist-info/METADATA") == ZipFile(wheels[0]).read(
            "shop-1.0.dist-info/METADATA"
        )


def test_the_same_wheels_give_the_same_bytes(tmp_path: Path) -> None:
    first, second = tmp_path / "1.zip", tmp_path / "2.zip"
    write_pack([make_wheel(tmp_path / "a", "shop")], first)
    write_pack([make_wheel(tmp_path / "b", "shop")], second)
    assert first.read_bytes() == second.read_bytes()


def test_two_wheels_must_not_install_one_file(tmp_path: Path) -> None:
    wheels = [make_wheel(tmp_path, name, files=["util/__init__.py"]) for name in ("shop", "cart")]
    with pytest.raises(
        CommandProblem, match=r"^shop-1.* and cart-1.* both have util/__init__\.py; leave one"
    ):
        write_pack(wheels, tmp_path / "pack.zip")
