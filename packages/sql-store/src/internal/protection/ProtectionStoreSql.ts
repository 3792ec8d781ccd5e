/** `ProtectionStore` on PostgreSQL. */
import type { OrgId } from "@attestry/core/Identifier"
import { Protections } from "@attestry/core/Protection"
import { ProtectionStore } from "@attestry/core/ProtectionStore"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as TenantQueries from "../shared/TenantQueries.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"

const Row = Schema.Struct({ protections: Protections })

/** `ProtectionStore` on PostgreSQL. */
export const layer: Layer.Layer<ProtectionStore, never, SqlClient.SqlClient | TenantTransaction> =
  Layer.effect(
    ProtectionStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* TenantQueries.make

      const read = (operation: string, org: OrgId) =>
        Effect.map(
          rows.first(Row, {
            operation,
            org,
            statement: sql`select protections from protection where org_id = ${org}`
          }),
          Option.match({ onNone: (): Protections => [], onSome: ({ protections }) => protections })
        )

      /** WHY an advisory lock: an org without protections has no row to lock. */
      const lock = (org: OrgId, purpose: "share" | "change") =>
        rows.run({
          operation: "ProtectionStore.hold",
          org,
          statement:
            purpose === "change"
              ? sql`select pg_advisory_xact_lock(hashtextextended(${org} || ' protection', 0))`
              : sql`select pg_advisory_xact_lock_shared(hashtextextended(${org} || ' protection', 0))`
        })

      return ProtectionStore.of({
        find: (org) => read("ProtectionStore.find", org),
        // WHY a statement of its own: the next one must see the protections that it has waited for.
        hold: (org, purpose) =>
          Effect.zipRight(lock(org, purpose), read("ProtectionStore.hold", org)),
        put: (org, protections) =>
          rows.run({
            operation: "ProtectionStore.put",
            org,
            statement: sql`insert into protection (org_id, protections)
              values (${org}, ${JSON.stringify(protections)}::jsonb)
              on conflict (org_id) do update set protections = excluded.protections`
          })
      })
    })
  )
