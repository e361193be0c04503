"""The profiles against the table of platform facts, which says what changed with which version."""

import json

import pytest

from webtools.testing import PROFILES


def changed_at(option: str) -> list[str]:
    """The browsers whose option is another than the one's before them."""
    names = list(PROFILES)
    values = [dict(PROFILES[name])[option] for name in names]
    return [names[index] for index in range(1, len(names)) if values[index] != values[index - 1]]


@pytest.mark.parametrize(
    ("option", "version"),
    [
        ("cancelsCalls", "chrome-153"),
        ("postbackMs", "chrome-153"),
        ("signalArgument", "chrome-153"),
        ("schemaAsText", "chrome-154"),
        ("inputAsText", "chrome-155"),
    ],
)
def test_each_difference_ends_with_its_version(option: str, version: str) -> None:
    assert changed_at(option) == [version]


def test_the_profiles_are_data_that_a_page_can_be_given() -> None:
    assert json.loads(json.dumps(dict(PROFILES))) == dict(PROFILES)


def test_the_table_of_profiles_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        PROFILES["chrome-1"] = PROFILES["chrome-152"]  # type: ignore[index]  # that is the point
