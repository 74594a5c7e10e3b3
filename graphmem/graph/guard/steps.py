"""The steps of plans that are let through, by their names in Neo4j 2026.08: what reads, and of which it is known how rows pass it.

Not among them, so that a plan with one is refused: scans of all nodes, look-ups by internal id, calls of procedures, everything that
writes, loads files, opens transactions or shows settings; and what a later version may add.
"""

from __future__ import annotations

NODE_SCANS = frozenset(
    {
        "NodeByLabelScan",
        "IntersectionNodeByLabelsScan",
        "SubtractionNodeByLabelsScan",
        "UnionNodeByLabelsScan",
        "NodeIndexSeek",
        "NodeIndexSeekByRange",
        "NodeUniqueIndexSeek",
        "NodeUniqueIndexSeekByRange",
        "NodeIndexScan",
        "NodeIndexContainsScan",
        "NodeIndexEndsWithScan",
    }
)
RELATIONSHIP_SCANS = frozenset(
    {
        "DirectedRelationshipTypeScan",
        "UndirectedRelationshipTypeScan",
        "DirectedUnionRelationshipTypesScan",
        "UndirectedUnionRelationshipTypesScan",
        "DirectedAllRelationshipsScan",
        "UndirectedAllRelationshipsScan",
    }
)
# These begin with the rows they are given (or one empty row).
STARTS = frozenset({"Argument", "EmptyRow"})
EXPANDS = frozenset(
    {
        "Expand(All)",
        "Expand(Into)",
        "VarLengthExpand(All)",
        "VarLengthExpand(Into)",
        "VarLengthExpand(Pruning)",
        "VarLengthExpand(Pruning,All)",
        "VarLengthExpand(Pruning,BFS,All)",
        "VarLengthExpand(Pruning,BFS,Into)",
        "OptionalExpand(All)",
        "OptionalExpand(Into)",
    }
)
JOINS = frozenset({"CartesianProduct", "NodeHashJoin", "ValueHashJoin"})
CLOSED = frozenset(
    {
        "ProduceResults",
        "EagerAggregation",
        "OrderedAggregation",
        "Distinct",
        "OrderedDistinct",
        "Sort",
        "PartialSort",
        "Top",
        "PartialTop",
        "Limit",
        "ExhaustiveLimit",
        "Skip",
        "Unwind",
        "Optional",
        "Eager",
        "Union",
        "OrderedUnion",
        "RollUpApply",
        "SemiApply",
        "AntiSemiApply",
        "LetSemiApply",
        "LetAntiSemiApply",
        "SelectOrSemiApply",
        "SelectOrAntiSemiApply",
        "LetSelectOrSemiApply",
        "LetSelectOrAntiSemiApply",
        "AssertSameNode",
        "ProjectEndpoints",
        "Anti",
        "LeftOuterHashJoin",
        "RightOuterHashJoin",
        "ShortestPath",
        "StatefulShortestPath(All, Trail)",
        "StatefulShortestPath(Into, Trail)",
        "StatefulShortestPath(All)",
        "StatefulShortestPath(Into)",
    }
)
REPEATS = frozenset({"Repeat(All, Trail)", "Repeat(Into, Trail)", "Repeat(Trail)"})
