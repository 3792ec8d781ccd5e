/** Break-glass through the use cases, on any store: what it gives, marks and tells, and when. */
import { JournalStore } from "@attestry/core/JournalStore"
import { OutboxStore } from "@attestry/core/OutboxStore"
import type { Ports } from "@attestry/core/Ports"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import type * as Layer from "effect/Layer"
import type { TimeTravel } from "./DueSuite.js"
import {
  type Cast,
  cast,
  command,
  forget,
  OPENING,
  perform
} from "./internal/BreakGlassCommands.js"
import * as Model from "./internal/model/BreakGlassModel.js"
import { findings, services } from "./internal/PeopleWorld.js"
import { type SuiteIt, type SuiteOptions, suite } from "./Suite.js"

const journalOf = ({ org }: Cast) =>
  Effect.flatMap(JournalStore, (journal) =>
    journal.listAfter({ org: org.id, after: 0, limit: 10_000 })
  )

/** What was told of an org, in words, without an order. */
const toldOf = ({ org }: Cast) =>
  Effect.gen(function* () {
    const outbox = yield* OutboxStore
    const claimed = yield* outbox.claim({ limit: 10_000, perQueue: 10_000, leaseMillis: 1_000 })
    return claimed
      .flatMap(({ notification, org_id }) =>
        org_id === org.id && notification.event_type === "BREAK_GLASS"
          ? [`${notification.break_glass.number} ${notification.break_glass.change}`]
          : []
      )
      .sort()
  })

/** Runs a history in an org of its own, and compares tags, entries with their marks, and what is told. */
const follow = (history: ReadonlyArray<Model.Command>, { wait }: TimeTravel) =>
  Effect.gen(function* () {
    const shown = JSON.stringify(history)
    const of = yield* cast
    const before = (yield* journalOf(of)).length
    const model = Model.empty()
    for (const [index, each] of history.entries()) {
      const expected = Model.apply(model, each)
      if (each._tag === "wait") {
        yield* wait(each.minutes)
        // WHY: the time of a store moves, and not that of what use cases have read.
        yield* forget(of)
        continue
      }
      const tag = yield* perform(of, each, index)
      if (expected === "denied") assert.notStrictEqual(tag, "", `${index} of ${shown}`)
      else assert.strictEqual(tag, expected, `${index} of ${shown}`)
    }
    const people = new Map(Object.entries(of.actors).map(([short, { id }]) => [id, short] as const))
    const entries = (yield* journalOf(of)).slice(before)
    assert.deepStrictEqual(
      entries.map(({ actor, kind }) => [kind, people.get(actor.id), actor.break_glass]),
      model.entries.map((each) => [...each]),
      shown
    )
    assert.deepStrictEqual(yield* toldOf(of), [...model.told].sort(), shown)
    // WHY: documents of the journal do not move with the time of a store.
    if (!history.some(({ _tag }) => _tag === "wait"))
      assert.deepStrictEqual(yield* findings(of), [], shown)
    return model
  })

const laws = (it: SuiteIt, travel: TimeTravel, runs: number): void => {
  it.effect("AC-19: gives nothing outside its time, marks every entry in it, and is told", () =>
    Effect.gen(function* () {
      const marked = yield* follow(OPENING, travel)
      assert.deepStrictEqual(
        marked.entries.map(([kind, , mark]) => [kind, mark]),
        [
          ["grant_given", undefined],
          ["break_glass_opened", 1],
          ["space_created", 1],
          ["break_glass_opened", 2],
          ["space_created", 2],
          ["break_glass_closed", undefined],
          ["space_created", undefined]
        ]
      )
      const sample = FastCheck.sample(
        FastCheck.array(command, { minLength: 10, maxLength: 30 }),
        runs
      )
      for (const history of sample) yield* follow([...OPENING, ...history], travel)
    }).pipe(Effect.provide(services))
  )
}

/** Runs the suite on one store. */
export const breakGlassSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  {
    travel,
    runs,
    ...options
  }: SuiteOptions & { readonly travel: TimeTravel; readonly runs: number }
): void =>
  suite(`BreakGlasses (${name})`, ports, options, (it) => {
    laws(it, travel, runs)
  })
