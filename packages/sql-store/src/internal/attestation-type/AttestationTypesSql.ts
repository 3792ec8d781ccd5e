/** Attestation types of `AttestationStore` on PostgreSQL: one row for each type, its versions as one JSON value. */

import type { AttestationStore } from "@attestry/core/AttestationStore"
import { AttestationType } from "@attestry/core/AttestationType"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { forUpdate } from "../shared/ForUpdate.js"
import * as TenantQueries from "../shared/TenantQueries.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"

const COLUMNS = `org_id, name, description, archived, versions, created_by, created_at,
  last_modified_at`

/** Attestation types of `AttestationStore` on PostgreSQL. */
export const make: Effect.Effect<
  Pick<AttestationStore["Type"], "findType" | "listTypes" | "insertType" | "updateType">,
  never,
  SqlClient.SqlClient | TenantTransaction
> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* TenantQueries.make
  const columns = sql.literal(COLUMNS)

  return {
    findType: ({ org, name }, locking) =>
      rows.first(AttestationType, {
        operation: "AttestationStore.findType",
        org,
        statement: sql`select ${columns} from attestation_type
            where org_id = ${org} and name = ${name} ${forUpdate(sql, locking)}`
      }),
    listTypes: (org) =>
      rows.list(AttestationType, {
        operation: "AttestationStore.listTypes",
        from: "list",
        org,
        statement: sql`select ${columns} from attestation_type where org_id = ${org}
              order by name`
      }),
    insertType: (type) =>
      rows.wrote({
        operation: "AttestationStore.insertType",
        org: type.org_id,
        statement: sql`insert into attestation_type (org_id, name, description, archived,
                  versions, created_by, created_at, last_modified_at)
                values (${type.org_id}, ${type.name}, ${type.description}, ${type.archived},
                  ${JSON.stringify(type.versions)}::json, ${type.created_by}, ${type.created_at},
                  ${type.last_modified_at})
                on conflict (org_id, name) do nothing returning name`
      }),
    updateType: (type) =>
      rows.run({
        operation: "AttestationStore.updateType",
        org: type.org_id,
        statement: sql`update attestation_type set description = ${type.description},
                  archived = ${type.archived}, versions = ${JSON.stringify(type.versions)}::json,
                  last_modified_at = ${type.last_modified_at}
                where org_id = ${type.org_id} and name = ${type.name}`
      })
  }
})
