from pathlib import Path

from tests.unit.cli.made_up import make_wheel
from webtools.cli.wheels.importable import modules_in


def test_what_is_at_the_top_of_wheels_can_be_imported(tmp_path: Path) -> None:
    files = ["shop/__init__.py", "shop/cart.py", "one.py", "two.pyc", "_private/__init__.py", "a-b/c.txt"]
    wheels = [make_wheel(tmp_path, "shop", files=files), make_wheel(tmp_path, "cart")]
    assert modules_in(wheels) == ["cart", "one", "shop", "two"]
