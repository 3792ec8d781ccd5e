/** `WitnessStore` and `CosignatureStore` on PostgreSQL. */
import { CosignatureStore } from "@attestry/core/CosignatureStore"
import { Timestamp } from "@attestry/core/Timestamp"
import { WitnessStore } from "@attestry/core/WitnessStore"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SqlFailure from "../shared/SqlFailure.js"
import * as TenantQueries from "../shared/TenantQueries.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"
import * as LogRow from "./LogRow.js"

const Witnessed = Schema.Struct({
  origin: Schema.String,
  size: Schema.Int,
  root: Schema.String,
  note: Schema.String
})

const Line = Schema.Struct({ line: Schema.String })
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

const makeWitness = Effect.map(SqlClient.SqlClient, (sql) => {
  const decode = TenantQueries.decoderOf(Witnessed)
  return WitnessStore.of({
    find: (origin) =>
      sql`select origin, size, root, note from witness_log_get(${origin})`.pipe(
        Effect.flatMap(decode),
        Effect.map(([found]) => Option.fromNullable(found)),
        SqlFailure.toStoreError("WitnessStore.find")
      ),
    advance: ({ origin, size, root, note }, from) =>
      sql`select * from witness_log_advance(${origin}, ${from}, ${size}, ${root}, ${note})`.pipe(
        Effect.map((rows) => rows.length > 0),
        SqlFailure.toStoreError("WitnessStore.advance")
      ),
    list: sql`select origin, size, root, note from witness_log_list()`.pipe(
      Effect.flatMap(decode),
      SqlFailure.toStoreError("WitnessStore.list")
    )
  })
})

const makeCosignatures = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* TenantQueries.make
  return CosignatureStore.of({
    insertCosignature: (org, { epoch, size, witness, key_id, line, at }) =>
      rows.run({
        operation: "CosignatureStore.insertCosignature",
        org,
        statement: sql`insert into log_cosignature (org_id, epoch, size, witness, key_id, line, at)
          values (${org}, ${epoch}, ${size}, ${witness}, ${key_id}, ${line}, ${at})
          on conflict do nothing`
      }),
    listBySize: ({ org_id, epoch }, size) =>
      Effect.map(
        rows.all(Line, {
          operation: "CosignatureStore.listBySize",
          org: org_id,
          statement: sql`select line from log_cosignature
            where org_id = ${org_id} and epoch = ${epoch} and size = ${size}
            order by witness, key_id`
        }),
        (found) => found.map(({ line }) => line)
      ),
    listCosignatures: ({ org_id, epoch }, { after, upTo }) =>
      rows.all(Row, {
        operation: "CosignatureStore.listCosignatures",
        nameOf: ({ size, key_id }) => ({
          kind: "log",
          table: "log_cosignature",
          key: `${epoch} ${size} ${key_id}`
        }),
        org: org_id,
        statement: sql`select epoch, size, witness, key_id, line, at from log_cosignature
          where org_id = ${org_id} and epoch = ${epoch} and size > ${after} and size <= ${upTo}
          order by size, key_id`
      }),
    newestCosignedSize: ({ org_id, epoch }, keyId) =>
      Effect.map(
        rows.first(Size, {
          operation: "CosignatureStore.newestCosignedSize",
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
          operation: "CosignatureStore.listCosigned",
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
  })
})

/** Both on PostgreSQL. */
export const layer: Layer.Layer<
  WitnessStore | CosignatureStore,
  never,
  SqlClient.SqlClient | TenantTransaction
> = Layer.merge(
  Layer.effect(WitnessStore, makeWitness),
  Layer.effect(CosignatureStore, makeCosignatures)
)
