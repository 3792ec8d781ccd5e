/** `OutboxStore` on PostgreSQL: within an org by statements, across orgs through functions. */
import {
  ClaimedDelivery,
  DeadLetter,
  type Delivery,
  type DeliveryOutcome,
  type Settlement
} from "@attestry/core/Delivery"
import { DeliveryId, OrgId } from "@attestry/core/Identifier"
import * as Notification from "@attestry/core/Notification"
import { type ClaimRequest, OutboxStore } from "@attestry/core/OutboxStore"
import type { Page } from "@attestry/core/Page"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlFailure from "../shared/SqlFailure.js"
import type { SqlOrg } from "../shared/SqlOrg.js"
import * as SqlPage from "../shared/SqlPage.js"
import * as SqlRows from "../shared/SqlRows.js"

const Id = Schema.Struct({ id: DeliveryId })
const decodeClaimed = Schema.decodeUnknown(Schema.Array(ClaimedDelivery))
const decodeKeys = Schema.decodeUnknown(
  Schema.Array(Schema.Struct({ org_id: OrgId, id: DeliveryId }))
)

const CLOCK = "(extract(epoch from clock_timestamp()) * 1000000)::int8"

const draftOf = (delivery: Delivery, position: number) => ({
  ...delivery,
  position,
  notification_type: Notification.typeOf(delivery.notification)
})

const errorOf = (outcome: DeliveryOutcome): string | null =>
  "error" in outcome ? outcome.error : null

const settlementOf = ({ org_id, id, token, outcome }: Settlement, position: number) => ({
  org_id,
  id,
  token,
  position,
  outcome: outcome._tag,
  error: errorOf(outcome),
  after: outcome._tag === "Retry" ? Math.ceil(outcome.afterMillis) : null
})

/** What is done within one org. */
const makeKeeping = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* SqlRows.make
  const clock = sql.literal(CLOCK)
  const ids = (found: ReadonlyArray<typeof Id.Type>) => found.map(({ id }) => id)

  return {
    append: (deliveries: ReadonlyArray<Delivery>) => {
      const [first] = deliveries
      if (first === undefined) return Effect.succeed([])
      return Effect.map(
        rows.all(Id, {
          operation: "OutboxStore.append",
          org: first.org_id,
          statement: sql`insert into outbox as o (org_id, delivery_id, queue, intent, intent_digest,
              target, notification_type, notification, attempts, created_at, due_at)
            select d.org_id, d.id, d.queue, d.intent, sha256(convert_to(d.intent, 'UTF8')), d.target,
              d.notification_type, d.notification, d.attempts, d.created_at, ${clock}
            from (select distinct on (w.queue, w.intent) w.* from jsonb_to_recordset(
                ${JSON.stringify(deliveries.map(draftOf))}::jsonb) as w (org_id text, id text,
                queue text, intent text, target jsonb, notification_type text, notification jsonb,
                attempts int4, created_at int8, position int4)
              order by w.queue, w.intent, w.position) d
            order by d.position
            on conflict (org_id, intent_digest, queue) do update set dead_at = null, error = null,
              attempts = 0, due_at = excluded.due_at where o.dead_at is not null
            returning delivery_id as id`
        }),
        ids
      )
    },
    withdraw: (org: OrgId, intents: ReadonlyArray<string>) =>
      intents.length === 0
        ? Effect.void
        : rows.run({
            operation: "OutboxStore.withdraw",
            org,
            statement: sql`delete from outbox where org_id = ${org} and intent_digest in (
                select sha256(convert_to(intent, 'UTF8'))
                  from jsonb_array_elements_text(${JSON.stringify(intents)}::jsonb) as w (intent))`
          }),
    listDead: (org: OrgId, page: Page) =>
      rows.all(DeadLetter, {
        operation: "OutboxStore.listDead",
        org,
        statement: sql`select org_id, delivery_id as id, queue, intent, target, notification,
            attempts, created_at, dead_at as failed_at, error
          from outbox where org_id = ${org} and dead_at is not null
          order by dead_at desc, delivery_id ${SqlPage.clause(sql, page)}`
      }),
    replay: (org: OrgId, wanted: ReadonlyArray<DeliveryId> | "all") =>
      Effect.map(
        rows.all(Id, {
          operation: "OutboxStore.replay",
          org,
          statement: sql`update outbox set dead_at = null, error = null, attempts = 0,
              due_at = ${clock}
            where org_id = ${org} and dead_at is not null and (${wanted === "all"} or delivery_id in (
              select jsonb_array_elements_text(${JSON.stringify(wanted === "all" ? [] : wanted)}::jsonb)))
            returning delivery_id as id`
        }),
        (found) => ids(found).sort()
      )
  }
})

/** What workers do across orgs; passing conflicts are tried again. */
const makeWork = Effect.map(SqlClient.SqlClient, (sql) => ({
  claim: ({ limit, perQueue, leaseMillis }: ClaimRequest) =>
    sql`select * from outbox_claim(${limit}, ${perQueue}, ${leaseMillis})`.pipe(
      Effect.retry({ times: 2, while: SqlFailure.isTransient }),
      Effect.flatMap(decodeClaimed),
      SqlFailure.toStoreError("OutboxStore.claim")
    ),
  settle: (settlements: ReadonlyArray<Settlement>) =>
    settlements.length === 0
      ? Effect.succeed([])
      : sql`select * from outbox_settle(${JSON.stringify(settlements.map(settlementOf))}::jsonb)`.pipe(
          Effect.retry({ times: 2, while: SqlFailure.isTransient }),
          Effect.flatMap(decodeKeys),
          SqlFailure.toStoreError("OutboxStore.settle")
        )
}))

/** `OutboxStore` on PostgreSQL. */
export const layer: Layer.Layer<OutboxStore, never, SqlClient.SqlClient | SqlOrg> = Layer.effect(
  OutboxStore,
  Effect.zipWith(makeKeeping, makeWork, (keeping, work) => OutboxStore.of({ ...keeping, ...work }))
)
