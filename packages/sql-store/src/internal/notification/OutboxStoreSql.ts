/** `OutboxStore` on PostgreSQL: within an org by statements, across orgs through functions. */

import { Audience } from "@attestry/core/Audience"
import * as BoundedCache from "@attestry/core/BoundedCache"
import {
  ClaimedDelivery,
  DeadLetter,
  type Delivery,
  type DeliveryOutcome,
  type Settlement
} from "@attestry/core/Delivery"
import { DeliveryId, type OrgId } from "@attestry/core/Identifier"
import * as Notification from "@attestry/core/Notification"
import { NotificationTarget } from "@attestry/core/NotificationTarget"
import {
  type ClaimRequest,
  DEPTH_MAX,
  OutboxStore,
  type PruneRequest,
  type QueueChoice
} from "@attestry/core/OutboxStore"
import type { Page } from "@attestry/core/Page"
import type { StoreError } from "@attestry/core/StoreError"
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { ParseError } from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as DamagedRows from "../shared/DamagedRows.js"
import * as SqlFailure from "../shared/SqlFailure.js"
import * as SqlPage from "../shared/SqlPage.js"
import * as TenantQueries from "../shared/TenantQueries.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"

const Id = Schema.Struct({ id: DeliveryId })
const OfAudience = Schema.Struct({ audience: Audience })
const Counted = Schema.Struct({ dead: Schema.Int })

/** A claimed delivery whose documents are still text: many have the same ones. */
const ClaimedRow = Schema.Struct({
  ...ClaimedDelivery.fields,
  target: Schema.String,
  notification: Schema.String
})
const decodeRows = TenantQueries.decoderOf(ClaimedRow)
const decodePositions = Schema.decodeUnknown(
  Schema.Tuple(Schema.Struct({ taken_positions: Schema.Array(Schema.Int) }))
)
const decodePruned = Schema.decodeUnknown(Schema.Tuple(Schema.Struct({ pruned: Schema.Int })))
const decodeDepth = Schema.decodeUnknown(
  Schema.Tuple(
    Schema.Struct({
      due: Schema.Number,
      oldest: Schema.NullOr(Schema.Number),
      dead: Schema.Number
    })
  )
)

/** The condition that a row is for one of some audiences; that of all rows without them. */
const isFor = (sql: SqlClient.SqlClient, audiences: ReadonlyArray<Audience> | undefined) =>
  audiences === undefined
    ? sql`true`
    : sql`audience in (select jsonb_array_elements(${JSON.stringify(audiences)}::jsonb))`

/** How many decoded texts are cached: about the number of targets of one event. */
const TEXTS_MAX = 2_048

/** Decodes texts of which many are equal: one event goes to many targets. */
const remembering = <A, I>(schema: Schema.Schema<A, I>) => {
  const decode = Schema.decodeEither(Schema.parseJson(schema))
  const known = BoundedCache.make<ReturnType<typeof decode>>(TEXTS_MAX)
  return (text: string) => known.get(text) ?? known.set(text, decode(text))
}

/** Claimed rows: deliveries, and rows whose documents cannot be decoded, with the problem of each. */
type ReadRows = readonly [
  damaged: ReadonlyArray<readonly [row: typeof ClaimedRow.Type, error: ParseError]>,
  deliveries: ReadonlyArray<ClaimedDelivery>
]

const makeReader = () => {
  const readTarget = remembering(NotificationTarget)
  const readNotification = remembering(Notification.Notification)
  return (found: unknown): Effect.Effect<ReadRows, ParseError> =>
    Effect.map(decodeRows(found), (rows) =>
      Arr.partitionMap(rows, (row) =>
        Either.zipWith(
          readTarget(row.target),
          readNotification(row.notification),
          (target, notification) => ({ ...row, target, notification })
        ).pipe(Either.mapLeft((error) => [row, error] as const))
      )
    )
}

/** The outcome of a delivery whose documents cannot be decoded. */
const DAMAGED: DeliveryOutcome = { _tag: "Dead", error: "the stored delivery is damaged" }

const ALL_QUEUES: QueueChoice = { _tag: "AllBut", queues: [] }

const CLAIM = "OutboxStore.claim"

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

/** The statements of one org. */
const makeKeeping = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* TenantQueries.make
  const clock = sql.literal(CLOCK)
  const ids = (found: ReadonlyArray<typeof Id.Type>) => found.map(({ id }) => id)

  const insert = (deliveries: ReadonlyArray<Delivery>) =>
    sql`insert into outbox as o (org_id, delivery_id, queue, intent, intent_digest,
        target, notification_type, notification, audience, attempts, created_at, due_at)
      select d.org_id, d.id, d.queue, d.intent, sha256(convert_to(d.intent, 'UTF8')), d.target,
        d.notification_type, d.notification, d.audience, d.attempts, d.created_at, ${clock}
      from (select distinct on (w.queue, w.intent) w.* from jsonb_to_recordset(
          ${JSON.stringify(deliveries.map(draftOf))}::jsonb) as w (org_id text, id text,
          queue text, intent text, target jsonb, notification_type text, notification jsonb,
          audience jsonb, attempts int4, created_at int8, position int4)
        order by w.queue, w.intent, w.position) d
      order by d.position
      on conflict (org_id, intent_digest, queue) do update set dead_at = null, error = null,
        attempts = 0, due_at = excluded.due_at where o.dead_at is not null`

  return {
    append: (deliveries: ReadonlyArray<Delivery>) => {
      const [first] = deliveries
      if (first === undefined) return Effect.succeed([])
      return Effect.map(
        rows.all(Id, {
          operation: "OutboxStore.append",
          org: first.org_id,
          statement: sql`${insert(deliveries)} returning delivery_id as id`
        }),
        ids
      )
    },
    add: (deliveries: ReadonlyArray<Delivery>) => {
      const [first] = deliveries
      if (first === undefined) return Effect.void
      return rows.write({
        operation: "OutboxStore.add",
        org: first.org_id,
        // WHY one row name for all: a transaction may add equal deliveries, which one statement must not write.
        row: "outbox",
        statement: insert(deliveries)
      })
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
    listDead: (org: OrgId, page: Page, audiences?: ReadonlyArray<Audience>) =>
      Effect.zipWith(
        rows.list(DeadLetter, {
          operation: "OutboxStore.listDead",
          from: "page",
          org,
          statement: sql`select org_id, delivery_id as id, queue, intent, target, notification,
            audience, attempts, created_at, dead_at as failed_at, error
          from outbox where org_id = ${org} and dead_at is not null and ${isFor(sql, audiences)}
          order by dead_at desc, delivery_id ${SqlPage.clause(sql, page)}`
        }),
        rows.first(Counted, {
          operation: "OutboxStore.listDead",
          org,
          statement: sql`select count(*)::int4 as dead from (select from outbox
            where org_id = ${org} and dead_at is not null and ${isFor(sql, audiences)}
            limit ${DEPTH_MAX}) d`
        }),
        (items, counted) => ({
          items,
          total: Option.match(counted, { onNone: () => 0, onSome: ({ dead }) => dead })
        })
      ),
    listDeadAudiences: (org: OrgId) =>
      Effect.map(
        rows.all(OfAudience, {
          operation: "OutboxStore.listDeadAudiences",
          org,
          statement: sql`select distinct audience from outbox
            where org_id = ${org} and dead_at is not null and audience is not null`
        }),
        (all) => all.map(({ audience }) => audience)
      ),
    replay: (
      org: OrgId,
      wanted: ReadonlyArray<DeliveryId> | "all",
      audiences?: ReadonlyArray<Audience>
    ) =>
      Effect.map(
        rows.all(Id, {
          operation: "OutboxStore.replay",
          org,
          statement: sql`update outbox set dead_at = null, error = null, attempts = 0,
              due_at = ${clock}
            where org_id = ${org} and dead_at is not null and (${wanted === "all"} or delivery_id in (
              select jsonb_array_elements_text(${JSON.stringify(wanted === "all" ? [] : wanted)}::jsonb)))
              and ${isFor(sql, audiences)}
            returning delivery_id as id`
        }),
        (found) => ids(found).sort()
      )
  }
})

/** The calls of workers across orgs; transient conflicts are retried. */
const makeWork = Effect.map(SqlClient.SqlClient, (sql) => {
  const read = makeReader()
  const persistently = <A, R>(statement: Effect.Effect<A, SqlError, R>) =>
    Effect.retry(statement, { times: 2, while: SqlFailure.isTransient })

  const claim = ({ limit, perQueue, leaseMillis, from = ALL_QUEUES }: ClaimRequest) => {
    const named = JSON.stringify(from.queues.map(({ org_id, queue }) => ({ org_id, queue })))
    return sql`select * from outbox_claim(${limit}, ${perQueue}, ${leaseMillis}, ${named}::jsonb,
        ${from._tag})`.pipe(
      persistently,
      Effect.flatMap(read),
      SqlFailure.toStoreError(CLAIM),
      Effect.flatMap(([damaged, deliveries]) => Effect.as(giveUp(damaged), deliveries))
    )
  }

  const giveUp = (damaged: ReadRows[0]): Effect.Effect<void, StoreError> =>
    Effect.zipRight(
      Effect.forEach(damaged, ([row, error]) => DamagedRows.log(CLAIM, row, error)),
      settle(damaged.map(([row]) => ({ ...row, outcome: DAMAGED })))
    )

  const settle = (settlements: ReadonlyArray<Settlement>) =>
    settlements.length === 0
      ? Effect.succeed([])
      : sql`select * from outbox_settle(${JSON.stringify(settlements.map(settlementOf))}::jsonb)`.pipe(
          persistently,
          Effect.flatMap(decodePositions),
          Effect.map(([{ taken_positions }]) => {
            const taken = new Set(taken_positions)
            return settlements
              .filter((_, position) => taken.has(position))
              .map(({ org_id, id }) => ({ org_id, id }))
          }),
          SqlFailure.toStoreError("OutboxStore.settle")
        )

  const prune = ({ olderThanMillis, limit }: PruneRequest) =>
    sql`select outbox_prune(${olderThanMillis}, ${limit}) as pruned`.pipe(
      persistently,
      Effect.flatMap(decodePruned),
      Effect.map(([{ pruned }]) => pruned),
      SqlFailure.toStoreError("OutboxStore.prune")
    )

  const depth = sql`select * from outbox_depth(${DEPTH_MAX})`.pipe(
    Effect.flatMap(decodeDepth),
    Effect.map(([{ due, oldest, dead }]) => ({ due, oldestDueMillis: oldest ?? 0, dead })),
    SqlFailure.toStoreError("OutboxStore.depth")
  )

  return { claim, settle, prune, depth }
})

/** `OutboxStore` on PostgreSQL. */
export const layer: Layer.Layer<OutboxStore, never, SqlClient.SqlClient | TenantTransaction> =
  Layer.effect(
    OutboxStore,
    Effect.zipWith(makeKeeping, makeWork, (keeping, work) =>
      OutboxStore.of({ ...keeping, ...work })
    )
  )
