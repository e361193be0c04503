"""Build the sdist and the wheel into a folder: `python -m release [--sdist] [-o dist]`."""

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

from release.stage import stage
from webtools.cli.programs.running import run_tool
from webtools.cli.sources.checkout import CHECKOUT, Checkout
from webtools.cli.terminal.problems import CommandProblem, report_to_stderr


def build(checkout: Path, target: Path, *, sdist: bool) -> list[Path]:
    """Give the files, which take the places of older ones: the wheel, and the sdist of which it is built.

    Args:
        checkout: Of what they are built.
        target: Where they go.
        sdist: Whether an sdist is wanted.

    Raises:
        CommandProblem: Something is missing and cannot be fetched or built.
    """
    with tempfile.TemporaryDirectory(prefix="webtools-release-") as scratch:
        tree, made = Path(scratch) / "tree", Path(scratch) / "made"
        stage(Checkout(checkout), tree, report_to_stderr)
        report_to_stderr("Packing …")
        if sdist:
            _hatch(tree, "sdist", made)
            (archive,) = made.glob("*.tar.gz")
            shutil.unpack_archive(archive, Path(scratch) / "unpacked", filter="data")
            (tree,) = (Path(scratch) / "unpacked").iterdir()
        _hatch(tree, "wheel", made)
        target.mkdir(parents=True, exist_ok=True)
        for old in target.glob("webtools_host-*"):
            old.unlink()
        return [Path(shutil.move(path, target / path.name)) for path in sorted(made.iterdir())]


def _hatch(tree: Path, what: str, target: Path) -> None:
    run_tool(
        [sys.executable, "-m", "hatchling", "build", "--target", what, "--directory", str(target)],
        folder=tree,
        name=f"Building the {what} with hatchling",
        mend="to see all of its output, run: python -m hatchling build",
    )


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m release")
    parser.add_argument("--sdist", action="store_true", help="build an sdist, too, and the wheel of it")
    parser.add_argument("-o", "--output", type=Path, default=CHECKOUT / "dist")
    options = parser.parse_args()
    try:
        for path in build(CHECKOUT, options.output, sdist=options.sdist):
            print(f"{path} ({path.stat().st_size / 1e6:.1f} MB)")
    except CommandProblem as problem:
        sys.exit(f"error: {problem}")


if __name__ == "__main__":
    main()
