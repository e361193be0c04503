"""`webtools bridge`; what it needs is imported when it is run, since no other command does."""

import importlib.metadata
from typing import Annotated

from cyclopts import Parameter, validators

from webtools.cli.terminal.problems import CommandProblem

__all__ = ["bridge"]

_NEEDED = {"mcp", "mcp_types", "playwright"}


def bridge(
    *pages: Annotated[str, Parameter(name="URL", required=True)],
    cdp: Annotated[str | None, Parameter(name="--cdp")] = None,
    http: Annotated[int | None, Parameter(validator=validators.Number(gte=0, lte=65535))] = None,
    headless: bool | None = None,
    allow: Annotated[list[str] | None, Parameter(negative="")] = None,
) -> None:
    """Open pages in Chromium, and offer their tools to MCP clients, on standard input and output.

    Args:
        pages: The pages; of several, a name=URL says what the names of its tools begin with.
        cdp: Take a browser that runs already, such as http://127.0.0.1:9222, started with
            --remote-debugging-port=9222.
        http: Serve on this port of 127.0.0.1 instead, at /mcp; 0 takes any free one.
        headless: Show no window; by default where there is no display.
        allow: One more origin whose tools are offered, when the page goes there; may be given more than once.
    """
    try:
        from webtools.cli.bridge.run import Options, run_bridge
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _NEEDED:
            raise
        raise CommandProblem(
            f"The bridge needs {error.name}, which is missing; run: python3 -m pip install mcp playwright"
        ) from None
    version = importlib.metadata.version("webtools-host")
    run_bridge(pages, Options(cdp=cdp, http=http, headless=headless, allow=allow or [], version=version))
