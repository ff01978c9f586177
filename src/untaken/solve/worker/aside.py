"""Hard questions go on in a process of their own, while the search does something else.

What gave up within its steps, over a branch that no run has taken or an assumption that no run has passed, is put
aside here, and asked once more with far more of them, one question after the other. An answer is an input that the
search runs between two of its attempts.

Where executions are counted, the same seed is to give the same tests, whoever is faster. So an answer is taken after a
certain amount of other work, counted, and waited for then; and only then the next question is sent. Campaigns by the
clock take answers as they come.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from threading import Lock

from untaken.execute.own_processor import go_anywhere
from untaken.model.effort import UNLIMITED
from untaken.model.expression import ExpressionTable
from untaken.solve.answers import DisagreementError, Sat, apply
from untaken.solve.graph import Graph
from untaken.solve.limits import QueryLimits
from untaken.solve.query import Query
from untaken.solve.statistics import Statistics
from untaken.solve.values.dependencies import InputRows
from untaken.solve.worker.remote import GRACE, SolverProcess, request_for
from untaken.solve.worker.wire import Reply, Request

LIMITS = QueryLimits(steps=80_000, seconds=20.0, largest=1_000_000)
WORK = 2_000.0  # in executions, while a question is answered: about as long as most of them take
MOST_TIMES = 3  # that a side is asked for, in one run or another
MOST_WAITING = 64
LONGEST = 1 << 14  # assertions of a question: to find out which of more belong together would hold up the search
NICENESS = 10  # others who need the processor come first


@dataclass(frozen=True, slots=True)
class HardQuestion:
    """Over which side of a branch, and what is asked of which generation of expressions; None: wanted, whichever."""

    side: int | None
    query: Query
    generation: int


@dataclass(frozen=True, slots=True)
class UnderWay:
    """A question that was sent: the old input, the answer that is to come, and the work done before."""

    hint: bytes
    reply: Future[Reply | None]
    work: float


class SolverAside:
    """Asks one hard question at a time. `is_open` says whether a side is still to be taken, and `waits` whether answers
    are taken after counted work, not as they come."""

    def __init__(
        self,
        backend: str,
        expressions: ExpressionTable,
        is_open: Callable[[int], bool],
        statistics: Statistics,
        *,
        waits: bool,
    ) -> None:
        self._backend = backend
        self._expressions = expressions
        self._is_open = is_open
        self._statistics = statistics
        self.waits = waits
        self._waiting: deque[HardQuestion] = deque()
        self._asked: Counter[int] = Counter()  # by side
        self._insisted: Counter[int] = Counter()  # by goal
        self._under_way: UnderWay | None = None
        self._process = ProcessOfThread(backend)
        self._thread: ThreadPoolExecutor | None = None
        self._see_expressions()

    def _see_expressions(self) -> None:
        self._generation = self._expressions.generation
        self._graph = Graph(self._expressions)
        self._rows = InputRows(self._graph, self._expressions)
        self._sent: set[int] = set()  # nodes that the process knows
        self._insisted.clear()  # goals have other numbers

    def put(self, side: int, query: Query) -> None:
        """A question that gave up; the goal is to take this side."""
        if self._is_open(side):
            self._put(HardQuestion(side, query, self._expressions.generation), self._asked, side)

    def insist(self, query: Query) -> None:
        """A question that gave up, and whose answer is wanted even if its side was taken elsewhere."""
        self._put(HardQuestion(None, query, self._expressions.generation), self._insisted, query.goal)

    def _put(self, question: HardQuestion, times: Counter[int], key: int) -> None:
        has_room = question.query.length <= LONGEST and len(self._waiting) < MOST_WAITING
        if has_room and times[key] < MOST_TIMES:
            times[key] += 1
            self._waiting.append(question)

    @property
    def is_idle(self) -> bool:
        """Whether nothing is asked, and nothing waits to be."""
        return self._under_way is None and not self._waiting

    def answers(self, work: float) -> list[bytes]:
        """Inputs that came of it; so much work was done in all, in executions."""
        found = self._taken(self._under_way, work) if self._under_way is not None else []
        while self._under_way is None and self._waiting:
            self._send(self._waiting.popleft(), work)
        return found

    def _taken(self, asked: UnderWay, work: float) -> list[bytes]:
        is_due = work - asked.work >= WORK if self.waits else asked.reply.done()
        if not is_due:
            return []
        reply = asked.reply.result()
        self._under_way = None
        if reply is None:
            self._begin_afresh()
        elif isinstance(reply.answer, DisagreementError):
            raise reply.answer
        if reply is None or not isinstance(reply.answer, Sat):
            return []
        self._statistics.answered_aside += 1
        return [apply(reply.answer.model, asked.hint)]

    def _send(self, question: HardQuestion, work: float) -> None:
        """Unless it is out of date, or too large for anybody."""
        if self._expressions.generation != self._generation:
            self._begin_afresh()
        is_wanted = question.side is None or self._is_open(question.side)
        if question.generation != self._generation or not is_wanted:
            return
        query = question.query.select(self._rows.connected(question.query.nodes))
        if self._graph.size(query.assertions) > LIMITS.largest:
            return
        self._statistics.aside += 1
        self._under_way = UnderWay(query.hint, self._submit(query), work)

    def _submit(self, query: Query) -> Future[Reply | None]:
        """In a thread, whose processes may be on any processor: not on that of the campaign."""
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, "untaken: aside", initializer=go_anywhere)
        request = request_for(self._graph, query, self._sent, UNLIMITED)
        return self._thread.submit(self._process.ask, request)

    def _begin_afresh(self) -> None:
        """With a process that knows nothing yet."""
        self._process.end()
        self._process = ProcessOfThread(self._backend)
        self._see_expressions()

    def close(self) -> None:
        """Ends the process; what is under way has no answer then."""
        self._process.end()
        if self._thread is not None:
            self._thread.shutdown(wait=False, cancel_futures=True)


class ProcessOfThread:
    """A solver's process that is started by the thread that asks it first, and ended by another."""

    def __init__(self, backend: str) -> None:
        self._backend = backend
        self._process: SolverProcess | None = None
        self._is_over = False
        self._lock = Lock()

    def ask(self, request: Request) -> Reply | None:
        """None: there is no answer in time, or it was ended."""
        with self._lock:
            if self._is_over:
                return None
            process = self._process or SolverProcess(self._backend, LIMITS, NICENESS)
            self._process = process
        return process.ask(request, LIMITS.seconds + GRACE)

    def end(self) -> None:
        with self._lock:
            self._is_over = True
            if self._process is not None:
                self._process.kill()
