"""The coach of a seat: what every move is worth, and what another's move told the seat of its own cards.

Only what this seat sees goes into the answers: the coach samples the cards that it cannot see.
"""

from __future__ import annotations

from collections.abc import Iterable

from kagiya import Agent, GameSession, Judgement, Observation, judge
from kagiya.lab.review.card_chances import has_convention, what_it_told
from kagiya.lab.table.determinization import plausible_game
from kagiya.runtime.interrupts import StoppedError
from kagiya.runtime.jobs import SEARCH, STOPPED, Remembered, Task
from kagiya.search.search_options import sees_too_much
from kagiya.web.pages import Notifier, RefusedError
from kagiya.web.play.seat_drawing import Advice, Meaning, Telling
from kagiya.web.play.table_agents import AgentCatalog, AgentRunner

DEALS = 200
STEPS = 10  # in which progress is shown
USUAL = "smartbot"


class Coach:
    """All that one seat has asked."""

    def __init__(self, partners: AgentCatalog, runner: AgentRunner, changes: Notifier) -> None:
        self._partners, self._runner = partners, runner
        jobs, announce = runner.jobs, changes.announce
        self._judged: Remembered[tuple[int, int, str], Judgement] = Remembered(jobs, announce)  # by turn, branch, judge
        self._meanings: Remembered[tuple[int, int], tuple[Meaning, ...]] = Remembered(jobs, announce)  # turn, branch
        self._judges: dict[tuple[str, ...], tuple[str, ...]] = {}  # by who sits at the table

    def ask(self, view: Observation, branch: int, text: str, visitor: str) -> None:
        """Judge the turn of this view."""
        agent = self._judge(text)

        def work(task: Task[Judgement]) -> Judgement:
            def report(done: int, deals: int) -> None:
                if (share := done * STEPS // deals / STEPS) != task.progress:
                    task.report(share)

            self._runner.make_judge_ready(task, visitor, view.rules, agent)
            return judge(view, agent, DEALS, stop=task.stopped, progress=report)

        lane = self._runner.lane_of_judge(view.rules, agent)
        self._judged.ask((view.turn, branch, text), visitor, work, lane)

    def _judge(self, text: str) -> Agent:
        agent = self._partners.find(text)
        if sees_too_much(agent):
            raise RefusedError(f"{agent.text} {agent.info.mark}, which you cannot; choose another coach.")
        if agent.is_search or not agent.is_compiled:
            raise RefusedError(f"{agent.text} is too slow to judge every move; choose one that answers at once.")
        return agent

    def judges(self, seats: tuple[str, ...], players: int) -> tuple[str, ...]:
        """Who can be asked: the usual one, the partners at this table, then all others."""
        if seats not in self._judges:
            able = [offer.id for offer in self._partners.offers(players) if self._is_able(offer.id)]
            here = [seat for seat in seats if seat in able]
            self._judges[seats] = tuple(dict.fromkeys([*(USUAL,) * (USUAL in able), *here, *able]))
        return self._judges[seats]

    def _is_able(self, text: str) -> bool:
        try:
            self._judge(text)
        except RefusedError:
            return False
        return True

    def stop(self, turn: int, branch: int) -> None:
        """Think no more about a turn; what was found until then is shown."""
        self._judged.stop(lambda asked: asked[:2] == (turn, branch))

    def advice(self, turn: int, branch: int) -> tuple[Advice, ...]:
        """What was asked about a turn, the last question first."""
        return tuple(_advice(asked[2], task) for asked, task in self._judged.items() if asked[:2] == (turn, branch))

    def explain(self, after: Observation, branch: int, agent: str, visitor: str) -> None:
        """What the last move before this view, by this agent (empty: a person), told its seat."""
        partner = self._partners.find(agent) if agent else None
        judge = partner if partner is not None and has_convention(partner) else None  # needs what a judge needs

        def work(task: Task[tuple[Meaning, ...]]) -> tuple[Meaning, ...]:
            if judge is not None:
                self._runner.make_judge_ready(task, visitor, after.rules, judge)
            return meanings(after, partner)

        lane = SEARCH if judge is None else self._runner.lane_of_judge(after.rules, judge)
        self._meanings.ask((after.turn - 1, branch), visitor, work, lane)

    def tellings(self, turns: Iterable[int], branch: int) -> tuple[Telling, ...]:
        """What was asked about the moves of these turns."""
        tasks = ((turn, self._meanings.get((turn, branch))) for turn in turns)
        return tuple(
            Telling(turn, not task.is_over, str(task.error or ""), task.result or ())
            for turn, task in tasks
            if task is not None
        )


def _advice(text: str, task: Task[Judgement]) -> Advice:
    error = ""
    if task.has_no_result:
        is_stopped = task.state == STOPPED or isinstance(task.error, StoppedError)
        error = "Stopped before there was anything to say." if is_stopped else str(task.error)
    return Advice(text, task.progress, not task.is_over, error, task.result, task.words)


def meanings(after: Observation, partner: Agent | None) -> tuple[Meaning, ...]:
    """What the last move told this seat, by its words and by the convention of the agent that made it."""
    literal = Meaning("its words alone", what_it_told(after), "")
    if partner is None:
        return (literal,)
    words = heard(after, partner)
    told = what_it_told(after, agent=partner) if has_convention(partner) else None
    return (literal, Meaning(f"{partner.text}'s convention", told, words)) if told or words else (literal,)


def heard(after: Observation, partner: Agent) -> str:
    """What this agent would have heard in the last move, in this seat and by what it sees."""
    if partner.hooks.convention_reader is None:
        return ""
    game = plausible_game(after)
    move = game.undo()
    words = [each.words() for each in GameSession(game, partner).hear(move) if each.seat == after.seat]
    return words[0] if words else ""
