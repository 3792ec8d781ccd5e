/** Issuers of `WorkloadIdentityStore` in memory. */
import type { Issuer } from "@attestry/core/IssuerKeys"
import * as Timestamp from "@attestry/core/Timestamp"
import type { WorkloadIdentityStore } from "@attestry/core/WorkloadIdentityStore"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import { accounts } from "../service-account/ServiceAccountStoreMemory.js"
import { key, MemoryState, table } from "../shared/MemoryState.js"
import { rules } from "./IdentityRulesMemory.js"

interface Row extends Issuer {
  readonly triedAt: Timestamp.Timestamp | null
  readonly wantedAt: Timestamp.Timestamp | null
  readonly error: string | null
}

const issuers = table<Row>("oidc_issuer")

const empty = (issuer: string): Row => ({
  issuer,
  keys: [],
  fetched_at: null,
  triedAt: null,
  wantedAt: null,
  error: null
})

const isWithin = (
  at: Timestamp.Timestamp | null,
  now: Timestamp.Timestamp,
  seconds: number
): boolean => at !== null && now < Timestamp.plusSeconds(at, seconds)

/** Issuers of `WorkloadIdentityStore` in memory. */
export const make: Effect.Effect<
  Pick<
    WorkloadIdentityStore["Type"],
    "findIssuer" | "wantKeys" | "listDueIssuers" | "saveKeys" | "failKeys"
  >,
  never,
  MemoryState
> = Effect.map(MemoryState, (state) => {
  /** The issuers that a rule of an account names. */
  const named = Effect.gen(function* () {
    const all = yield* state.read(rules)
    const owners = Array.from(HashMap.values(yield* state.read(accounts)))
    const own = owners.flatMap(({ org_id, id }) =>
      Option.getOrElse(HashMap.get(all, key(org_id, id)), () => [])
    )
    return new Set(own.map(({ issuer }) => issuer))
  })
  const rowOf = (issuer: string) =>
    Effect.map(state.read(issuers), (rows) =>
      Option.getOrElse(HashMap.get(rows, issuer), () => empty(issuer))
    )
  const change = (issuer: string, next: (row: Row, now: Timestamp.Timestamp) => Row) =>
    state.transaction((now) =>
      Effect.flatMap(rowOf(issuer), (row) =>
        state.modify(issuers, (rows) => [undefined, HashMap.set(rows, issuer, next(row, now))])
      )
    )
  return {
    findIssuer: (issuer) =>
      Effect.flatMap(named, (all) =>
        all.has(issuer)
          ? Effect.map(rowOf(issuer), ({ keys, fetched_at }) =>
              Option.some({ issuer, keys, fetched_at })
            )
          : Effect.succeed(Option.none())
      ),
    wantKeys: (issuer, withinSeconds) =>
      state.transaction((now) =>
        Effect.gen(function* () {
          if (!(yield* named).has(issuer)) return false
          const row = yield* rowOf(issuer)
          if (isWithin(row.triedAt, now, withinSeconds)) return false
          if (isWithin(row.wantedAt, now, withinSeconds)) return true
          yield* change(issuer, (current) => ({ ...current, wantedAt: now }))
          return true
        })
      ),
    listDueIssuers: (afterSeconds) =>
      state.transaction((now) =>
        Effect.gen(function* () {
          const all = yield* Effect.forEach(yield* named, rowOf)
          return all
            .filter((row) => row.wantedAt !== null || !isWithin(row.triedAt, now, afterSeconds))
            .map(({ issuer }) => issuer)
            .sort()
        })
      ),
    saveKeys: (issuer, keys) =>
      change(issuer, (_, now) => ({
        ...empty(issuer),
        keys,
        fetched_at: now,
        triedAt: now
      })),
    failKeys: (issuer, error) =>
      change(issuer, (row, now) => ({ ...row, error, triedAt: now, wantedAt: null }))
  }
})
