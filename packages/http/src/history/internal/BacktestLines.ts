/** The lines of a backtest in the form of the contract: as they come, or in one answer. */
import {
  BacktestLine,
  type BacktestPolicy,
  type BacktestResponse,
  type EnvironmentLine,
  FLIPS_DEFAULT,
  type FlipLine,
  type BacktestNote as NoteOnWire
} from "@attestry/api/PolicyLabApi"
import type { CommitPosition } from "@attestry/core/CommitPosition"
import { toHiddenRows } from "@attestry/core/Hidden"
import type { EnvironmentName } from "@attestry/core/Identifier"
import type { StoreError } from "@attestry/core/StoreError"
import * as Timestamp from "@attestry/core/Timestamp"
import { toState } from "@attestry/core/Verdict"
import type { BacktestEvent, BacktestNote, BacktestRequest } from "@attestry/policy-lab/Backtests"
import * as PolicyBacktest from "@attestry/policy-lab/PolicyBacktest"
import type { CandidateSource } from "@attestry/policy-lab/PolicyDryRuns"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { UNAVAILABLE } from "../../shared/internal/WireErrors.js"

type Payload = typeof BacktestPolicy.Type
type Line = typeof BacktestLine.Type
type Of<Type extends BacktestEvent["type"]> = Extract<BacktestEvent, { readonly type: Type }>

/** The fields of a flip in a response. */
export interface Shown {
  readonly reasons: boolean
}

/** The request of a payload, with its defaults. */
export const requestOf = (payload: Payload, candidate: CandidateSource): BacktestRequest => {
  const { cursor, environments, from, replaces, to } = payload
  return {
    candidate,
    evidence: payload.knowledge ?? "judged",
    verify: payload.verify ?? true,
    limit: payload.limit ?? FLIPS_DEFAULT,
    ...(replaces === undefined ? {} : { replaces }),
    ...(environments === undefined ? {} : { environments }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(cursor === undefined || cursor === null ? {} : { cursor })
  }
}

const HOUR = 3_600_000_000

const hoursOf = ({ was, wouldBe }: PolicyBacktest.Micros) => ({
  was: was / HOUR,
  would_be: wouldBe / HOUR
})

const totalsOf = (
  { flips, hidden, nonCompliant, rows, rowTime, unreproduced }: PolicyBacktest.Totals,
  artifacts: number
) => {
  const { in_flight, ...causes } = unreproduced
  return {
    rows,
    ...toHiddenRows(hidden),
    flips,
    artifacts,
    non_compliant_hours: hoursOf(nonCompliant),
    row_hours: hoursOf(rowTime),
    unreproduced: in_flight === 0 ? causes : { ...causes, in_flight }
  }
}

const noteOf = (note: BacktestNote): typeof NoteOnWire.Type => ({
  ...note,
  message:
    `policy \`${note.policy}\` is attached to logical environment \`${note.environment}\`, whose verdict is not ` +
    "played: name it to see what would change there"
})

const horizonOf = ({ at, position }: CommitPosition) => ({ known: position, at })

const notesOf = (notes: ReadonlyArray<BacktestNote>) =>
  notes.length === 0 ? {} : { notes: notes.map(noteOf) }

const flipOf = ({ environment, flip, lasts }: Of<"flip">, shown: Shown): typeof FlipLine.Type => ({
  type: "flip",
  environment,
  ...(flip.member === undefined ? {} : { member: flip.member }),
  name: flip.name,
  fingerprint: flip.fingerprint,
  first_index: flip.firstIndex,
  last_index: flip.lastIndex,
  from: flip.from,
  to: lasts ? null : flip.to,
  was: toState(flip.was),
  would_be: toState(flip.wouldBe),
  ...(shown.reasons ? { reasons: flip.reasons() } : {}),
  ...(flip.continued ? { continued: true as const } : {}),
  ...(flip.continues ? { continues: true as const } : {})
})

const environmentOf = ({
  artifacts,
  environment,
  now,
  totals
}: Of<"environment">): typeof EnvironmentLine.Type => ({
  type: "environment",
  environment,
  ...totalsOf(totals, artifacts),
  now: now === null ? null : { was: toState(now.was), would_be: toState(now.wouldBe) }
})

const lineOf = (event: BacktestEvent, shown: Shown): Line => {
  switch (event.type) {
    case "flip":
      return flipOf(event, shown)
    case "environment":
      return environmentOf(event)
    case "done":
      return {
        type: "done",
        totals: totalsOf(event.totals, event.artifacts),
        truncated: event.truncated
      }
    case "progress": {
      const { artifacts, cursor, totals, ...line } = event
      return { ...line, totals: totalsOf(totals, artifacts), cursor }
    }
    case "started": {
      const { horizon, notes, ...line } = event
      return { ...line, horizon: horizonOf(horizon), ...notesOf(notes) }
    }
  }
}

const encode = Schema.encodeSync(BacktestLine)

/** The lines as text; a failure after the first line is the last line, with the cursor to go on by. */
export const print = (
  events: Stream.Stream<BacktestEvent, StoreError>,
  shown: Shown
): Stream.Stream<Uint8Array> => {
  let cursor: string | null = null
  return events.pipe(
    Stream.map((event): Line => {
      if (event.type === "progress" && event.cursor !== null) cursor = event.cursor
      return lineOf(event, shown)
    }),
    // WHY: the status was sent with the first line, so that a failure can only be said in a line.
    Stream.catchAll((error) =>
      Stream.fromEffect(
        Effect.as(Effect.logError("a backtest failed", error), {
          type: "failed" as const,
          message: UNAVAILABLE,
          cursor
        })
      )
    ),
    Stream.map((line) => `${JSON.stringify(encode(line))}\n`),
    Stream.encodeText
  )
}

interface Collected {
  readonly at: Of<"started"> | undefined
  readonly done: Of<"done"> | undefined
  readonly flips: Map<EnvironmentName, Array<PolicyBacktest.Flip>>
  readonly environments: Array<typeof EnvironmentLine.Type>
}

const NOTHING_AT = Timestamp.fromMicros(0)

const responseOf = (
  { at, done, environments, flips }: Collected,
  shown: Shown
): typeof BacktestResponse.Type => {
  // INVARIANT: every stream begins with `started` and ends with `done`; the defaults are never used.
  const horizon = at?.horizon ?? { position: 0, at: NOTHING_AT }
  const joined = Array.from(flips, ([environment, found]) =>
    PolicyBacktest.join(found).map((flip) =>
      flipOf({ type: "flip", environment, flip, lasts: flip.to === horizon.at }, shown)
    )
  )
  return {
    horizon: horizonOf(horizon),
    flips: joined.flat(),
    environments,
    totals: totalsOf(done?.totals ?? PolicyBacktest.empty, done?.artifacts ?? 0),
    truncated: done?.truncated ?? false,
    ...notesOf(at?.notes ?? [])
  }
}

/** All lines in one answer, in which flips that parts divide are joined. */
export const collect = (
  events: Stream.Stream<BacktestEvent, StoreError>,
  shown: Shown
): Effect.Effect<typeof BacktestResponse.Type, StoreError> => {
  const empty: Collected = { at: undefined, done: undefined, flips: new Map(), environments: [] }
  const collected = Stream.runFold(events, empty, (all, event): Collected => {
    switch (event.type) {
      case "started":
        return { ...all, at: event }
      case "done":
        return { ...all, done: event }
      case "environment":
        all.environments.push(environmentOf(event))
        return all
      case "flip": {
        const others = all.flips.get(event.environment)
        if (others === undefined) all.flips.set(event.environment, [event.flip])
        else others.push(event.flip)
        return all
      }
      default:
        return all
    }
  })
  return Effect.map(collected, (all) => responseOf(all, shown))
}
