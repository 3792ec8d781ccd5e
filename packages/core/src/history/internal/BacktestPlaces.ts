/**
 * The places of backtests that are played at a time: two of an org, and as many of all orgs as the host says.
 *
 * A place is taken before a backtest is planned, so that of several requests at once those too many are refused.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { OrgId } from "../../shared/Identifier.js"
import { BacktestsAtOnce } from "../BacktestsAtOnce.js"

/** How many backtests of one org a process plays at a time; of all orgs together: `BacktestsAtOnce`. */
export const AT_ONCE = 2

/** How long a place is kept for a stream that is not begun: its caller may be gone. */
const KEPT_MS = 30_000

/** As many backtests as may run at a time are running. */
export class TooManyBacktests extends Schema.TaggedError<TooManyBacktests>()("TooManyBacktests", {
  running: Schema.Int,
  where: Schema.Literal("of this org", "on this server")
}) {
  override get message(): string {
    return `${this.running} backtests ${this.where} are running: wait until one has ended`
  }
}

/** A place that was taken; it is given back once. */
export interface BacktestPlace {
  /** Keeps the place until it is given back. */
  readonly hold: Effect.Effect<void>
  readonly giveBack: Effect.Effect<void>
}

interface Taken {
  readonly org: OrgId
  readonly at: number
  isHeld: boolean
}

/** Makes the places of a process. */
export const make = Effect.map(BacktestsAtOnce, (atOnce) => {
  const taken = new Set<Taken>()

  /** Takes a place; fails while as many are running as may. */
  return (org: OrgId): Effect.Effect<BacktestPlace, TooManyBacktests> =>
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      Effect.suspend(() => {
        for (const each of taken) if (!each.isHeld && now - each.at > KEPT_MS) taken.delete(each)
        const own = [...taken].filter((each) => each.org === org).length
        if (own >= AT_ONCE) return new TooManyBacktests({ running: own, where: "of this org" })
        if (taken.size >= atOnce)
          return new TooManyBacktests({ running: taken.size, where: "on this server" })
        const place: Taken = { org, at: now, isHeld: false }
        taken.add(place)
        return Effect.succeed({
          hold: Effect.sync(() => {
            place.isHeld = true
            taken.add(place)
          }),
          giveBack: Effect.sync(() => {
            taken.delete(place)
          })
        })
      })
    )
})
