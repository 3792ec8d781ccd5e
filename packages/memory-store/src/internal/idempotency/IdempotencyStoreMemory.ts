/** `IdempotencyStore` in memory. */

import { type Claimed, IdempotencyStore } from "@attestry/core/IdempotencyStore"
import type { RequestOutcome, StoredRequest } from "@attestry/core/IdempotentRequest"
import * as Timestamp from "@attestry/core/Timestamp"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { key, MemoryState, type Rows, table } from "../shared/MemoryState.js"

interface Row extends StoredRequest {
  readonly token: string
  readonly endsAt: Timestamp.Timestamp
}

const requests = table<Row>("idempotency")

const keyOf = ({ org, request }: Claimed): string => key(org, request)

const isClaimed = (rows: Rows<Row>, claimed: Claimed): boolean =>
  Option.exists(
    HashMap.get(rows, keyOf(claimed)),
    ({ token, outcome }) => token === claimed.token && outcome._tag === "Running"
  )

/** Fewer rows are not cleaned up. */
const SWEPT_MIN = 256

/** Deletes expired rows whenever the number of rows has doubled since the last time. */
const makeForget = () => {
  let sweptAt = SWEPT_MIN
  return (rows: Rows<Row>, now: Timestamp.Timestamp): Rows<Row> => {
    if (HashMap.size(rows) < sweptAt) return rows
    const left = HashMap.filter(rows, ({ endsAt }) => now < endsAt)
    sweptAt = Math.max(SWEPT_MIN, 2 * HashMap.size(left))
    return left
  }
}

/** `IdempotencyStore` in memory. */
export const layer: Layer.Layer<IdempotencyStore, never, MemoryState> = Layer.effect(
  IdempotencyStore,
  Effect.map(MemoryState, (state) => {
    const forget = makeForget()
    return IdempotencyStore.of({
      claim: ({ content, seconds, ...claimed }) =>
        state.transaction((now) =>
          state.modify(requests, (rows) => {
            const known = Option.filter(
              HashMap.get(rows, keyOf(claimed)),
              ({ endsAt }) => now < endsAt
            )
            if (Option.isSome(known)) {
              const { content: said, outcome } = known.value
              return [Option.some({ content: said, outcome }), rows]
            }
            const endsAt = Timestamp.plusSeconds(now, seconds)
            const row: Row = {
              content,
              outcome: { _tag: "Running" },
              token: claimed.token,
              endsAt
            }
            return [Option.none(), HashMap.set(rows, keyOf(claimed), row)]
          })
        ),
      complete: (claimed, { response, seconds }) =>
        state.transaction((now) =>
          state.modify(requests, (rows) => {
            if (!isClaimed(rows, claimed)) return [false, forget(rows, now)]
            const outcome: RequestOutcome = Option.match(response, {
              onNone: () => ({ _tag: "Withheld" }),
              onSome: (stored) => ({ _tag: "Answered", response: stored })
            })
            const endsAt = Timestamp.plusSeconds(now, seconds)
            const settled = HashMap.modify(rows, keyOf(claimed), (row) => ({
              ...row,
              outcome,
              endsAt
            }))
            return [true, forget(settled, now)]
          })
        ),
      release: (claimed) =>
        state.modify(requests, (rows) => [
          undefined,
          isClaimed(rows, claimed) ? HashMap.remove(rows, keyOf(claimed)) : rows
        ])
    })
  })
)
