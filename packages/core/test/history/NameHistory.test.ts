/** A name as of an instant leads to what the tables of names of that time lead to. */

import * as Timestamp from "@attestry/core/Timestamp"
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as NameHistory from "../../src/history/internal/NameHistory.js"
import * as Model from "../../testing/internal/model/NameModel.js"

const NAMES = ["x", "y", "z"]
const IDS = ["1", "2", "3", "4"]

const Step = FastCheck.record({
  id: FastCheck.constantFrom(...IDS),
  name: FastCheck.constantFrom(...NAMES),
  archives: FastCheck.boolean()
})

/** The steps that a store would accept: a name that another thing has is taken, and archived things change no more. */
const accepted = (
  steps: ReadonlyArray<{ readonly id: string; readonly name: string; readonly archives: boolean }>
): ReadonlyArray<Model.NameEvent> => {
  const events: Array<Model.NameEvent> = []
  for (const [place, { archives, id, name }] of steps.entries()) {
    const last = events.filter((each) => each.id === id).at(-1)
    if (last?.isArchived === true) continue
    const at = 10 * (place + 1)
    if (archives && last !== undefined)
      events.push({ at, id, name: `${last.name}-archived-${at}`, isArchived: true })
    else if (
      Model.holder(events, { name, keepsArchived: true }) === undefined ||
      isFree(events, name)
    )
      events.push({ at, id, name, isArchived: false })
  }
  return events
}

const isFree = (events: ReadonlyArray<Model.NameEvent>, name: string): boolean =>
  IDS.every((id) => events.filter((each) => each.id === id).at(-1)?.name !== name)

describe("NameHistory", () => {
  it.prop(
    "finds what a name led to at every instant (law HIST-35)",
    [FastCheck.array(Step, { maxLength: 16 }), FastCheck.boolean()],
    ([steps, keepsArchived]) => {
      const events = accepted(steps)
      const things = IDS.map((id) => ({
        id,
        versions: events
          .filter((event) => event.id === id)
          .map(({ at, isArchived, name }) => ({
            name,
            position: at,
            at: Timestamp.fromMicros(at),
            archived_at: isArchived ? Timestamp.fromMicros(at) : null
          }))
      }))
      for (let instant = 0; instant <= 10 * (steps.length + 1); instant += 5)
        for (const name of NAMES) {
          const until = events.filter(({ at }) => at <= instant)
          const found = NameHistory.holderAt(things, {
            name,
            instant: Timestamp.fromMicros(instant),
            keepsArchived
          })
          assert.strictEqual(found?.id, Model.holder(until, { name, keepsArchived }))
        }
    }
  )
})
