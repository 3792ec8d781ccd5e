/** Cosignatures of `LogStore` on PostgreSQL. */
import type { LogStore } from "@attestry/core/LogStore"
import { Timestamp } from "@attestry/core/Timestamp"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as TenantQueries from "../shared/TenantQueries.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"
import * as LogRow from "./LogRow.js"

const Row = Schema.Struct({
  epoch: Schema.Int,
  size: Schema.Int,
  witness: Schema.String,
  key_id: Schema.String,
  line: Schema.String,
  at: Timestamp
})
const Size = Schema.Struct({ size: Schema.Int })
const Cosigned = Schema.Struct({ ...LogRow.Checkpoint.fields, lines: Schema.Array(Schema.String) })

/** Cosignatures of `LogStore` on PostgreSQL. */
export const make: Effect.Effect<
  Pick<
    LogStore["Type"],
    "insertCosignature" | "listCosignatures" | "newestCosignedSize" | "listCosigned"
  >,
  never,
  SqlClient.SqlClient | TenantTransaction
> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* TenantQueries.make
  return {
    insertCosignature: (org, { epoch, size, witness, key_id, line, at }) =>
      rows.run({
        operation: "LogStore.insertCosignature",
        org,
        statement: sql`insert into log_cosignature (org_id, epoch, size, witness, key_id, line, at)
          values (${org}, ${epoch}, ${size}, ${witness}, ${key_id}, ${line}, ${at})
          on conflict do nothing`
      }),
    listCosignatures: ({ org_id, epoch }, { after, upTo }) =>
      rows.all(Row, {
        operation: "LogStore.listCosignatures",
        nameOf: ({ size, key_id }) => ({
          kind: "log",
          table: "log_cosignature",
          key: `${epoch} ${size} ${key_id}`
        }),
        org: org_id,
        statement: sql`select epoch, size, witness, key_id, line, at from log_cosignature
          where org_id = ${org_id} and epoch = ${epoch} and size > ${after} and size <= ${upTo}
          order by size, witness, key_id`
      }),
    newestCosignedSize: ({ org_id, epoch }, keyId) =>
      Effect.map(
        rows.first(Size, {
          operation: "LogStore.newestCosignedSize",
          org: org_id,
          statement: sql`select size from log_cosignature
            where org_id = ${org_id} and epoch = ${epoch} and key_id = ${keyId}
            order by size desc limit 1`
        }),
        Option.match({ onNone: () => 0, onSome: ({ size }) => size })
      ),
    listCosigned: ({ org_id, epoch }, limit) =>
      Effect.map(
        rows.all(Cosigned, {
          operation: "LogStore.listCosigned",
          org: org_id,
          statement: sql`select c.epoch, c.size, c.signed_at, c.note,
              jsonb_agg(s.line order by s.witness, s.key_id) as lines
            from (select distinct size from log_cosignature
              where org_id = ${org_id} and epoch = ${epoch} order by size desc limit ${limit}) n
            join log_checkpoint c on c.org_id = ${org_id} and c.epoch = ${epoch} and c.size = n.size
            join log_cosignature s on s.org_id = ${org_id} and s.epoch = ${epoch} and s.size = n.size
            group by c.epoch, c.size, c.signed_at, c.note order by c.size desc`
        }),
        (found) => found.map(({ lines, ...checkpoint }) => ({ checkpoint, lines }))
      )
  }
})
