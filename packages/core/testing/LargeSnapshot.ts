/** Snapshots of very many rows, for tests of stores. */
import { Fingerprint } from "@attestry/core/Fingerprint"
import { SEMANTICS } from "@attestry/core/PolicySemantics"
import type { SnapshotDraft } from "@attestry/core/SnapshotStore"
import * as Timestamp from "@attestry/core/Timestamp"
import * as FastCheck from "effect/FastCheck"
import * as Fixture from "./Fixture.js"
import { restlessHistory } from "./Snapshot.js"

/** A row and the event of its beginning, from a generated history. */
const example = () => {
  for (const history of FastCheck.sample(restlessHistory(5), { numRuns: 20, seed: 7 }))
    for (const { draft } of history)
      for (const row of draft.begun) {
        const event = draft.events.find(({ name, arrived }) => name === row.name && arrived)
        if (event !== undefined) return { row, event }
      }
  throw new Error("no history has an artifact that arrives")
}

const fingerprintOf = (at: number) => Fingerprint.make(at.toString(16).padStart(64, "0"))

/** The drafts of two snapshots: in the second each row of the first has ended, and another has begun. */
export const replaced = (rows: number): ReadonlyArray<SnapshotDraft> => {
  const { event, row } = example()
  const begun = (index: number) =>
    Array.from({ length: rows }, (_, at) => ({
      ...row,
      name: `service-${at}`,
      fingerprint: fingerprintOf(index * rows + at),
      started_index: index
    }))
  const changeOf = ({
    fingerprint,
    name
  }: {
    readonly fingerprint: string
    readonly name: string
  }) => ({ ...event, fingerprint, name }) as typeof event
  return [1, 2].map((index) => {
    const ended =
      index === 1 ? [] : begun(1).map(({ fingerprint, name }) => ({ fingerprint, name }))
    const begins = begun(index)
    const exited = { type: "exited", was: 1, now: 0 } as const
    return {
      index,
      timestamp: Timestamp.plusSeconds(Fixture.AT, index),
      verdict: "Unknown",
      counts: { true: 0, false: 0, null: rows },
      policies: [],
      ended,
      begun: begins,
      events: [
        ...begins.map(changeOf),
        ...ended.map((gone) => ({ ...changeOf(gone), annotation: exited, arrived: false }))
      ],
      evaluated_all: true,
      semantics: SEMANTICS
    } as SnapshotDraft
  })
}
