/** Silences of `EnvironmentStore` on PostgreSQL. */
import type { EnvironmentRef } from "@attestry/core/Environment"
import type { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import { Silence } from "@attestry/core/Silence"
import * as SqlClient from "@effect/sql/SqlClient"
import type * as Statement from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import * as TenantQueries from "../shared/TenantQueries.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"

/** Silences of `EnvironmentStore` on PostgreSQL. */
export const make: Effect.Effect<
  Pick<EnvironmentStore["Type"], "openSilence" | "closeSilence" | "setSilenceDue" | "listSilences">,
  never,
  SqlClient.SqlClient | TenantTransaction
> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* TenantQueries.make

  /** A buffered write of the environment's own row. */
  const later = (
    operation: string,
    { org, environment }: EnvironmentRef,
    columns: Statement.Fragment
  ) =>
    rows.write({
      operation,
      org,
      row: `environment ${environment}`,
      statement: sql`update environment set ${columns}
        where org_id = ${org} and environment_id = ${environment}`
    })

  return {
    openSilence: (ref, since) =>
      Effect.zipRight(
        rows.run({
          operation: "EnvironmentStore.openSilence",
          org: ref.org,
          // WHY the conflict: after a step of the clock backwards the same report can be missed again.
          statement: sql`insert into silence (org_id, environment_id, from_at)
            values (${ref.org}, ${ref.environment}, ${since})
            on conflict (org_id, environment_id, from_at) do update set to_at = null`
        }),
        later(
          "EnvironmentStore.openSilence",
          ref,
          sql`silent_since = ${since}, body_digest = null, rows_digest = null`
        )
      ),
    closeSilence: (ref, to_at) =>
      Effect.zipRight(
        rows.run({
          operation: "EnvironmentStore.closeSilence",
          org: ref.org,
          statement: sql`update silence set to_at = ${to_at}
            where org_id = ${ref.org} and environment_id = ${ref.environment} and to_at is null`
        }),
        later("EnvironmentStore.closeSilence", ref, sql`silent_since = null`)
      ),
    setSilenceDue: (ref, due) =>
      later("EnvironmentStore.setSilenceDue", ref, sql`silence_due_at = ${due}::int8`),
    listSilences: ({ org, environment }) =>
      rows.all(Silence, {
        operation: "EnvironmentStore.listSilences",
        org,
        statement: sql`select from_at, to_at from silence
          where org_id = ${org} and environment_id = ${environment} order by from_at`
      })
  }
})
