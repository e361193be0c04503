"""`nox -s audit`: what webtools is made of, and whether any of it is known to be vulnerable.

The second needs the advisories of PyPI and of npm's registry. Where they cannot be asked the audit has
failed: one that did not happen must not look like one that found nothing. What can be checked without is in
`tests/unit/test_supply.py`.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

from tests.supply import REQUIREMENTS, ROOT, npm_packages, requirements_in


class NotAudited(Exception):
    """The advisories could not be asked; the message says which and why."""


def made_of() -> Iterator[str]:
    """Give a line for each package that is not ours: its version, its licence where it is known, its hash."""
    for path in REQUIREMENTS:
        for name, (version, digest) in requirements_in(path).items():
            yield f"PyPI  {name} {version}  {digest}"
    for name, package in npm_packages().items():
        yield f"npm   {name} {package['version']}  {package['license']}  {package['integrity'][:24]}…"


def vulnerable_python() -> list[str]:
    """What is known of the page's wheels, and of all that is installed here.

    Raises:
        NotAudited: PyPI tells nothing.
    """
    site = next(path for path in sys.path if path.endswith("site-packages"))
    wheels = [part for path in REQUIREMENTS for part in ("--requirement", str(path))]
    found: list[str] = []
    for what in (["--no-deps", "--disable-pip", *wheels], ["--path", site, "--skip-editable"]):
        command = [sys.executable, "-m", "pip_audit", "--format=json", "--progress-spinner=off", *what]
        found += _known_to_pypi(_json_of("pip-audit", command)["dependencies"])
    return sorted(set(found))


def _known_to_pypi(packages: list[dict[str, Any]]) -> Iterator[str]:
    others = [each for each in packages if each["name"] != "webtools-host"]
    skipped = [each["name"] for each in others if "skip_reason" in each]
    if skipped:
        raise NotAudited(f"PyPI tells nothing of {', '.join(skipped)}")
    for each in others:
        yield from (f"{each['name']} {each['version']}: {flaw['id']}" for flaw in each["vulns"])


def vulnerable_npm() -> list[str]:
    """What is known of npm's packages.

    Raises:
        NotAudited: The registry tells nothing.
    """
    told = _json_of("npm audit", ["npm", "audit", "--json"])
    if "vulnerabilities" not in told:
        raise NotAudited(f"npm's registry tells nothing: {told.get('message') or told.get('error')}")
    return [f"{name}: {each['severity']}" for name, each in told["vulnerabilities"].items()]


def _json_of(name: str, command: list[str]) -> dict[str, Any]:
    done = subprocess.run(command, check=False, text=True, capture_output=True, cwd=ROOT)
    try:
        told: dict[str, Any] = json.loads(done.stdout)
    except ValueError as error:
        last = (done.stderr.strip() or f"exit code {done.returncode}").splitlines()[-1]
        raise NotAudited(f"{name} tells nothing: {last}") from error
    return told


def main() -> str | None:
    """Print what there is; gives why the audit is not passed, in one text."""
    sys.stdout.writelines(f"{line}\n" for line in made_of())
    problems: list[str] = []
    for audited in (vulnerable_python, vulnerable_npm):
        try:
            problems += audited()
        except NotAudited as error:
            problems.append(f"not audited: {error}; run this where the registries' advisories can be reached")
    return "\n".join(problems) or None


if __name__ == "__main__":
    sys.exit(main())
