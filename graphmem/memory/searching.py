"""The methods that search: turns, events, all kinds at once, word for word, and blocks of text for a prompt."""

from __future__ import annotations

from graphmem import search
from graphmem.memory.arguments import number, text_or_none
from graphmem.memory.arguments import text as checked
from graphmem.memory.connection import Opened
from graphmem.moments import Moment
from graphmem.search import Context, EventHit, EventMatches, Everything, Hits, Profile, TurnMatches


class Searching(Opened):
    """Searching."""

    async def search_turns(
        self,
        query: str,
        limit: int = 10,
        *,
        namespace: str | None = None,
        since: Moment = None,
        until: Moment = None,
        speaker: str | None = None,
        session: str | None = None,
        said_by: Moment = None,
        asked_at: Moment = None,
    ) -> Hits:
        """The turns that bear on a question, best first; only those said in ``[since, until)``, by this speaker, in this session.

        ``said_by``: only what had been said by then. ``asked_at`` is when it is asked, from which "last month" in it is counted; without
        it such words count for no time, and dates still do. The list also says who put it in order (``reranked_by``) and, where a
        reranker failed, why (``rerank_problem``).
        """
        return await search.search_turns(
            self.graph,
            self.embedder,
            checked(query, "query"),
            namespace=self._namespace(namespace),
            limit=number(limit, "limit"),
            since=self._moment(since, "since"),
            until=self._moment(until, "until"),
            speaker=text_or_none(speaker, "speaker"),
            session=text_or_none(session, "session"),
            said_by=self._moment(said_by, "said_by"),
            asked_at=self._moment(asked_at, "asked_at"),
            settings=self.weights,
            reranker=self.reranker,
        )

    async def search_events(
        self,
        query: str,
        limit: int = 10,
        *,
        namespace: str | None = None,
        since: Moment = None,
        until: Moment = None,
    ) -> list[EventHit]:
        """The events that bear on a question, best first; only those that overlap ``[since, until)`` in the world."""
        return await search.search_events(
            self.graph,
            self.embedder,
            checked(query, "query"),
            namespace=self._namespace(namespace),
            limit=number(limit, "limit"),
            since=self._moment(since, "since"),
            until=self._moment(until, "until"),
        )

    async def search(
        self,
        query: str,
        limit: int = 10,
        *,
        namespace: str | None = None,
        since: Moment = None,
        until: Moment = None,
        asked_at: Moment = None,
    ) -> Everything:
        """Entities, properties, events with their evidence, and turns that bear on a question, each kind best first.

        ``asked_at`` as in ``search_turns``.
        """
        return await search.search_everything(
            self.graph,
            self.embedder,
            checked(query, "query"),
            namespace=self._namespace(namespace),
            limit=number(limit, "limit"),
            since=self._moment(since, "since"),
            until=self._moment(until, "until"),
            asked_at=self._moment(asked_at, "asked_at"),
            settings=self.weights,
            reranker=self.reranker,
        )

    async def grep_turns(
        self,
        text: str,
        limit: int = 50,
        *,
        regular: bool = False,
        case: bool = False,
        namespace: str | None = None,
        since: Moment = None,
        until: Moment = None,
        speaker: str | None = None,
    ) -> TurnMatches:
        """The turns that hold these very words, or match a regular expression; oldest first. ``case``: upper and lower case differ.

        Raises QuestionError for an expression that is malformed or could take without bound.
        """
        return await search.grep_turns(
            self.graph,
            checked(text, "text"),
            namespace=self._namespace(namespace),
            regular=regular,
            case=case,
            limit=number(limit, "limit"),
            since=self._moment(since, "since"),
            until=self._moment(until, "until"),
            speaker=text_or_none(speaker, "speaker"),
        )

    async def grep_events(
        self,
        text: str,
        limit: int = 50,
        *,
        regular: bool = False,
        case: bool = False,
        namespace: str | None = None,
        since: Moment = None,
        until: Moment = None,
    ) -> EventMatches:
        """The events whose summary or quotation holds these very words, or matches a regular expression."""
        return await search.grep_events(
            self.graph,
            checked(text, "text"),
            namespace=self._namespace(namespace),
            regular=regular,
            case=case,
            limit=number(limit, "limit"),
            since=self._moment(since, "since"),
            until=self._moment(until, "until"),
        )

    async def context(
        self,
        query: str,
        budget: int = 1200,
        *,
        namespace: str | None = None,
        since: Moment = None,
        until: Moment = None,
        asked_at: Moment = None,
    ) -> Context:
        """A block of text for the prompt of an agent of your own: the turns that bear on a question, with their neighbours, by session.

        ``budget`` is in tokens; ``asked_at`` as in ``search_turns``. ``str`` of the result is the text alone.
        """
        return await search.build_context(
            self.graph,
            self.embedder,
            checked(query, "query"),
            namespace=self._namespace(namespace),
            budget=number(budget, "budget"),
            since=self._moment(since, "since"),
            until=self._moment(until, "until"),
            asked_at=self._moment(asked_at, "asked_at"),
            settings=self.weights,
            reranker=self.reranker,
        )

    async def profile(
        self, entity: str, budget: int = 1200, *, namespace: str | None = None, as_of: Moment = None
    ) -> Profile:
        """A block of text for a prompt about somebody or something: current facts with dates, what changed, recent events, quotations.

        ``str`` of the result is the text alone.
        """
        return await search.build_profile(
            self.graph,
            checked(entity, "entity"),
            namespace=self._namespace(namespace),
            budget=number(budget, "budget"),
            as_of=self._moment(as_of, "as_of"),
        )
