"""Proves on the server's own plan that a query stays in one namespace.

The invariant of the graph: each node of a namespace carries its label, and no relationship joins two namespaces. So a row is inside if one
node of each connected piece of it is. A plan makes rows in its leaves; each leaf must be inside by itself (a scan of the label, a count
of the label) or be followed by a filter on the label before anything else can see its rows. Followed up from the leaf, the variables that
are not yet known to be inside form *open* pieces; only steps that pass rows on, follow relationships or join are let through while a
piece is open, and only conditions that cannot fail (barriers.py). A filter on the label of one of its variables closes a piece.

Operators are on an allow-list, by name. Names and texts of a plan belong to a version of Neo4j: what is not known is refused.
Where a subquery has no place in the tree (inside CASE or a comprehension the planner hides it in the text of its expression), the text
is read with the guard's own parser and each of its patterns must ask for the label.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from graphmem.errors import CypherRefused
from graphmem.graph.guard.barriers import names_in_pattern
from graphmem.graph.guard.clauses import QueryParser
from graphmem.graph.guard.steps import CLOSED, EXPANDS, JOINS, NODE_SCANS, RELATIONSHIP_SCANS, REPEATS, STARTS
from graphmem.graph.guard.syntax import (
    Call,
    Case,
    Conjunct,
    Constant,
    Expression,
    HasLabels,
    Match,
    Node,
    Operation,
    PatternList,
    PatternTest,
    Projection,
    Query,
    Subquery,
    Variable,
    walk,
)
from graphmem.graph.guard.tokens import tokenise
from graphmem.graph.guard.totality import Totality

Piece = frozenset[str]
Open = frozenset[Piece]

_NOTHING: Open = frozenset()

_NAME = r"`?([A-Za-z_]\w*)`?"


def prove(plan: Mapping[str, Any], label: str, parameters: Mapping[str, Any]) -> None:
    """Raises CypherRefused where the plan does not show that every row is inside the namespace of this label."""
    if _Proof(label, parameters).rows(plan, _NOTHING):
        raise _unproven("the whole query")


class _Proof:
    def __init__(self, label: str, parameters: Mapping[str, Any]) -> None:
        self._label = label
        self._truth = Totality(None, parameters, subqueries=False).truth

    def rows(self, plan: Mapping[str, Any], given: Open) -> Open:
        """The open pieces of the rows that a step gives, when its Argument leaves are given rows with these."""
        name = str(plan["operatorType"]).partition("@")[0]
        details = str(plan.get("args", {}).get("Details", ""))
        children = list(plan.get("children", ()))
        self._hidden(details, name)
        if not children:
            return self._leaf(name, details, given)
        if name == "Filter":
            return self._filter(details, self.rows(children[0], given))
        if name in EXPANDS:
            return _followed(details, self.rows(children[0], given), optional=name.startswith("Optional"))
        if name == "CacheProperties":
            return self.rows(children[0], given)
        if name == "Apply":
            return self.rows(children[1], self.rows(children[0], given))
        if name in JOINS:
            return self.rows(children[0], given) | self.rows(children[1], given)
        if name == "Projection":
            pieces = self.rows(children[0], given)
            if not pieces or not {name for piece in pieces for name in piece} & _words(details):
                return pieces
            raise _unproven(f"the step {name}")
        if name in REPEATS or name in CLOSED:
            for child in children:
                if self.rows(child, given):
                    raise _unproven(f"the step {name}")
            return _NOTHING
        raise CypherRefused(
            f"the server would run this with the step {name}, which is not among those known; write the query more simply"
        )

    def _leaf(self, name: str, details: str, given: Open) -> Open:
        if name in STARTS or name in ("Unwind", "Projection", "ProduceResults"):
            return given
        if name in NODE_SCANS:
            found = re.match(rf"(?:UNIQUE |RANGE INDEX |TEXT INDEX |POINT INDEX )*{_NAME}:(\S+)", details)
            if found is None:
                raise _unproven(f"the step {name} ({details[:80]})")
            inside = "Index" not in name and self._label in found.group(2).split("&")
            return given if inside else given | {frozenset({found.group(1)})}
        if name in RELATIONSHIP_SCANS:
            return given | {frozenset(_pattern_names(details, name))}
        if name == "NodeCountFromCountStore":
            labels = re.match(r"count\( \(:(\w+)\)((?:, \(:\w+\))*) \) AS ", details)
            if labels is not None and set(re.findall(r"\(:(\w+)\)", labels.group())) == {self._label}:
                return given
        elif name == "RelationshipCountFromCountStore" and re.match(
            rf"count\( (?:\(:{self._label}\)-\[.*\]->\(\)|\(\)-\[.*\]->\(:{self._label}\)) \) AS ", details
        ):
            return given
        raise _unproven(f"the step {name} ({details[:80]})")

    def _filter(self, details: str, pieces: Open) -> Open:
        if not pieces:
            return pieces
        closed: set[str] = set()
        for condition in conditions(details):
            subject = self._confined(condition)
            if subject is not None:
                closed.add(subject)
            elif not self._truth(condition) and not self._behind_label(condition, pieces):
                raise CypherRefused(
                    "the server would try a condition on nodes before it asks for their namespace; "
                    "use plain comparisons, or a WITH before the WHERE"
                )
        return frozenset(piece for piece in pieces if not piece & closed)

    def _confined(self, condition: Expression) -> str | None:
        """The variable whose label a condition asks for."""
        if isinstance(condition, HasLabels) and isinstance(condition.base, Variable):
            labels = condition.labels
            plain = all(character not in labels.text for character in "|!%(")
            if plain and any(name == self._label for name, _ in labels.names):
                return condition.base.name
        return None

    def _confined_or_null(self, condition: Expression) -> str | None:
        """The same for ``n IS NULL OR n:Label`` as well."""
        if isinstance(condition, Operation) and condition.operator == "OR" and len(condition.operands) == 2:
            null, label = condition.operands
            name = self._confined(label)
            if (
                isinstance(null, Operation)
                and null.operator == "IS NULL"
                and null.operands == (Variable(null.operands[0].at, name or ""),)
            ):
                return name
        return self._confined(condition)

    def _behind_label(self, condition: Expression, pieces: Open) -> bool:
        """Whether it is CASE WHEN labels THEN … END that asks for one node of each open piece."""
        while isinstance(condition, Call) and condition.name == "coercetopredicate" and len(condition.arguments) == 1:
            condition = condition.arguments[0]
        if not isinstance(condition, Case) or condition.subject is not None or len(condition.branches) != 1:
            return False
        if condition.otherwise is not None and not isinstance(condition.otherwise, Constant):
            return False
        subjects = {self._confined_or_null(test) for test in flat(condition.branches[0][0])}
        return all(piece & subjects for piece in pieces)

    def _hidden(self, details: str, step: str) -> None:
        """Reads the subqueries that stand in the text of a step, as those inside CASE and comprehensions do.

        Each of their patterns must ask for the label on a node of each of its paths, or begin at a node from outside; and their conditions
        must be total or behind the label, for it is not shown in which order the server tries them.
        """
        try:
            tokens = tokenise(details, any_name=True)
        except CypherRefused as exc:
            raise _unproven(f"the step {step}") from exc
        position = 0
        while position < len(tokens) - 1:
            word, following = tokens[position].word, tokens[position + 1].text
            if following == "(" and ("DEGREE" in word or word.startswith("NESTED")):
                raise _unproven(f"the step {step}")
            if following != "{" or word not in ("EXISTS", "COUNT", "COLLECT"):
                position += 1
                continue
            parser = PlanParser(details, tokens)
            parser.position = position + 1
            try:
                query = parser.braced_query()
            except CypherRefused as exc:
                raise _unproven(f"a subquery inside an expression of the step {step}") from exc
            self._hidden_query(query)
            position = parser.position

    def _hidden_query(self, query: Query) -> None:
        for branch in query.branches:
            for clause in branch:
                if isinstance(clause, Match):
                    self._hidden_match(clause)
                elif not (isinstance(clause, Projection) and clause.kind == "RETURN") or any(
                    isinstance(part, Match | PatternTest | PatternList) for part in walk(clause)
                ):
                    raise _unproven(
                        "a subquery of several clauses inside an expression; put it into a CALL { } of its own, that"
                    )

    def _hidden_match(self, match: Match) -> None:
        parts = [condition for part in match.where for condition in flat(part.value)]
        confined = {self._confined(condition) for condition in parts}
        for path in match.paths:
            if not {element.variable for element in path.elements if isinstance(element, Node)} & confined:
                raise _unproven("a subquery inside an expression")
        pieces = frozenset(names_in_pattern(path) for path in match.paths)
        inline = [part.value for path in match.paths for part in walk(path) if isinstance(part, Conjunct)]
        failing = [
            part
            for part in parts
            if self._confined(part) is None and not self._truth(part) and not self._behind_label(part, pieces)
        ]
        if failing or not all(self._truth(condition) for condition in inline):
            raise _unproven(
                "a condition that may fail in a subquery inside an expression; put it into a CALL { } of its own, that"
            )
        for tree in walk(match):
            if isinstance(tree, Subquery):
                self._hidden_query(tree.query)
            elif isinstance(tree, PatternTest | PatternList):
                raise _unproven("a subquery inside an expression")


class PlanParser(QueryParser):
    """Reads the texts of plans, in which the planner's own names stand."""

    reserved: tuple[str, ...] = ()


def _words(details: str) -> set[str]:
    return {token.text for token in tokenise(details, any_name=True) if token.kind in ("name", "quoted")}


def conditions(details: str) -> list[Expression]:
    """The conditions of a Filter. Raises CypherRefused where its text cannot be read."""
    try:
        parser = PlanParser(details, tokenise(details, any_name=True))
        found = parser.expression()
    except CypherRefused as exc:
        raise _unproven(f"the condition {details[:120]!r}") from exc
    if parser.token.kind != "end":
        raise _unproven(f"the condition {details[:120]!r}")
    return list(flat(found))


def flat(tree: Expression) -> list[Expression]:
    """What AND joins, all levels."""
    if isinstance(tree, Operation) and tree.operator == "AND":
        return [part for operand in tree.operands for part in flat(operand)]
    return [tree]


def _followed(details: str, pieces: Open, optional: bool) -> Open:
    """Open pieces after relationships were followed: what is reached from an open piece belongs to it."""
    if not pieces:
        return pieces
    if optional:
        raise _unproven("OPTIONAL MATCH")
    names = _pattern_names(details, "Expand")
    touched = frozenset(piece for piece in pieces if piece & names)
    if not touched:
        return pieces
    joined: frozenset[str] = frozenset(names).union(*touched)
    return (pieces - touched) | {joined}


def _pattern_names(details: str, step: str) -> set[str]:
    found = re.match(rf"\({_NAME}\)<?-\[(?:{_NAME})?[^\]]*\]->?\({_NAME}\)\s*\Z", details)
    if found is None:
        raise _unproven(f"the step {step} ({details[:80]})")
    return {name for name in found.groups() if name is not None}


def _unproven(what: str) -> CypherRefused:
    return CypherRefused(
        f"it cannot be shown that {what} stays inside the namespace; "
        "begin with labelled nodes, as in MATCH (e:Entity), and write it more simply"
    )
