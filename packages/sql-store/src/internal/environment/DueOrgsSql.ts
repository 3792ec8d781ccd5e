/** The orgs with a due environment on PostgreSQL, across all orgs. */
import type { DueOrgs } from "@attestry/core/EnvironmentStore"
import { OrgId } from "@attestry/core/Identifier"
import type { StoreError } from "@attestry/core/StoreError"
import type { SqlClient } from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SqlFailure from "../shared/SqlFailure.js"
import * as TenantQueries from "../shared/TenantQueries.js"

const DueRow = Schema.Struct({
  orgs: Schema.Array(Schema.Struct({ id: OrgId, lateMillis: Schema.Int })),
  next_in_millis: Schema.NullOr(Schema.Int)
})

/** `EnvironmentStore.listDueOrgs`. */
export const listDueOrgs = (sql: SqlClient): Effect.Effect<DueOrgs, StoreError> =>
  sql`select orgs, next_in_millis from due_orgs()`.pipe(
    Effect.flatMap(TenantQueries.decoderOf(DueRow)),
    Effect.map(([found]) => ({
      orgs: found?.orgs ?? [],
      nextInMillis: found?.next_in_millis ?? null
    })),
    SqlFailure.toStoreError("EnvironmentStore.listDueOrgs")
  )
