/**
 * The rows of a snapshot as JSON for `snapshot_append`: in one text, or in parts where they are very many.
 *
 * The text of all rows of a report of 140,000 would be made, and copied for the connection, in one turn of the event
 * loop.
 */
import * as Slices from "@attestry/core/Slices"
import type { SnapshotDraft } from "@attestry/core/SnapshotStore"
import * as Effect from "effect/Effect"
import { toDocument } from "../StoredRow.js"

/** The rows and events of one statement. */
export type Part = Pick<SnapshotDraft, "begun" | "ended" | "events">

/** So many of each are sent at once. */
export const PART_ROWS = 5_000

/** The parts, in order; a snapshot of few rows is one part. */
export const of = ({ begun, ended, events }: Part): ReadonlyArray<Part> => {
  const [begins, ends, happens] = [
    Slices.partsOf(begun, PART_ROWS),
    Slices.partsOf(ended, PART_ROWS),
    Slices.partsOf(events, PART_ROWS)
  ]
  const count = Math.max(begins.length, ends.length, happens.length)
  return Array.from({ length: count }, (_, at) => ({
    begun: begins[at] ?? [],
    ended: ends[at] ?? [],
    events: happens[at] ?? []
  }))
}

/** The text of a part. WHY each row by itself: the text of thousands is printed in slices. */
export const print = ({ begun, ended, events }: Part): Effect.Effect<string> =>
  Effect.gen(function* () {
    const begins = yield* Slices.map(begun, (row) => JSON.stringify(toDocument(row)))
    const ends = yield* Slices.map(ended, (row) => JSON.stringify(row))
    const happens = yield* Slices.map(events, ({ annotation, ...event }) =>
      JSON.stringify({ ...event, ...annotation })
    )
    return `{"ended":[${ends}],"begun":[${begins}],"events":[${happens}]}`
  })
