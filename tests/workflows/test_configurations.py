"""Configurations of agents and runs as they are stored."""

import re

import pytest

from storage.errors import DamagedData, UnknownDocumentVersion
from workflows.configurations import (
    NO_CONFIGURATION,
    DrafterConfiguration,
    ProberConfiguration,
    load_configuration,
    settings_of,
    stored_configuration,
)


def test_configuration_is_read_as_it_was_stored_without_what_was_left_out() -> None:
    drafter = DrafterConfiguration(itemLimit=2)
    stored = stored_configuration(drafter)
    assert stored == {"schemaVersion": 1, "settings": {"itemLimit": 2}}
    assert load_configuration(DrafterConfiguration, stored) == drafter


def test_agent_of_another_kind_is_set_to_nothing() -> None:
    prober = ProberConfiguration(repeats=2)
    assert settings_of(ProberConfiguration, prober) is prober
    assert settings_of(DrafterConfiguration, prober) == DrafterConfiguration()
    assert settings_of(DrafterConfiguration, NO_CONFIGURATION) == DrafterConfiguration()


@pytest.mark.parametrize(
    ("stored", "said"),
    [
        (
            {"schemaVersion": 1, "settings": {"most": 1}},
            "DrafterConfiguration cannot be read: most: Extra inputs",
        ),
        (
            {"schemaVersion": 1, "settings": {"itemLimit": 99}},
            "DrafterConfiguration cannot be read: itemLimit: Input",
        ),
        (
            {"schemaVersion": 1, "itemLimit": 1},
            "ConfigurationDocument cannot be read: itemLimit: Extra inputs",
        ),
    ],
)
def test_setting_that_is_not_of_the_kind_is_named(stored: object, said: str) -> None:
    with pytest.raises(DamagedData, match=re.escape(said)):
        load_configuration(DrafterConfiguration, stored)


def test_configuration_of_another_schema_version_is_refused_by_name() -> None:
    words = "ConfigurationDocument was stored with schema version 2, and this program reads version 1"
    with pytest.raises(UnknownDocumentVersion, match=words):
        load_configuration(DrafterConfiguration, {"schemaVersion": 2, "settings": {}})
