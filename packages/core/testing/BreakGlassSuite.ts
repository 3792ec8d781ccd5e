/** Break-glass through the use cases, on any store: what it gives, marks and tells, and when. */
import { AccessQuestions } from "@attestry/core/AccessQuestions"
import * as AsOf from "@attestry/core/AsOf"
import * as BreakGlassEnds from "@attestry/core/BreakGlassEnds"
import { JournalStore } from "@attestry/core/JournalStore"
import { OutboxStore } from "@attestry/core/OutboxStore"
import type { Ports } from "@attestry/core/Ports"
import { Reaches } from "@attestry/core/Reaches"
import type { Timestamp } from "@attestry/core/Timestamp"
import { Transaction } from "@attestry/core/Transaction"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Layer from "effect/Layer"
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
import { as, findings, services } from "./internal/PeopleWorld.js"
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

/** The store's time, which is that of openings. */
const instantOf = ({ org }: Cast) =>
  Effect.flatMap(Transaction, (transaction) => transaction.run(org.id, (scope) => scope.now))

const revocation = (it: SuiteIt): void => {
  it.effect("P-REVOKE: its end holds on every process within a second", () =>
    Effect.gen(function* () {
      const of = yield* cast
      const [give, , open] = OPENING
      if (give?._tag !== "give" || open?._tag !== "open") return assert.fail()
      yield* perform(of, give, 0)
      const others = yield* Layer.build(Layer.fresh(services))
      const allowed = Effect.flatMap(Reaches, (reaches) =>
        reaches.isAllowedSomewhere(of.actors.dan, of.org.name, "space.write")
      )
      const elsewhere = Effect.provide(allowed, others)
      assert.deepStrictEqual([yield* allowed, yield* elsewhere], [false, false])
      assert.strictEqual(yield* perform(of, open, 1), "")
      const opened = performance.now()
      while (!(yield* elsewhere)) {
        assert.isBelow(performance.now() - opened, 1_000)
        yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 20)))
      }
      yield* perform(of, { _tag: "close", who: "dan", number: 1 }, 2)
      const since = performance.now()
      assert.isFalse(yield* allowed)
      while (yield* elsewhere) {
        assert.isBelow(performance.now() - since, 1_000)
        yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 20)))
      }
    }).pipe(Effect.scoped, Effect.provide(services))
  )
}

const instants = (it: SuiteIt): void => {
  it.effect(
    "AC-17: is in answers for instants of its time alone, and now is the live decision",
    () =>
      Effect.gen(function* () {
        const of = yield* cast
        const questions = yield* AccessQuestions
        const [give, , open] = OPENING
        if (give?._tag !== "give" || open?._tag !== "open") return assert.fail()
        const pause = Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 5)))
        const passed = Effect.zipRight(pause, Effect.zipLeft(instantOf(of), pause))
        const place = { kind: "space", name: "a/b" } as const
        const subject = { kind: "user", name: of.loginOf("dan") } as const
        const answers = (asOf: AsOf.AsOf) =>
          Effect.gen(function* () {
            const who = yield* questions.who(of.org.name, "space.write", { asOf, place })
            const { answer } = yield* questions.effective(of.org.name, { asOf, subject })
            return {
              isNamed: who.answer.subjects.some(({ holder }) => holder.name === subject.name),
              bindings: answer.bindings.map(({ kind, number }) => `${kind} ${number}`)
            }
          }).pipe(as(of.admin))
        const live = Effect.flatMap(Reaches, (reaches) =>
          reaches.isAllowedSomewhere(of.actors.dan, of.org.name, "space.write")
        )
        const OPEN = { isNamed: true, bindings: ["break-glass 1"] }
        const NONE = { isNamed: false, bindings: [] }
        yield* perform(of, give, 0)
        const before = yield* passed
        assert.deepStrictEqual([yield* answers(AsOf.now), yield* live], [NONE, false])
        yield* perform(of, open, 1)
        const during = yield* passed
        assert.deepStrictEqual([yield* answers(AsOf.now), yield* live], [OPEN, true])
        yield* perform(of, { _tag: "close", who: "dan", number: 1 }, 2)
        const after = yield* passed
        assert.deepStrictEqual([yield* answers(AsOf.now), yield* live], [NONE, false])
        const at = (instant: Timestamp) => answers({ _tag: "At", instant })
        assert.deepStrictEqual(
          [yield* at(before), yield* at(during), yield* at(after)],
          [NONE, OPEN, NONE]
        )
      }).pipe(Effect.provide(services))
  )
}

const reminders = (it: SuiteIt, { wait }: TimeTravel): void => {
  it.effect("the worker reminds of a review once a day, until it is made", () =>
    Effect.gen(function* () {
      const of = yield* cast
      for (const [index, each] of OPENING.slice(0, 3).entries())
        if (each._tag !== "wait") yield* perform(of, each, index)
      const told = ["1 opened"]
      const turn = (minutes: number, ...expected: ReadonlyArray<string>) =>
        Effect.gen(function* () {
          yield* wait(minutes)
          yield* BreakGlassEnds.lookAfterAll
          yield* BreakGlassEnds.lookAfterAll
          told.push(...expected)
          assert.deepStrictEqual(yield* toldOf(of), [...told].sort())
          // WHY: what was claimed comes again when the lease is over.
          yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 1_100)))
        })
      yield* turn(20, "1 expired")
      yield* turn(1_400)
      yield* turn(60, "1 waiting")
      yield* perform(of, { _tag: "review", who: "ada", number: 1 }, 3)
      yield* turn(1_450, "1 reviewed")
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
    revocation(it)
    instants(it)
    reminders(it, travel)
    laws(it, travel, runs)
  })
