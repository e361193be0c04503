import pytest

from webtools.tools.docstrings import documentation

GOOGLE = """Find products.

    By their name.

    Args:
        query (str): Words: to look
            for.
        limit: How many.
        silent:

    Returns:
        The products.

    Raises:
        ToolError: Nothing was found.
    """

NUMPY = """Find products.

    By their name.

    Parameters
    ----------
    query : str
        Words: to look
        for.
    limit
        How many.

    Returns
    -------
    list
        The products.
    """

REST = """Find products.

    By their name.

    :param str query: Words: to look
        for.
    :param limit: How many.
    :returns: The products.
    """

EPYDOC = """Find products.

    By their name.

    @param query: Words: to look
        for.
    @param limit: How many.
    @return: The products.
    """


@pytest.mark.parametrize("docstring", [GOOGLE, NUMPY, REST, EPYDOC])
def test_every_style_gives_the_description_without_its_sections(docstring: str) -> None:
    assert documentation(docstring).description == "Find products.\n\nBy their name."


@pytest.mark.parametrize("docstring", [GOOGLE, NUMPY, REST, EPYDOC])
def test_every_style_gives_the_parameters_texts_in_one_line(docstring: str) -> None:
    assert documentation(docstring).parameters == {"query": "Words: to look for.", "limit": "How many."}


@pytest.mark.parametrize(
    "docstring",
    [
        "Find at 10:30: now.",
        "Find.\n\nNote:\n    Slow.",
        "Find.\n\n:meth:`other` does it better.",
        "Send a mail to\n@joe: now.",
        "Find.\n\nReturns the lines.\nYields nothing: ever.",
        "Find.\n\n- a: first\n- b: second",
        "Find.\n\nArgs:\n    a - no colon",
        ":param",
        "@",
        "Élan 👟",
    ],
)
def test_what_is_no_section_stays_in_the_description(docstring: str) -> None:
    assert documentation(docstring).description == docstring


@pytest.mark.parametrize("docstring", [None, "", "  \n  "])
def test_no_docstring_is_no_description(docstring: str | None) -> None:
    assert documentation(docstring).description == ""


def test_a_text_that_a_parser_stumbles_over_is_read_by_the_others() -> None:
    stumbles_numpydoc = ":    :param x:@param x:Returns:Parameters\n----------\n(int)"
    assert documentation(stumbles_numpydoc).description
