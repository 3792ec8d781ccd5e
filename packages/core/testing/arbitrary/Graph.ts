/** Edges of graphs over few nodes, so that paths meet. */
import type { EdgeType, FoundEdge, NodeKey, NodeType } from "@attestry/core/Graph"
import * as Timestamp from "@attestry/core/Timestamp"
import * as FastCheck from "effect/FastCheck"

/** The types of the ends of each type of edge. */
const ENDS: ReadonlyArray<readonly [EdgeType, NodeType, NodeType]> = [
  ["recorded_in", "artifact", "trail"],
  ["of", "trail", "flow"],
  ["builds", "trail", "commit"],
  ["about", "attestation", "artifact"],
  ["about", "attestation", "trail"],
  ["overrides", "attestation", "attestation"],
  ["ran_in", "artifact", "environment"],
  ["judged_by", "environment", "policy"],
  ["asks_about", "policy", "control"],
  ["decides", "attestation", "control"],
  ["replaced", "artifact", "artifact"]
]

/** How many nodes of a type there are. */
const KEYS = 6

const key = FastCheck.integer({ min: 1, max: KEYS }).map(String)

/** A node. */
export const node: FastCheck.Arbitrary<NodeKey> = FastCheck.record({
  type: FastCheck.constantFrom<NodeType>(
    ...(["artifact", "trail", "commit", "environment", "control"] as const)
  ),
  key
})

const edge: FastCheck.Arbitrary<FoundEdge> = FastCheck.record({
  of: FastCheck.constantFrom(...ENDS),
  from: key,
  to: key,
  at: FastCheck.integer({ min: 0, max: 9 })
})
  .filter(({ from, of, to }) => of[1] !== of[2] || from !== to)
  .map(({ at, from, of: [type, fromType, toType], to }) => ({
    type,
    from: { type: fromType, key: from },
    to: { type: toType, key: to },
    at: Timestamp.fromMicros(at),
    since: null,
    until: null
  }))

/** Edges of which no two have the same type and ends. */
export const edges: FastCheck.Arbitrary<ReadonlyArray<FoundEdge>> = FastCheck.uniqueArray(edge, {
  maxLength: 60,
  selector: ({ from, to, type }) => `${type} ${from.type}:${from.key} ${to.type}:${to.key}`
})
