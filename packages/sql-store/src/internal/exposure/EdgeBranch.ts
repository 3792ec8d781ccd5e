/** One direction of one type of edge, as a part of a statement over the nodes of a level. */

import {
  EdgeType,
  edgeTextOf,
  type FoundEdge,
  type FoundEdges,
  type NodeKey,
  NodeType,
  textOf
} from "@attestry/core/Graph"
import type { Reach } from "@attestry/core/ReadModels"
import { Timestamp } from "@attestry/core/Timestamp"
import type { SqlClient } from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import * as Schema from "effect/Schema"

/** How edges of a type are found at nodes of a type. */
export interface EdgeBranch {
  readonly type: EdgeType
  /** The type of the nodes of the level. */
  readonly node: NodeType
  /** Which end of the edge these nodes are. */
  readonly side: "from" | "to"
  /** The type of the nodes at the other end. */
  readonly other: NodeType
  /** Selects `other`, the key of that node, and `at`; the node of the level is `s.key`. */
  readonly rows: Fragment
  /** Whether the rows also have `since` and `until`. */
  readonly isTimed?: true
}

/** A row of such a statement. */
export const Row = Schema.Struct({
  type: EdgeType,
  node_type: NodeType,
  side: Schema.Literal("from", "to"),
  other_type: NodeType,
  node: Schema.String,
  other: Schema.String,
  at: Timestamp,
  since: Schema.NullOr(Timestamp),
  until: Schema.NullOr(Timestamp),
  degree: Schema.Int
})

const statementOf = (
  sql: SqlClient,
  { isTimed, node, other, rows, side, type }: EdgeBranch,
  at: { readonly keys: ReadonlyArray<string>; readonly limit: number }
): Fragment => {
  const times = isTimed === true ? "e.since, e.until" : "null::int8 as since, null::int8 as until"
  return sql`select ${type}::text as type, ${node}::text as node_type, ${side}::text as side,
      ${other}::text as other_type, s.key as node, e.other, e.at, ${sql.literal(times)}, e.degree
    from unnest(${[...at.keys]}::text[]) as s (key)
    cross join lateral (select f.*, count(*) over () as degree,
        row_number() over (order by f.at desc, f.other collate "C") as place
      from (${rows}) f) e
    where e.place <= ${at.limit}`
}

/** The statement of the branches that fit nodes of the level; undefined where none does. */
export const statement = (
  sql: SqlClient,
  branches: ReadonlyArray<EdgeBranch>,
  { level, limit }: Pick<Reach, "limit"> & { readonly level: ReadonlyArray<NodeKey> }
): Fragment | undefined => {
  const keysOf = (type: NodeType) =>
    level.filter((node) => node.type === type).map(({ key }) => key)
  return branches
    .map((branch) => ({ branch, keys: keysOf(branch.node) }))
    .filter(({ keys }) => keys.length > 0)
    .map(({ branch, keys }) => statementOf(sql, branch, { keys, limit }))
    .reduce<Fragment | undefined>(
      (all, one) => (all === undefined ? one : sql`${all} union all ${one}`),
      undefined
    )
}

const edgeOf = (row: typeof Row.Type): FoundEdge => {
  const node = { type: row.node_type, key: row.node }
  const other = { type: row.other_type, key: row.other }
  const [from, to] = row.side === "from" ? [node, other] : [other, node]
  return { type: row.type, from, to, at: row.at, since: row.since, until: row.until }
}

/** The edges of rows, each once, and how many edges of each type their nodes have. */
export const collect = (rows: ReadonlyArray<typeof Row.Type>): FoundEdges => {
  const counts = new Map<string, { readonly node: NodeKey; readonly row: typeof Row.Type }>()
  for (const row of rows) {
    const node = { type: row.node_type, key: row.node }
    counts.set(`${row.type} ${row.side} ${row.other_type} ${textOf(node)}`, { node, row })
  }
  const degrees = new Map<string, FoundEdges["degrees"][number]>()
  for (const { node, row } of counts.values()) {
    const at = `${row.type} ${textOf(node)}`
    const count = (degrees.get(at)?.count ?? 0) + row.degree
    degrees.set(at, { node, type: row.type, count })
  }
  const edges = rows.map(edgeOf)
  return {
    edges: [...new Map(edges.map((edge) => [edgeTextOf(edge), edge])).values()],
    degrees: [...degrees.values()]
  }
}
