"""Artifacts in a real page: what every backend must do, and what tools do with them.

What an agent meets is tested on both model contexts. The rest meets none, so it is tested once.
"""

from __future__ import annotations

import importlib.util
import struct
import zlib
from collections.abc import Callable, Iterator
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from e2e.agents import Agent, Answer, Mode, error_of, text_of
from e2e.conftest import PAGES, Watched
from e2e.sites import STRICT_CSP, serving, with_csp

Backend = Literal["memory", "indexeddb"]

CALL = "([name, input, options]) => webtools.call(name, input, options)"
DELETE = """() => new Promise((resolve, reject) => {
  const request = indexedDB.deleteDatabase("webtools.artifacts");
  request.onsuccess = () => resolve("deleted");
  request.onerror = request.onblocked = ({type}) => reject(new Error(type));
})"""

SPOIL = """(ref) => new Promise((resolve, reject) => {
  const request = indexedDB.open("webtools.artifacts");
  request.onsuccess = () => {
    const transaction = request.result.transaction("payloads", "readwrite");
    transaction.objectStore("payloads").put("tsomething else", ["t=_/p=_/c=_", ref]);
    transaction.oncomplete = () => resolve(request.result.close());
    transaction.onabort = reject;
  };
})"""


REFUSE = """() => {
  const real = IDBFactory.prototype.open;
  IDBFactory.prototype.open = () => { throw new DOMException("no", "SecurityError"); };
  window.mend = () => { IDBFactory.prototype.open = real; };
}"""


def requirements() -> list[str]:
    """The ids of the table, which is in the page's app."""
    spec = importlib.util.spec_from_file_location("artifacts_page", PAGES / "artifacts.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return list(module.REQUIREMENTS)


@pytest.fixture(params=["memory", "indexeddb"], scope="module")
def backend(request: pytest.FixtureRequest) -> Backend:
    chosen: Backend = request.param
    return chosen


def open_page(context: BrowserContext, url: str, backend: str) -> Watched:
    watched = Watched(context.new_page())
    watched.page.goto(f"{url}artifacts.html?artifacts={backend}")
    assert watched.ready() == "ready"
    return watched


@pytest.fixture(scope="module")
def browser(browsers: Callable[[Mode], Browser]) -> Browser:
    return browsers("polyfill")


@pytest.fixture(scope="module")
def opened(browser: Browser, backend: Backend, pages: str) -> Iterator[Watched]:
    """One page for the module's tests of a backend, since each boot takes seconds."""
    context = browser.new_context()
    watched = open_page(context, pages, backend)
    yield watched
    context.close()
    assert (watched.foreign, watched.uncaught) == ([], [])


@pytest.fixture(scope="module")
def agents_page(browsers: Callable[[Mode], Browser], mode: Mode, pages: str) -> Iterator[Watched]:
    """One page for the module's agents, whose artifacts are in IndexedDB; nothing may go wrong in it."""
    context = browsers(mode).new_context()
    watched = open_page(context, pages, "indexeddb")
    yield watched
    context.close()
    assert (watched.problems, watched.foreign, watched.uncaught) == ([], [], [])


@pytest.fixture
def agent(agents_page: Watched, mode: Mode) -> Agent:
    """An agent in front of the page."""
    return Agent(agents_page.page, mode)


@pytest.fixture(scope="module")
def open_tabs(browser: Browser, pages: str) -> Iterator[list[Watched]]:
    """Two tabs of one origin whose artifacts are in IndexedDB, for the module."""
    context = browser.new_context()
    tabs = [open_page(context, pages, "indexeddb") for _ in range(2)]
    yield tabs
    context.close()
    for watched in tabs:
        assert (watched.foreign, watched.uncaught) == ([], [])


@pytest.fixture
def tabs(open_tabs: list[Watched]) -> Iterator[list[Watched]]:
    """The two tabs, whose origin keeps nothing yet, and whose consoles stay empty."""
    assert open_tabs[0].page.evaluate(DELETE) == "deleted"
    yield open_tabs
    assert [watched.problems for watched in open_tabs] == [[], []]


@pytest.fixture
def stored(open_tabs: list[Watched]) -> Iterator[Watched]:
    """One of them, whose storage may fail, and works again at the end."""
    stored = open_tabs[0]
    assert stored.page.evaluate(DELETE) == "deleted"
    yield stored
    stored.page.evaluate("window.mend?.()")
    stored.problems.clear()


def call(page: Page, name: str, arguments: dict[str, Any] | None = None, **facts: Any) -> Answer:
    answer: Answer = page.evaluate(CALL, [name, arguments or {}, facts])
    return answer


def kept(page: Page, kind: str, text: str, **facts: Any) -> str:
    """Keep a text; gives its ref."""
    return text_of(call(page, "keep", {"kind": kind, "text": text}, **facts))


def refs_in(page: Page) -> list[str]:
    refs: list[str] = call(page, "read_all")["structuredContent"]["result"]
    return refs


def png(width: int, height: int) -> bytes:
    """A black picture."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = zlib.compress((b"\0" * (width + 1)) * height)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


# Every backend


@pytest.mark.parametrize("identifier", requirements())
def test_the_backend_does_what_is_required(opened: Watched, identifier: str) -> None:
    answer = call(opened.page, "require", {"identifier": identifier})
    assert "isError" not in answer, answer
    # one that warns is required to, and has looked at it itself
    assert opened.problems == [] or identifier.startswith("D")
    opened.problems.clear()


def test_what_one_tool_keeps_another_one_is_given_by_its_ref(agent: Agent) -> None:
    ref = text_of(agent.call("keep", {"kind": "note", "text": "three small words", "label": "größe"}))
    answer = agent.call("count_words", {"note": ref})
    assert answer["structuredContent"] == {"words": 3, "label": "größe"}


def test_a_wrong_ref_is_answered_with_the_live_ones(agent: Agent) -> None:
    ref = text_of(agent.call("keep", {"kind": "note", "text": "x"}))
    other = text_of(agent.call("keep", {"kind": "letter", "text": "x"}))
    error = error_of(agent.call("count_words", {"note": other}))
    assert (error["code"], error["effect"], error["retryable"]) == ("ARTIFACT_REFUSED", "none", False)
    assert error["details"]["arguments"] == {"note": "other_kind"}
    assert error["details"]["live"]["note"][0] == ref


def test_an_answer_that_is_too_long_is_kept_and_another_tool_works_on_it(agent: Agent) -> None:
    short = agent.call("export_rows", {"count": 3})
    assert short["structuredContent"] == {"result": [0, 1, 2]}
    placed = agent.call("export_rows", {"count": 1000})["structuredContent"]
    assert placed["artifact"]["kind"] == "rows"
    added = agent.call("add_up", {"rows": placed["artifact"]["ref"]})
    assert added["structuredContent"] == {"result": sum(range(1000))}


def test_a_caller_does_not_find_what_another_one_keeps(opened: Watched) -> None:
    ada = {"identity": {"conversationId": "talk", "tenant": "acme", "principal": "ada"}}
    ref = kept(opened.page, "note", "hers", **ada)
    assert text_of(call(opened.page, "read", {"ref": ref}, **ada)) == "hers"
    for other in (
        {},
        {"identity": {"conversationId": "talk"}},
        {"identity": {"conversationId": "talk", "tenant": "acme", "principal": "bob"}},
        {"identity": {"conversationId": "talk/p=ada", "tenant": "acme"}},
    ):
        assert text_of(call(opened.page, "read", {"ref": ref}, **other)) == "done"
    assert ref not in refs_in(opened.page)


def test_as_much_as_a_page_may_keep_goes_in_and_comes_out(
    opened: Watched,
) -> None:
    facts = {"identity": {"conversationId": "big"}}
    answer = call(opened.page, "keep_big", {"size": 32 * 1024 * 1024}, **facts)
    assert "isError" not in answer, answer
    call(opened.page, "forget", {"ref": answer["structuredContent"]["ref"]}, **facts)


def test_the_page_shows_a_picture_until_it_releases_it(opened: Watched) -> None:
    ref = text_of(call(opened.page, "keep_picture", {"octets": list(png(3, 2))}))
    shown = opened.page.evaluate("(ref) => show(ref)", ref)
    assert shown == {"size": [3, 2], "kind": "picture", "mediaType": "image/png", "label": "a dot"}
    kind, _, after = opened.page.evaluate("(ref) => look(ref)", ref)
    assert (kind, after) == ("image/png", "gone")
    opened.problems.clear()  # the browser's own word on the URL that is gone


def test_what_could_run_as_a_page_is_a_download(opened: Watched) -> None:
    octets = list(b"<script>alert(1)</script>")
    for media_type in ("text/html", "image/svg+xml", "application/xhtml+xml", "image/png;text/html"):
        ref = text_of(call(opened.page, "keep_picture", {"octets": octets, "media_type": media_type}))
        kind, text, _ = opened.page.evaluate("(ref) => look(ref)", ref)
        assert (kind, text) == ("application/octet-stream", bytes(octets).decode())
    opened.problems.clear()


def test_the_page_opens_nothing_that_is_not_its_own(opened: Watched) -> None:
    theirs = kept(opened.page, "note", "x", identity={"conversationId": "talk"})
    for ref in (theirs, "art_x", ""):
        assert opened.page.evaluate("(ref) => webtools.openArtifact(ref)", ref) is None


# What the page's author chooses


@pytest.fixture
def alone(browser: Browser) -> Iterator[Watched]:
    """A new page in a new profile."""
    context = browser.new_context()
    watched = Watched(context.new_page())
    yield watched
    context.close()
    assert (watched.foreign, watched.uncaught) == ([], [])


def test_where_artifacts_are_off_each_verb_says_how_to_attach_them(alone: Watched, pages: str) -> None:
    alone.page.goto(f"{pages}artifacts.html?artifacts=off")
    assert alone.ready() == "ready"
    assert call(alone.page, "has")["structuredContent"] == {"result": False}
    for name, arguments in (("keep", {"kind": "a", "text": "b"}), ("count_words", {"note": "art_x"})):
        error = error_of(call(alone.page, name, arguments))
        assert error["code"] == "ARTIFACT_REFUSED"
        assert 'data-artifacts="memory"' in error["message"]
    error = error_of(call(alone.page, "export_rows", {"count": 1000}))
    assert (error["code"], error["effect"]) == ("ANSWER_TOO_LONG", "done")
    assert "no artifact store is attached" in error["message"]
    said = alone.page.evaluate("webtools.openArtifact('art_x').catch((error) => error.message)")
    assert "no artifact store is attached" in said


def test_another_word_than_these_is_refused(alone: Watched, pages: str) -> None:
    alone.page.goto(f"{pages}artifacts.html?artifacts=disk")
    assert alone.ready() == 'data-artifacts="disk" must be memory, indexeddb or off.'


def test_under_a_strict_policy_a_picture_is_shown_where_img_src_has_blob(alone: Watched) -> None:
    policy = STRICT_CSP.replace("img-src 'self' data:", "img-src 'self' data: blob:")
    with serving(PAGES, with_csp(policy)) as url:
        alone.page.goto(f"{url}artifacts.html")
        assert alone.ready() == "ready"
        ref = text_of(call(alone.page, "keep_picture", {"octets": list(png(3, 2))}))
        assert alone.page.evaluate("(ref) => show(ref)", ref)["size"] == [3, 2]
        assert alone.problems == []


# IndexedDB


def test_artifacts_survive_a_reload_and_another_tab_has_them_too(tabs: list[Watched]) -> None:
    one, two = tabs
    ref = kept(one.page, "note", "größe \0")
    picture = text_of(call(one.page, "keep_picture", {"octets": list(range(256))}))
    assert text_of(call(two.page, "read", {"ref": ref})) == "größe \0"
    one.page.reload()
    assert one.ready() == "ready"
    assert refs_in(one.page) == [picture, ref]
    assert text_of(call(one.page, "read", {"ref": ref})) == "größe \0"
    assert text_of(call(one.page, "read", {"ref": picture})) != "done"
    call(two.page, "forget", {"ref": ref})
    assert text_of(call(one.page, "read", {"ref": ref})) == "done"


def test_what_two_tabs_put_at_the_same_time_is_all_kept(tabs: list[Watched]) -> None:
    begin = "([kind, count]) => void (window.putting = webtools.call('keep_many', {kind, count}))"
    for watched, kind in zip(tabs, "ab", strict=True):
        watched.page.evaluate(begin, [kind, 40])
    answers = [watched.page.evaluate("window.putting") for watched in tabs]
    made = [ref for answer in answers for ref in answer["structuredContent"]["result"]]
    for watched in tabs:
        assert sorted(refs_in(watched.page)) == sorted(made)
    assert len(set(made)) == 80


def test_a_tab_is_not_in_the_way_of_who_deletes_the_database_and_goes_on_after_it(
    tabs: list[Watched],
) -> None:
    one, two = tabs
    ref = kept(one.page, "note", "x")
    assert refs_in(two.page) == [ref]
    assert two.page.evaluate(DELETE) == "deleted"
    assert refs_in(one.page) == []
    again = kept(two.page, "note", "y")
    assert refs_in(one.page) == [again]


@pytest.mark.parametrize("nth", [1, 2])
@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("QuotaExceededError", "the browser has no room left for this page (QuotaExceededError)"),
        ("abort", "the browser has given the write up"),
        (
            "NotFoundError",
            'the database "webtools.artifacts" is not as webtools makes it; the page can delete it',
        ),
        ("UnknownError", "the browser's storage does not work (UnknownError)"),
    ],
)
def test_a_write_that_fails_leaves_nothing_half_written_and_says_why(
    stored: Watched, how: str, said: str, nth: int
) -> None:
    """The first write is the index's, the second one the payload's."""
    earlier = kept(stored.page, "note", "earlier")
    stored.page.evaluate("([how, nth]) => { window.mend = failWrites(how, nth); }", [how, nth])
    error = error_of(call(stored.page, "keep", {"kind": "note", "text": "x"}))
    assert error["code"] == "ARTIFACT_REFUSED"
    assert said in error["message"]
    stored.page.evaluate("window.mend()")
    assert refs_in(stored.page) == [earlier]
    assert text_of(call(stored.page, "read", {"ref": earlier})) == "earlier"
    later = kept(stored.page, "note", "later")
    assert refs_in(stored.page) == [later, earlier]
    assert stored.problems == []


def test_where_the_browser_has_no_room_an_answer_that_is_too_long_says_so(stored: Watched) -> None:
    stored.page.evaluate("() => { window.mend = failWrites('QuotaExceededError', 1); }")
    error = error_of(call(stored.page, "export_rows", {"count": 1000}))
    assert (error["code"], error["effect"]) == ("ANSWER_TOO_LONG", "done")
    assert "no room left" in error["message"]


def test_a_browser_that_refuses_its_storage_is_told_as_the_reason(stored: Watched) -> None:
    stored.page.evaluate(REFUSE)
    for _ in range(2):
        error = error_of(call(stored.page, "keep", {"kind": "note", "text": "x"}))
        assert "the browser lets this page store nothing (SecurityError)" in error["message"]


def test_a_damaged_artifact_is_none_and_the_console_says_so(stored: Watched) -> None:
    ref = kept(stored.page, "note", "x")
    stored.page.evaluate(SPOIL, ref)
    assert text_of(call(stored.page, "read", {"ref": ref})) == "done"
    error = error_of(call(stored.page, "count_words", {"note": ref}))
    assert error["details"]["arguments"] == {"note": "damaged"}
    assert ["has been damaged" in each for each in stored.problems] == [True, True]
