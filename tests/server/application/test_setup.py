"""`seenby init` as a newcomer or a script runs it, and the settings file that every command reads."""

import json
import stat
from pathlib import Path
from typing import Any

import pytest

from engines.settings import HOSTED
from tests.server.application.conftest import ServeProcess, Workspace

ZENTRIX = (
    *("init", "--company", "Zentrix AG", "--email", "owner@zentrix.example", "--brand", "Zentrix"),
    *("--website", "https://www.zentrix.example", "--industry", "saas", "--competitor", "Acme"),
)


def initialised(workspace: Workspace, *more: str, **variables: str) -> dict[str, Any]:
    done = workspace.seenby(*ZENTRIX, *more, "--json", **variables)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_init_creates_everything_and_repeating_it_changes_nothing(
    empty: Workspace,
) -> None:
    first = initialised(empty)
    assert (first["company"]["made"], first["brand"]["made"], first["brandFile"]["written"]) == (True,) * 3
    settings = Path(first["settings"])
    written = settings.read_bytes(), (empty.folder / "brands.json").read_bytes()
    assert stat.S_IMODE(settings.stat().st_mode) == 0o600
    again = initialised(empty)
    assert (again["company"]["made"], again["brand"]["made"], again["brandFile"]["written"]) == (False,) * 3
    assert again["company"]["id"] == first["company"]["id"]
    assert (settings.read_bytes(), (empty.folder / "brands.json").read_bytes()) == written

    shown = json.loads(empty.seenby("brand", "list", "--json").stdout)
    assert [brand["name"] for brand in shown] == ["Zentrix"]
    preview = empty.seenby("probe", "--brand", "Zentrix", "--platform", "local", "--preview")
    assert preview.returncode == 0, preview.stderr


def test_init_never_overwrites_what_was_changed_in_the_brand_or_its_file(empty: Workspace) -> None:
    initialised(empty)
    changed = empty.seenby("call", "update_brand_profile", "--brandId", "Zentrix", "--industry", "robots")
    assert changed.returncode == 0, changed.stderr
    file = empty.folder / "brands.json"
    file.write_text(file.read_text(encoding="utf-8").replace("saas", "changed by hand"), encoding="utf-8")
    initialised(empty)
    assert "changed by hand" in file.read_text(encoding="utf-8")
    assert json.loads(empty.seenby("brand", "list", "--json").stdout)[0]["industry"] == "robots"


def test_facts_of_a_brand_file_are_those_that_answers_are_held_against(empty: Workspace) -> None:
    initialised(empty)
    file = empty.folder / "brands.json"
    (brand,) = json.loads(file.read_text(encoding="utf-8"))
    facts = {
        "telephone": "+49 30 5550199",
        "address": "1 Example Street, Berlin",
        "openingHours": "Mon-Fri 9-18",
        "foundingYear": 1974,
        "prices": [{"name": "Oil change", "price": "49.95 EUR"}],
    }

    def imported(**more: Any) -> str:
        file.write_text(json.dumps([{**brand, **more}]), encoding="utf-8")
        return empty.seenby("brand", "import", str(file), "--company", "Zentrix AG").stderr

    def known() -> dict[str, Any]:
        return json.loads(empty.seenby("call", "get_brand_profile", "--brandId", "Zentrix", "--json").stdout)[
            "facts"
        ]

    imported(facts=facts)
    assert known() == facts
    imported()
    assert known() == facts, "a file without facts says nothing of them"
    assert "facts.founded" in imported(facts={"founded": 1974})
    assert "facts.foundingYear" in imported(facts={"foundingYear": "1974"})
    assert known() == facts
    imported(facts={"telephone": "+49 30 5550100"})
    assert known() == {**dict.fromkeys(facts), "telephone": "+49 30 5550100", "prices": []}


def test_init_without_a_terminal_names_everything_that_is_missing(
    empty: Workspace,
) -> None:
    done = empty.seenby("init", "--email", "nobody", "--engine", "chatgpt", "--engine", "oracle")
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "error: --company is missing",
        "error: --brand is missing",
        "error: --email must be an e-mail address",
        f"error: --engine must be one of {', '.join(('local', *HOSTED))}, not 'oracle'",
        "error: --engine chatgpt needs a key; set SEENBY_ENGINE_OPENAI_API_KEY in the environment and run this again",
    ]
    assert [path.name for path in empty.folder.rglob("*") if path.is_file()] == []


def test_a_key_given_to_init_is_kept_for_later_commands_and_never_printed(empty: Workspace) -> None:
    done = empty.seenby(*ZENTRIX, "--engine", "chatgpt", SEENBY_ENGINE_OPENAI_API_KEY="sk-of-a-test")
    assert done.returncode == 0, done.stderr
    assert "sk-of-a-test" not in done.stdout + done.stderr
    assert "seenby probe --brand Zentrix --platform chatgpt" in done.stdout
    doctor = json.loads(empty.seenby("doctor", "--json").stdout)
    assert doctor["engines"]["chatgpt"] is True


def test_init_for_https_starts_in_production_with_own_secrets(empty: Workspace, serve: ServeProcess) -> None:
    database = empty.folder / "data" / "seenby.db"
    # Where tests keep their folders is a temporary one, which production refuses; the check knows it by its first part.
    initialised(
        empty, "--base-url", "https://seenby.example", "--database", f"sqlite:////proc/self/root{database}"
    )
    settings = (empty.folder / "data" / "seenby.env").read_text(encoding="utf-8")
    names = [line.partition("=")[0] for line in settings.splitlines() if not line.startswith("#")]
    assert {"SEENBY_ENV", "SEENBY_SECRET_KEY", "SEENBY_RECEIPT_KEY", "SEENBY_OAUTH_SECRET"} <= set(names)
    assert len(names) == len(set(names))
    with serve(empty) as server:
        assert "https://seenby.example" in server.log.read_text(encoding="utf-8")


UNITS = sorted((Path(__file__).parents[3] / "deploy" / "systemd").glob("*.service"))


def test_init_writes_what_the_systemd_units_read(empty: Workspace) -> None:
    variables: dict[str, str] = {}
    for unit in UNITS:
        text = unit.read_text(encoding="utf-8").replace("/var/lib/seenby", str(empty.folder / "data"))
        assert "EnvironmentFile" not in text
        variables |= dict(
            line.split("=", 2)[1:] for line in text.splitlines() if line.startswith("Environment=")
        )
    unset = empty.seenby("doctor", **variables)
    assert unset.returncode == 1
    assert "seenby.env, which is not there; seenby init writes it" in unset.stderr
    url = f"sqlite:////proc/self/root{empty.folder / 'other.db'}"
    made = empty.seenby(*ZENTRIX, "--base-url", "https://seenby.example", "--json", SEENBY_DATABASE_URL=url)
    assert made.returncode == 0, made.stderr
    assert Path(json.loads(made.stdout)["settings"]) == Path(variables["SEENBY_SETTINGS"])
    companies = empty.seenby("company", "list", "--json", **variables)
    assert [company["name"] for company in json.loads(companies.stdout)] == ["Zentrix AG"], companies.stderr
    assert not (empty.folder / "data" / "seenby.db").exists()


def test_production_starts_with_no_secret_that_development_made(empty: Workspace) -> None:
    initialised(empty)
    started = empty.seenby("doctor", SEENBY_ENV="production", SEENBY_BASE_URL="https://seenby.example")
    assert started.returncode == 1
    for name in ("SECRET_KEY", "RECEIPT_KEY", "OAUTH_SECRET"):
        assert f"error: SEENBY_{name} is missing" in started.stderr


def test_keys_made_in_development_still_work_after_init_for_production(empty: Workspace) -> None:
    initialised(empty)
    key = json.loads(empty.seenby("keys", "create", "--description", "early", "--json").stdout)["key"]
    database = empty.folder / "data" / "seenby.db"
    url = f"sqlite:////proc/self/root{database}"
    initialised(empty, "--base-url", "https://seenby.example", "--database", url)
    kept = (empty.folder / "data" / "secret.key").read_text("ascii")
    assert f"SEENBY_SECRET_KEY={kept}\n" in (empty.folder / "data" / "seenby.env").read_text(encoding="utf-8")
    assert key.startswith("sk_live_")


def test_the_environment_wins_over_the_settings_file(empty: Workspace) -> None:
    settings = empty.folder / "own.env"
    settings.write_text("SEENBY_BASE_URL=http://127.0.0.1:9999\nSEENBY_LOG_FORMAT=json\n", encoding="utf-8")
    doctor = empty.seenby("doctor", "--json", SEENBY_SETTINGS=str(settings))
    assert json.loads(doctor.stdout)["baseUrl"] == "http://127.0.0.1:9999"
    other = empty.seenby(
        "doctor", "--json", SEENBY_SETTINGS=str(settings), SEENBY_BASE_URL="http://127.0.0.1:7777"
    )
    assert json.loads(other.stdout)["baseUrl"] == "http://127.0.0.1:7777"
    settings.write_text("SEENBY_DATABSE_URL=x\nPATH=/\nSEENBY_METRICS\n", encoding="utf-8")
    refused = empty.seenby("doctor", SEENBY_SETTINGS=str(settings))
    assert refused.returncode == 1
    assert refused.stderr.splitlines() == [
        f"error: {settings}: PATH is no setting of seenby",
        f"error: {settings}: SEENBY_DATABSE_URL is no setting of seenby; SEENBY_DATABASE_URL is one",
        f"error: {settings}: SEENBY_METRICS has no value; write SEENBY_METRICS=...",
    ]
    gone = empty.seenby("doctor", SEENBY_SETTINGS=str(empty.folder / "gone.env"))
    assert f"SEENBY_SETTINGS names {empty.folder / 'gone.env'}, which is not there" in gone.stderr


@pytest.mark.parametrize("name", ["Zen'trix", "Zentrix & Söhne", "100% Zentrix"])
def test_names_as_companies_have_them_survive_the_settings_file(empty: Workspace, name: str) -> None:
    done = empty.seenby(*ZENTRIX[:1], "--company", name, *ZENTRIX[3:], "--json")
    assert done.returncode == 0, done.stderr
    listed = empty.seenby("brand", "list", "--json")
    assert [brand["name"] for brand in json.loads(listed.stdout)] == ["Zentrix"], listed.stderr
