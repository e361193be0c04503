import json

from webtools.tools.definition import Definition

SCHEMA = {"type": "object", "properties": {}}


def test_the_text_of_a_plain_definition_has_three_keys() -> None:
    definition = Definition("find", "Find.", SCHEMA)
    assert json.loads(definition.text) == {"name": "find", "description": "Find.", "inputSchema": SCHEMA}


def test_the_text_has_the_names_of_the_browsers_interface() -> None:
    definition = Definition("find", "Find.", SCHEMA, "Finder", {"readOnlyHint": True}, ("https://a.example",))
    assert list(json.loads(definition.text)) == [
        "name",
        "description",
        "inputSchema",
        "title",
        "annotations",
        "exposedTo",
    ]


def test_the_text_can_be_sent_as_utf8() -> None:
    text = Definition("find", "靴 \ud800", SCHEMA).text
    assert "靴 \ufffd" in text
    text.encode("utf-8")


def test_definitions_of_the_same_text_are_equal() -> None:
    one, other = Definition("find", "Find.", dict(SCHEMA)), Definition("find", "Find.", SCHEMA)
    assert one == other
    assert hash(one) == hash(other)


def test_definitions_of_other_texts_differ() -> None:
    assert Definition("find", "Find.", SCHEMA) != Definition("find", "Search.", SCHEMA)
    assert Definition("find", "Find.", SCHEMA) != "find"
