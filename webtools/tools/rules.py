"""What a browser accepts in a tool's definition, checked when the tool is defined."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from urllib.parse import quote, urlsplit

from webtools._exceptions import ToolDefinitionError

NAME_RULE = re.compile(r"[A-Za-z0-9_.-]{1,128}")
"""Source: https://webmachinelearning.github.io/webmcp/#dom-modelcontext-registertool"""

NO_ORIGIN = re.compile(r"[@*%\\\s]|:$")
"""What urlsplit takes for part of a host, and no origin has."""

NO_PATH = re.compile(r"[^!-~]|[\"<>`{}]")
"""What no ``location.pathname`` has, since browsers percent-encode it.

Source: https://url.spec.whatwg.org/#path-percent-encode-set
"""

NO_HASH = re.compile(r"[^!-~]|[\"<>`]")
"""The same for ``location.hash``. Source: https://url.spec.whatwg.org/#fragment-percent-encode-set"""

DOTS = re.compile(r"/(\.|%2e){1,2}(/|$)", re.IGNORECASE)
"""Segments that browsers resolve away. Source: https://url.spec.whatwg.org/#double-dot-path-segment"""

LOCAL_HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})
"""Hosts that count as potentially trustworthy without TLS.

Source: https://w3c.github.io/webappsec-secure-contexts/#is-origin-trustworthy
"""


def check_name(name: object, function: str) -> str:
    """Return the name, or say which rule it breaks; `function` is what it names, for the message."""
    if not isinstance(name, str) or not NAME_RULE.fullmatch(name):
        raise ToolDefinitionError(
            f"{function}: {name!r} cannot be a tool's name. A name has 1 to 128 of the characters "
            f'A-Z a-z 0-9 _ . -; give one with @tool(name="...").'
        )
    return name


def check_text(text: object, what: str, name: str, cure: str) -> str:
    """Return a text that is not blank, or raise an error that names the cure."""
    if not isinstance(text, str) or not text.strip():
        raise ToolDefinitionError(f"Tool {name!r} has no {what}. {cure}")
    return text.strip()


def check_flags(name: str, flags: dict[str, object]) -> None:
    """Refuse annotations that are not True or False, and those that contradict each other."""
    for flag, value in flags.items():
        check_flag(name, flag, value)
    if flags["read_only"] and flags["consequential"]:
        raise ToolDefinitionError(
            f"Tool {name!r} is both read_only and consequential. A tool that only reads has no "
            f"consequences: drop one of the two."
        )


def check_flag(name: str, flag: str, value: object) -> bool:
    """Return an option that is True or False, and nothing else."""
    if not isinstance(value, bool):
        raise ToolDefinitionError(f"Tool {name!r}: {flag}={value!r} must be True or False.")
    return value


def check_origins(name: str, origins: object) -> tuple[str, ...]:
    """Return the origins that may see the tool, each of them exact and trustworthy."""
    if isinstance(origins, str):
        _check_origin(name, origins)
    if isinstance(origins, str) or not isinstance(origins, Iterable):
        raise ToolDefinitionError(f"Tool {name!r}: exposed_to is a list of origins; write [{origins!r}].")
    return tuple(_check_origin(name, origin) for origin in origins)


def _check_origin(name: str, origin: object) -> str:
    if isinstance(origin, str) and _is_exact(origin):
        return origin
    raise ToolDefinitionError(
        f"Tool {name!r}: exposed_to names {origin!r}, which is not an exact https origin such as "
        f'"https://partner.example" (no path, never "*").'
    )


def _is_exact(origin: str) -> bool:
    try:
        parts = urlsplit(origin)
        host, _ = parts.hostname or "", parts.port  # reading a port that is none raises
    except ValueError:
        return False
    if not host or origin != f"{parts.scheme}://{parts.netloc}" or NO_ORIGIN.search(origin):
        return False
    local = host in LOCAL_HOSTS or host.endswith(".localhost")
    return parts.scheme == "https" or (parts.scheme == "http" and local)


def check_match(name: str, match: object, *, is_held: bool) -> tuple[str, ...]:
    """Return the patterns of the paths that the tool is bound to; none where it is bound to no path."""
    if match is None:
        return ()
    if is_held:
        raise ToolDefinitionError(
            f"Tool {name!r} has both match and held=True. With match the path decides when it is registered, "
            f"with held=True whoever holds it: drop one of the two."
        )
    given = (match,) if isinstance(match, str | bytes) else match
    patterns = tuple(given) if isinstance(given, Iterable) else ()
    if not patterns:
        raise ToolDefinitionError(
            f'Tool {name!r}: match={match!r} must be a pattern such as "/cart/*", or a list of patterns.'
        )
    return tuple(_check_pattern(name, each) for each in patterns)


def _check_pattern(name: str, pattern: object) -> str:
    if not isinstance(pattern, str) or not pattern.startswith(("/", "*", "#")):
        raise ToolDefinitionError(
            f"Tool {name!r}: match has {pattern!r}, and no path is like it. A pattern starts with "
            f'"/" or "*", or with "#" where it is for the hash, such as "/cart/*".'
        )
    is_hash = pattern.startswith("#")
    if not is_hash and ("\\" in pattern or DOTS.search(pattern)):
        raise ToolDefinitionError(
            f'Tool {name!r}: match has {pattern!r}, and no path is like it: browsers resolve "." and "..", '
            f'and write "/" for a backslash.'
        )
    if not is_hash and ("?" in pattern or "#" in pattern):
        raise ToolDefinitionError(
            f"Tool {name!r}: match has {pattern!r}, and a path ends before the query and the hash. "
            f'Drop what begins with "?" or "#"; a pattern for the hash starts with "#".'
        )
    escaped = (NO_HASH if is_hash else NO_PATH).sub(lambda found: quote(found[0], errors="replace"), pattern)
    if escaped != pattern:
        raise ToolDefinitionError(
            f"Tool {name!r}: match has {pattern!r}, and browsers percent-encode such a text. "
            f'Write {escaped!r}, or "*" for any text.'
        )
    return pattern


def check_timeout(name: str, option: str, seconds: object) -> float:
    """Return a deadline in seconds that is positive and finite."""
    number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
    if not number or not 0 < seconds <= sys.float_info.max:  # type: ignore[operator]  # number says that it is one
        raise ToolDefinitionError(
            f"Tool {name!r}: {option}={seconds!r} must be a positive number of seconds."
        )
    return float(seconds)  # type: ignore[arg-type]  # checked above


def check_idle_timeout(name: str, seconds: object, timeout: float) -> float | None:
    """Return a deadline that can pass before the call's own one, which is checked."""
    if seconds is None:
        return None
    idle = check_timeout(name, "idle_timeout", seconds)
    if idle > timeout:
        raise ToolDefinitionError(
            f"Tool {name!r}: idle_timeout={seconds!r} can never pass before timeout={timeout!r}, which is "
            f"for the whole call. Raise timeout, or drop idle_timeout."
        )
    return idle


def check_max_chars(name: str, max_chars: object) -> int:
    """Return a ceiling for the answer's text, in characters."""
    if not isinstance(max_chars, int) or isinstance(max_chars, bool) or max_chars < 1:
        raise ToolDefinitionError(f"Tool {name!r}: max_chars={max_chars!r} must be a positive whole number.")
    return max_chars
