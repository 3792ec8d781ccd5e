/**
 * Checks that a transaction sees the entries that its request names (`MustSee`), in the round trip that begins it.
 *
 * WHY in each transaction: the connections of a pool may lead to different standbys.
 */
import type { OrgId } from "@attestry/core/Identifier"
import { elsewhereReason, MustSee, OnlyElsewhere } from "@attestry/core/StandbyRead"
import { SqlError } from "@effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type * as Driver from "./Driver.js"

/** How long entries are waited for. */
export const WAIT_MILLIS = 300

/** How often they are looked for meanwhile. */
const EVERY_MILLIS = 20

const SEEN = `select count(*)::int4 as seen from journal
  where org_id = $1 and sequence = any($2::int8[])`

/** Continues with the entries that transactions of the org must see, if there are any. */
export const withMustSee = <A, E, R>(
  org: OrgId,
  next: (sequences: ReadonlyArray<number> | undefined) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.withFiberRuntime((fiber) => {
    const asked = Context.get(fiber.currentContext, MustSee)
    return next(asked !== undefined && asked.org === org ? asked.sequences : undefined)
  })

/** The statement that looks for entries; none where nothing is asked. */
export const statements = (
  org: OrgId,
  sequences: ReadonlyArray<number> | undefined
): ReadonlyArray<Driver.PipelinedStatement> =>
  sequences === undefined ? [] : [{ text: SEEN, values: [org, `{${sequences.join(",")}}`] }]

/** Why a transaction must not be used, by what the statement found; undefined where it sees every entry. */
export const refusal = (
  sequences: ReadonlyArray<number> | undefined,
  result: Driver.StatementResult | undefined
): SqlError | undefined => {
  if (sequences === undefined) return undefined
  const row = result?.rows[0]
  const seen = Predicate.isRecord(row) ? row.seen : undefined
  return seen === new Set(sequences).size
    ? undefined
    : new SqlError({ cause: new OnlyElsewhere("entry") })
}

/** Runs a transaction again until it sees the entries, at most for a while. */
export const awaited = <A, E, R>(
  sequences: ReadonlyArray<number> | undefined,
  attempt: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> => {
  if (sequences === undefined) return attempt
  const until = (end: number): Effect.Effect<A, E, R> =>
    Effect.catchIf(
      attempt,
      (error) => elsewhereReason(error) === "entry" && performance.now() < end,
      () => Effect.delay(until(end), EVERY_MILLIS)
    )
  return Effect.suspend(() => until(performance.now() + WAIT_MILLIS))
}
