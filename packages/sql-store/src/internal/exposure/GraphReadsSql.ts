/**
 * The graph of `ReadModels` on PostgreSQL: three statements for a level, each about several types of edges, and one for
 * all nodes.
 */

import type { FoundEdges, NodeKey } from "@attestry/core/Graph"
import type { OrgId } from "@attestry/core/Identifier"
import type { Reach, ReadModels } from "@attestry/core/ReadModels"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as TenantQueries from "../shared/TenantQueries.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"
import * as EdgeBranch from "./EdgeBranch.js"
import * as EvidenceEdges from "./EvidenceEdges.js"
import * as GraphNodesSql from "./GraphNodesSql.js"
import * as RuleEdges from "./RuleEdges.js"
import * as RunEdges from "./RunEdges.js"

/** The graph of `ReadModels` on PostgreSQL. */
export const make: Effect.Effect<
  Pick<ReadModels["Type"], "graphEdges" | "graphNodes">,
  never,
  SqlClient.SqlClient | TenantTransaction
> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* TenantQueries.make

  const edges = (org: OrgId, level: ReadonlyArray<NodeKey>, { limit, reach }: Reach) =>
    Effect.forEach(
      [EvidenceEdges.of(sql, org, reach), RunEdges.of(sql, org, reach), RuleEdges.of(sql, org)],
      (branches) => {
        const statement = EdgeBranch.statement(sql, branches, { level, limit })
        return statement === undefined
          ? Effect.succeed([])
          : rows.all(EdgeBranch.Row, {
              operation: "ReadModels.graphEdges",
              org,
              statement: sql`${statement}`
            })
      }
    ).pipe(Effect.map((found): FoundEdges => EdgeBranch.collect(found.flat())))

  return {
    graphEdges: edges,
    graphNodes: (org, nodes) => {
      const statement = GraphNodesSql.statement(sql, org, nodes)
      return statement === undefined
        ? Effect.succeed([])
        : Effect.map(
            rows.all(GraphNodesSql.Row, {
              operation: "ReadModels.graphNodes",
              org,
              statement: sql`${statement}`
            }),
            (found) => found.map(GraphNodesSql.toDescription)
          )
    }
  }
})
