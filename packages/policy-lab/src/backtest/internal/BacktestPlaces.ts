/**
 * The slots of backtests that run at a time: two of each org, and a number of all orgs that the host sets.
 *
 *
 * A request takes its slot before it is planned, so that concurrent requests beyond the limit are refused.
 */

import type { OrgId } from "@attestry/core/Identifier"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { BacktestsAtOnce } from "../BacktestsAtOnce.js"

/** The limit of backtests of one org that a process runs at a time; that of all orgs is `BacktestsAtOnce`. */
export const AT_ONCE = 2

/** The time after which a slot is freed whose stream was not read: its caller may be gone. */
const KEPT_MS = 30_000

/** The limit of running backtests is reached. */
export class TooManyBacktests extends Schema.TaggedError<TooManyBacktests>()("TooManyBacktests", {
  running: Schema.Int,
  where: Schema.Literal("of this org", "on this server")
}) {
  override get message(): string {
    return `${this.running} backtests ${this.where} are running: wait until one has ended`
  }
}

/** A slot that was taken; it is released once. */
export interface BacktestPlace {
  /** Keeps the slot until it is released. */
  readonly hold: Effect.Effect<void>
  readonly giveBack: Effect.Effect<void>
}

interface Taken {
  readonly org: OrgId
  readonly at: number
  isRunning: boolean
}

/** Makes the slots of a process. */
export const make = Effect.map(BacktestsAtOnce, (atOnce) => {
  const taken = new Set<Taken>()

  /** Takes a slot; fails at the limit. */
  return (org: OrgId): Effect.Effect<BacktestPlace, TooManyBacktests> =>
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      Effect.suspend(() => {
        for (const each of taken) if (!each.isRunning && now - each.at > KEPT_MS) taken.delete(each)
        const own = [...taken].filter((each) => each.org === org).length
        if (own >= AT_ONCE) return new TooManyBacktests({ running: own, where: "of this org" })
        if (taken.size >= atOnce)
          return new TooManyBacktests({ running: taken.size, where: "on this server" })
        const place: Taken = { org, at: now, isRunning: false }
        taken.add(place)
        return Effect.succeed({
          hold: Effect.sync(() => {
            place.isRunning = true
            taken.add(place)
          }),
          giveBack: Effect.sync(() => {
            taken.delete(place)
          })
        })
      })
    )
})
