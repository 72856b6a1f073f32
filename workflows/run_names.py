"""What a run is called by people: the title of its workflow, or the name of the agent or question set that it ran."""

from dataclasses import dataclass

from storage.repositories.runs.runs import Run
from storage.workspace import Workspace
from workflows.configurations import ProberConfiguration, load_configuration
from workflows.definitions import PROMPT_SET, WORKFLOWS


@dataclass(frozen=True, slots=True)
class RunName:
    """A name, and what it is the name of; `kind` is empty for a workflow of ours."""

    name: str
    kind: str = ""

    @property
    def words(self) -> str:
        """The subject of a sentence about the run."""
        return f"{self.kind} “{self.name}”" if self.kind else self.name


async def name_run(workspace: Workspace, run: Run) -> RunName:
    """Return what a run is called; words of what it did where its agent, workflow or set is gone."""
    ours = WORKFLOWS.get(run.workflow)
    if ours is not None:
        return RunName(ours.title)
    if run.instance_id is not None:
        agent = await workspace.agents.find(run.instance_id)
        return RunName(agent.name, "The agent") if agent else RunName("A run of an agent")
    if run.workflow == PROMPT_SET:
        set_id = load_configuration(ProberConfiguration, run.configuration).promptSetId
        asked = await workspace.prompt_sets.find(set_id) if set_id else None
        return RunName(asked.name, "The measurement of") if asked else RunName("A measurement")
    custom = await workspace.custom_workflows.find(run.workflow)
    if custom is not None:
        return RunName(str(custom.definition["name"]), "The workflow")
    words = run.workflow.replace("_", " ").replace("-", " ")
    return RunName(f"{words[:1].upper()}{words[1:]}")
