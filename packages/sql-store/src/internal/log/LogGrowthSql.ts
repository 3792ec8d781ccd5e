/** Writes the growth of a tree, in one transaction. */
import type { LogGrowth, LogTree } from "@attestry/core/Log"
import * as MerkleTree from "@attestry/transparency-log/MerkleTree"
import type { SqlClient } from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import * as LogRow from "./LogRow.js"

const leaves = (sql: SqlClient, { org_id, epoch }: LogTree, growth: LogGrowth): Fragment =>
  sql`insert into log_leaf (org_id, epoch, leaf_index, sequence, prev, hash, salt)
    select ${org_id}, ${epoch}, d.leaf_index, d.sequence, d.prev, decode(d.hash, 'hex'),
      decode(d.salt, 'hex')
    from json_to_recordset(${LogRow.leavesText(growth)}::json) as d (leaf_index int8,
      sequence int8, prev int8, hash text, salt text)`

const nodes = (sql: SqlClient, { org_id, epoch }: LogTree, growth: LogGrowth): Fragment =>
  sql`insert into log_node (org_id, epoch, level, node_index, hash)
    select ${org_id}, ${epoch}, d.level, d.node_index, decode(d.hash, 'hex')
    from json_to_recordset(${LogRow.nodesText(growth)}::json) as d (level int2,
      node_index int8, hash text)`

const place = (sql: SqlClient, { org_id, epoch }: LogTree, growth: LogGrowth): Fragment =>
  sql`update log_tree set size = ${growth.edge.size}, edge = ${MerkleTree.printEdge(growth.edge)},
      horizon = ${growth.horizon}, done = ${[...growth.done]}::int8[]
    where org_id = ${org_id} and epoch = ${epoch}`

/** The statements of the growth, each with the name of the row that it writes. */
export const statements = (
  sql: SqlClient,
  tree: LogTree,
  growth: LogGrowth
): ReadonlyArray<readonly [row: string, statement: Fragment]> => [
  ["log_leaf", leaves(sql, tree, growth)],
  ...(growth.nodes.length > 0 ? [["log_node", nodes(sql, tree, growth)] as const] : []),
  ["log_tree", place(sql, tree, growth)]
]
