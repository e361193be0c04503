"""What a person or CI runs: `python3 -m nox -s demo`, `python3 -m nox -s tests`, or one part of the tests.

All sessions share one environment, `.nox/dev`, made on the first run and again when pyproject.toml changes.
"""

import hashlib
import os
import shutil
import sys
from pathlib import Path

import nox
from filelock import FileLock  # comes with nox, by virtualenv
from nox.command import CommandFailed

ROOT = Path(__file__).parent
DEV = ROOT / ".nox" / "dev"
PYTHON = str(DEV / "bin" / "python")
OF_WHEEL = ROOT / ".nox" / "e2e"
CACHE_OF_WHEEL = ROOT / "build" / "installed"
DIST = ROOT / "dist"
NODE_MODULES = ROOT / "node_modules" / ".bin"
STOREFRONT = ROOT / "static" / "storefront"

nox.options.sessions = ["tests"]
# A virtualenv for each session would install the same things many times over.
nox.options.default_venv_backend = "none"


@nox.session
def demo(session: nox.Session) -> None:
    """Serve the storefront and print its URL; more arguments go to `webtools serve`."""
    prepare(session)
    bundle_react(session)
    run_python(session, "webtools", "serve", str(STOREFRONT), *session.posargs)


@nox.session
def tests(session: nox.Session) -> None:
    """Run all that CI runs: what is quick to fail first, pytest's summary last."""
    prepare(session)
    for part in (run_lint, run_types, run_js, run_docs, run_unit, run_e2e_of_wheel):
        part(session)


@nox.session
def wheel(session: nox.Session) -> None:
    """Build the sdist and the wheel into dist/, and check that a stranger can install and use them."""
    prepare(session)
    bundle_react(session)
    run_python(session, "e2e.chromium")
    run_python(session, "release", "--sdist", "--output", str(DIST))
    run_python(session, "release.checks", str(DIST))


@nox.session
def lint(session: nox.Session) -> None:
    """Check style: ruff and prettier."""
    prepare(session)
    run_lint(session)


@nox.session
def types(session: nox.Session) -> None:
    """Check types: mypy on Python, tsc on the JSDoc of the JavaScript."""
    prepare(session)
    run_types(session)


@nox.session
def js(session: nox.Session) -> None:
    """Run the JavaScript tests in Node."""
    prepare(session)
    run_js(session)


@nox.session
def docs(session: nox.Session) -> None:
    """Build the documentation's site into build/site, without the network; a warning is an error."""
    prepare(session)
    run_docs(session)


@nox.session
def unit(session: nox.Session) -> None:
    """Run the tests that need no browser, with coverage; more arguments go to pytest."""
    prepare(session)
    run_unit(session)


@nox.session
def e2e(session: nox.Session) -> None:
    """Run the tests in Chromium, of the checkout; more arguments go to pytest."""
    prepare(session)
    run_e2e(session)


@nox.session
def e2e_firefox(session: nox.Session) -> None:
    """Smoke in Firefox: the polyfill's table, the storefront; firefox-esr, or what WEBTOOLS_FIREFOX names."""
    prepare(session)
    bundle_react(session)
    firefox = os.environ.get("WEBTOOLS_FIREFOX") or shutil.which("firefox-esr")
    if not firefox:
        session.error("Firefox is missing: install firefox-esr (Debian), or name one in WEBTOOLS_FIREFOX")
    env = {"WEBTOOLS_FIREFOX": firefox, "WEBTOOLS_PYTHON": PYTHON}
    session.run("node", "--test", str(ROOT / "e2e" / "firefox" / "firefox.test.mjs"), env=env)


@nox.session
def bench(session: nox.Session) -> None:
    """Measure, and print the figures; more arguments go to `python -m bench`."""
    prepare(session)
    run_python(session, "e2e.chromium")
    run_python(session, "bench", *session.posargs)


@nox.session
def audit(session: nox.Session) -> None:
    """List what comes from others, and ask the registries' advisories about it; not in CI."""
    prepare(session)
    run_python(session, "pip", "install", "--quiet", *group_of("audit"))
    run_python(session, "tests.audit")


@nox.session
def fuzz(session: nox.Session) -> None:
    """Throw 100,000 made-up names, inputs, results and messages at all that reads them; not in CI."""
    prepare(session)
    run_python(session, "pytest", "tests/fuzz", "-n", "2", "--hypothesis-profile=fuzz", *session.posargs)
    run_python(session, "e2e.chromium")
    env = {"WEBTOOLS_FUZZ_CALLS": os.environ.get("WEBTOOLS_FUZZ_CALLS", "25000")}  # native, and polyfill
    session.run(PYTHON, "-m", "pytest", "e2e/test_calls.py", "-k", "whatever_is_called", env=env)


def run_lint(session: nox.Session) -> None:
    """Check style."""
    run_python(session, "ruff", "check")
    run_python(session, "ruff", "format", "--check")
    run_npm(session, "prettier", "--check", "--log-level=warn", ".")


def run_types(session: nox.Session) -> None:
    """Check types."""
    run_python(session, "mypy")
    run_npm(session, "tsc", "--project", str(ROOT))


def run_js(session: nox.Session) -> None:
    """Run the JavaScript tests, each file named, because Node's versions differ on folders."""
    files = sorted(map(str, (ROOT / "tests" / "js").rglob("*.test.mjs")))
    if not files:
        session.error("tests/js has no *.test.mjs, so nothing would be tested")
    session.run("node", "--test", *files)


def run_docs(session: nox.Session) -> None:
    """Build the documentation's site, always from nothing, and look for links that lead nowhere."""
    run_python(session, "docs.making", str(ROOT / "build" / "site"))


def run_unit(session: nox.Session) -> None:
    """Run the tests that need no browser."""
    run_python(session, "pytest", "tests", "--cov", "-n", "2", "--dist", "worksteal", *session.posargs)


def run_e2e(session: nox.Session, python: str = PYTHON, *options: str, **env: str) -> None:
    """Run the tests in Chromium."""
    bundle_react(session)
    run_python(session, "e2e.chromium")
    # Two at a time; a file's tests share booted pages. The order of files is e2e/conftest.py's.
    options = ("-n", "2", "--dist", "loadfile", "--no-loadscope-reorder", *options, *session.posargs)
    session.run(python, "-m", "pytest", "e2e", *options, env=env)


def run_e2e_of_wheel(session: nox.Session) -> None:
    """Run the tests in Chromium, of the wheel: what is installed is what strangers get."""
    bundle_react(session)
    run_python(session, "release", "--output", str(DIST))
    run_e2e(
        session,
        install_wheel(session),
        "--import-mode=append",
        PYTHONSAFEPATH="1",  # else `python -m`, as pytest's other modes, would import the checkout's webtools
        WEBTOOLS_TESTED="wheel",  # e2e/conftest.py looks whether it is
        WEBTOOLS_CACHE=str(CACHE_OF_WHEEL),
    )


def install_wheel(session: nox.Session) -> str:
    """Install the wheel beside the shared environment's packages, but for webtools; gives its Python."""
    for old in (OF_WHEEL, CACHE_OF_WHEEL):
        shutil.rmtree(old, ignore_errors=True)
    session.run(sys.executable, "-m", "virtualenv", "--quiet", str(OF_WHEEL))
    python = str(OF_WHEEL / "bin" / "python")
    session.run(python, "-m", "pip", "install", "--quiet", "--no-deps", *map(str, DIST.glob("*.whl")))
    shared, own = (site_packages(session, each) for each in (PYTHON, python))
    # The .pth files in the shared one, of which one names the checkout, are not read from here.
    Path(own, "shared.pth").write_text(f"{shared}\n")
    return python


def site_packages(session: nox.Session, python: str) -> str:
    """Where an environment has its packages."""
    script = "import sysconfig; print(sysconfig.get_path('purelib'))"
    return str(session.run(python, "-c", script, silent=True)).strip()


def prepare(session: nox.Session) -> None:
    """Make the environment that all sessions share, and fetch npm's packages; quick where nothing changed."""
    if sys.version_info < (3, 11):  # noqa: UP036 -- nox itself runs on older ones
        session.error("webtools needs Python 3.11 or newer; run nox with one: python3.11 -m nox")
    if not os.access(ROOT, os.W_OK):
        session.error(f"{ROOT} cannot be written to; give permission, or clone it to where you may write")
    stamp = DEV / "made-from"
    sources = [(ROOT / name).read_bytes() for name in ("pyproject.toml", "static/version.js")]
    wanted = hashlib.sha256(b"".join([*sources, sys.version.encode()])).hexdigest()
    DEV.parent.mkdir(exist_ok=True)
    with FileLock(DEV.parent / "dev.lock"):  # another nox may be making it
        if not stamp.is_file() or stamp.read_text() != wanted:
            make_environment(session)
            stamp.write_text(wanted)
    run_python(session, "webtools.cli.sources.npm")


def make_environment(session: nox.Session) -> None:
    """Make the shared environment anew."""
    shutil.rmtree(DEV, ignore_errors=True)
    try:
        # virtualenv comes with nox; Debian's own venv module may lack pip.
        session.run(sys.executable, "-m", "virtualenv", "--quiet", str(DEV))
        run_python(
            session, "pip", "install", "--quiet", "--editable", str(ROOT), *group_of("dev"), *group_of("docs")
        )
    except CommandFailed:
        session.error("pip could not install what the tests need; check the network, then run nox again")


def group_of(*names: str) -> tuple[str, ...]:
    """The requirements of some of pyproject.toml's groups."""
    return nox.project.dependency_groups(nox.project.load_toml(ROOT / "pyproject.toml"), *names)


def bundle_react(session: nox.Session) -> None:
    """Make React, which has no ES module build, into one module; always, since it takes a moment only."""
    run_npm(
        session,
        "esbuild",
        str(STOREFRONT / "react-entry.mjs"),
        "--bundle",
        "--format=esm",
        # The development build: StrictMode checks nothing in the other one.
        '--define:process.env.NODE_ENV="development"',
        "--log-level=warning",
        f"--outfile={STOREFRONT / 'vendor' / 'react.js'}",
    )


def run_python(session: nox.Session, module: str, *args: str) -> None:
    """Run a module in the shared environment."""
    session.run(PYTHON, "-m", module, *args)


def run_npm(session: nox.Session, command: str, *args: str) -> None:
    """Run a command of one of npm's packages."""
    session.run(str(NODE_MODULES / command), *args)
