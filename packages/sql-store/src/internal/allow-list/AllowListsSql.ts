/** Allow-lists of `EnvironmentStore` on PostgreSQL. */
import { AllowListEntry } from "@attestry/core/AllowListEntry"
import type { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import { EnvironmentName } from "@attestry/core/Identifier"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as LockedEnvironment from "../environment/LockedEnvironment.js"
import * as TenantQueries from "../shared/TenantQueries.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"

const NAMES = Object.keys(AllowListEntry.fields)

/** The columns of an entry, plain and of the table `a`. */
const COLUMNS = NAMES.join(", ")
const ALIASED = NAMES.map((name) => `a.${name}`).join(", ")

const NamedRow = Schema.Struct({ ...AllowListEntry.fields, environment: EnvironmentName })

/** Allow-lists of `EnvironmentStore` on PostgreSQL. */
export const make: Effect.Effect<
  Pick<
    EnvironmentStore["Type"],
    "listAllowed" | "listAllowedOfOrg" | "putAllowed" | "removeAllowed"
  >,
  never,
  SqlClient.SqlClient | TenantTransaction
> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* TenantQueries.make
  return {
    listAllowed: (ref) =>
      Effect.flatMap(LockedEnvironment.get(ref), (locked) =>
        rows.list(AllowListEntry, {
          operation: "EnvironmentStore.listAllowed",
          from: "list",
          org: ref.org,
          statement:
            locked === undefined
              ? sql`select ${sql.literal(COLUMNS)} from allow_list
                    where org_id = ${ref.org} and environment_id = ${ref.environment}
                    order by created_at, fingerprint`
              : Effect.succeed(locked.allowed)
        })
      ),
    listAllowedOfOrg: (org) =>
      Effect.map(
        rows.list(NamedRow, {
          operation: "EnvironmentStore.listAllowedOfOrg",
          from: "list",
          org,
          statement: sql`select ${sql.literal(ALIASED)}, e.name as environment from allow_list a
                join environment e on e.org_id = a.org_id and e.environment_id = a.environment_id
                where a.org_id = ${org} and e.archived_at is null
                order by a.created_at desc, e.name, a.fingerprint`
        }),
        Arr.map(({ environment, ...entry }) => ({ environment, entry }))
      ),
    putAllowed: (entry) =>
      Effect.zipRight(
        LockedEnvironment.deleteAllowed({
          org: entry.org_id,
          environment: entry.environment_id
        }),
        rows.run({
          operation: "EnvironmentStore.putAllowed",
          org: entry.org_id,
          statement: sql`insert into allow_list values (${entry.org_id}, ${entry.environment_id},
                  ${entry.fingerprint}, ${entry.name}, ${entry.reason}, ${entry.created_by},
                  ${entry.created_at}, ${entry.expires_at}, ${entry.owner})
                on conflict (org_id, environment_id, fingerprint) do update
                  set name = excluded.name, reason = excluded.reason,
                    created_by = excluded.created_by, created_at = excluded.created_at,
                    expires_at = excluded.expires_at, owner = excluded.owner`
        })
      ),
    removeAllowed: ({ org, environment }, fingerprint) =>
      Effect.zipRight(
        LockedEnvironment.deleteAllowed({ org, environment }),
        rows.run({
          operation: "EnvironmentStore.removeAllowed",
          org,
          statement: sql`delete from allow_list where org_id = ${org}
                and environment_id = ${environment} and fingerprint = ${fingerprint}`
        })
      )
  }
})
