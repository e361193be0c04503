"""What is read of a page, and what is added to it."""

import pytest

from webtools.cli.authored.pages import read_page, with_manifests

NAMED = ' data-manifest="/shop.tools.json"'
PRELOADED = '<link rel="preload" as="fetch" crossorigin href="/shop.tools.json">'


def added(html: str, url: str = "/shop.tools.json") -> str:
    """Name a manifest for every app that is found."""
    content = html.encode()
    return with_manifests(
        content, [(tag, url) for tag in read_page(content).apps if not tag.has_manifest]
    ).decode()


@pytest.mark.parametrize(
    "html",
    [
        '{0}<script{1} type="module" src="/webtools/webtools.js" data-app="/shop.py"></script>',
        "{0}<SCRIPT{1} DATA-APP=/shop.py></SCRIPT>",
        "{0}<script{1}\n  data-app='/shop.py'\n></script>\n<p>é",
        "<!-- é --><p>\r\n\r\ntext é</p>\r\n  {0}<script{1} data-app=/shop.py>é</script>\r\n",
        "<script>'<script data-app=1>'</script>{0}<script{1} data-app=/shop.py></script>",
        "<title><script data-app=/no.py></title>{0}<script{1} data-app=/shop.py></script>",
        "<textarea><script data-app=/no.py></script></textarea>{0}<script{1} data-app='/shop.py'></script>",
        "<!-- <script data-app=/no.py></script> -->{0}<script{1} data-app=/shop.py></script>",
        "{0}<script{1} data-app=/a.py></script>{0}<script{1} data-app=/b.py></script>",
    ],
)
def test_a_manifest_is_named_and_all_else_stays_as_it_was(html: str) -> None:
    assert added(html.format("", "")) == html.format(PRELOADED, NAMED)


@pytest.mark.parametrize(
    "html",
    [
        '<script data-app="/shop.py" data-manifest="/mine.json"></script>',
        "<script data-app=/shop.py data-manifest></script>",
        '<script type="module" src="/webtools/webtools.js"></script>',
        '<div data-app="/shop.py"></div>',
        "",
        "<script data-app='/shop.py'",
    ],
)
def test_a_page_that_names_no_app_or_a_manifest_of_its_own_stays_as_it_was(html: str) -> None:
    assert added(html) == html


def test_a_page_says_where_and_what_its_apps_are() -> None:
    html = '<base href="/é/"><base href="/no/">\n<script data-app="/a&amp;b.py"></script>'
    page = read_page(html.encode())
    assert page.base == "/é/"
    assert [(tag.app, tag.line) for tag in page.apps] == [("/a&b.py", 2)]


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", "utf-8-sig"])
def test_a_page_of_any_such_encoding_keeps_its_bytes(encoding: str) -> None:
    html = "<p>é</p><script data-app=/shop.py></script>".encode(encoding)
    (tag,) = read_page(html).apps
    named = with_manifests(html, [(tag, "/é&.json")])
    for each in (PRELOADED, NAMED):
        named = named.replace(each.replace("/shop.tools.json", "/%C3%A9&amp;.json").encode(), b"", 1)
    assert named == html


def test_of_two_attributes_of_one_name_the_first_counts() -> None:
    (tag,) = read_page(b"<script data-app=/a.py data-app=/b.py></script>").apps
    assert tag.app == "/a.py"
