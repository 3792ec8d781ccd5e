/** `IdempotencyStore` on PostgreSQL: the primary key decides which of several equal requests runs. */
import {
  type Claim,
  type Claimed,
  type Completion,
  IdempotencyStore
} from "@attestry/core/IdempotencyStore"
import type { RequestOutcome, StoredRequest } from "@attestry/core/IdempotentRequest"
import { StoreError } from "@attestry/core/StoreError"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as TenantQueries from "../shared/TenantQueries.js"
import { TenantTransaction } from "../transaction/TenantTransaction.js"

const CLOCK = "(extract(epoch from clock_timestamp()) * 1000000)::int8"

const Row = Schema.Struct({
  claimed: Schema.Boolean,
  content: Schema.String,
  outcome: Schema.Literal("Running", "Answered", "Withheld"),
  code: Schema.NullOr(Schema.Int),
  media_type: Schema.NullOr(Schema.String),
  answer: Schema.NullOr(Schema.String),
  entries: Schema.NullOr(Schema.String)
})

/** INVARIANT: a row that is answered has all three parts of its answer, as the table checks. */
const outcomeOf = ({
  outcome,
  code,
  media_type,
  answer,
  entries
}: typeof Row.Type): RequestOutcome =>
  outcome === "Answered"
    ? {
        _tag: outcome,
        response: { code: code ?? 0, mediaType: media_type ?? "", text: answer ?? "", entries }
      }
    : { _tag: outcome }

/** At most this many expired keys are deleted at a time. */
const PRUNED_MAX = 100

/** How often a claim is tried that other requests take and release in between. */
const ATTEMPTS_MAX = 5

const claimOnce = (sql: SqlClient.SqlClient, claim: Claim) => {
  const now = sql.literal(CLOCK)
  const columns = sql.literal("content, outcome, code, media_type, answer, entries")
  return sql`with claimed as (
      insert into idempotency as known (org_id, request, token, content, outcome, ends_at)
      values (${claim.org}, ${claim.request}, ${claim.token}, ${claim.content}, 'Running',
        ${now} + ${claim.seconds}::int8 * 1000000)
      on conflict (org_id, request) do update set token = excluded.token,
        content = excluded.content, outcome = excluded.outcome, ends_at = excluded.ends_at,
        code = null, media_type = null, answer = null, entries = null
      where known.ends_at <= ${now}
      returning *
    )
    select true as claimed, ${columns} from claimed
    union all
    select false, ${columns} from idempotency
      where org_id = ${claim.org} and request = ${claim.request} and ends_at > ${now}
        and not exists (select from claimed)`
}

const ownClaim = (sql: SqlClient.SqlClient, { org, request, token }: Claimed) =>
  sql`org_id = ${org} and request = ${request} and token = ${token} and outcome = 'Running'`

const settled = (sql: SqlClient.SqlClient, claimed: Claimed, { response, seconds }: Completion) => {
  const kept = Option.getOrNull(response)
  return sql`update idempotency set
      outcome = ${kept === null ? "Withheld" : "Answered"},
      ends_at = ${sql.literal(CLOCK)} + ${seconds}::int8 * 1000000,
      code = ${kept?.code ?? null}, media_type = ${kept?.mediaType ?? null},
      answer = ${kept?.text ?? null}, entries = ${kept?.entries ?? null}
    where ${ownClaim(sql, claimed)} returning request`
}

/** `IdempotencyStore` on PostgreSQL. */
export const layer: Layer.Layer<IdempotencyStore, never, SqlClient.SqlClient | TenantTransaction> =
  Layer.effect(
    IdempotencyStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { transaction } = yield* TenantTransaction
      const rows = yield* TenantQueries.make

      /** WHY again: READ COMMITTED; a claim that the statement has waited for is not in its snapshot. */
      const claim = (
        given: Claim,
        attempt: number
      ): Effect.Effect<Option.Option<StoredRequest>, StoreError> => {
        const operation = "IdempotencyStore.claim"
        const call = { operation, org: given.org, statement: claimOnce(sql, given) }
        return Effect.flatMap(rows.first(Row, call), (found) => {
          if (Option.isSome(found)) {
            const { claimed, content } = found.value
            return Effect.succeed(
              claimed
                ? Option.none<StoredRequest>()
                : Option.some({ content, outcome: outcomeOf(found.value) })
            )
          }
          return attempt < ATTEMPTS_MAX
            ? claim(given, attempt + 1)
            : new StoreError({ operation, cause: new Error("others were always faster") })
        })
      }

      return IdempotencyStore.of({
        claim: (given) => claim(given, 1),
        complete: (claimed, completion) => {
          const operation = "IdempotencyStore.complete"
          const { org } = claimed
          return transaction(org, () =>
            Effect.zipLeft(
              rows.wrote({ operation, org, statement: settled(sql, claimed, completion) }),
              rows.call({
                operation,
                org,
                row: "idempotency_prune",
                statement: sql`idempotency_prune(${PRUNED_MAX}::int4)`
              })
            )
          )
        },
        release: (claimed) =>
          rows.run({
            operation: "IdempotencyStore.release",
            org: claimed.org,
            statement: sql`delete from idempotency where ${ownClaim(sql, claimed)}`
          })
      })
    })
  )
