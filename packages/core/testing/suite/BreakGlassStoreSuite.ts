/** The contract of `BreakGlassStore`, and what journals say of people whose break-glass is open. */
import * as BreakGlass from "@attestry/core/BreakGlass"
import { type BreakGlassQuery, BreakGlassStore } from "@attestry/core/BreakGlassStore"
import { ApiKeyId, SpaceId } from "@attestry/core/Identifier"
import type { JournalDraft } from "@attestry/core/JournalEntry"
import { JournalStore } from "@attestry/core/JournalStore"
import type { Org } from "@attestry/core/Org"
import type { Ports } from "@attestry/core/Ports"
import * as Timestamp from "@attestry/core/Timestamp"
import { Transaction } from "@attestry/core/Transaction"
import { assert } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Fixture from "../Fixture.js"
import { type SuiteIt, type SuiteOptions, suite } from "../Suite.js"

const PAGE = { page: 1, perPage: 100 }
const { AT, LATER } = Fixture
const before = (at: Timestamp.Timestamp) => Timestamp.fromMicros(at - 1)
const BETWEEN = Timestamp.plusSeconds(AT, 30)
const CLOSER = { user_id: "u-2", user: "tom" }
const REVIEW: BreakGlass.Review = { at: LATER, user_id: "u-3", user: "ada", comment: "fine 🦉" }

const draft = (
  org: Org,
  fields: Partial<BreakGlass.BreakGlassDraft> = {}
): BreakGlass.BreakGlassDraft => ({
  org_id: org.id,
  user_id: "u-1",
  opened_by: "anna",
  credential: ApiKeyId.make("key-1"),
  means: "grant",
  space_id: SpaceId.make("s1"),
  role: "admin",
  reason: "the gate 🦉 is stuck",
  minutes: 15,
  opened_at: AT,
  ends_at: LATER,
  closed_at: null,
  closed_by: null,
  reviewed: null,
  ...fields
})

/** Adds an opening in a transaction, as the port asks. */
const append = (glass: BreakGlass.BreakGlassDraft) =>
  Effect.gen(function* () {
    const store = yield* BreakGlassStore
    const transaction = yield* Transaction
    return yield* transaction.run(glass.org_id, () => store.append(glass))
  })

const openings = (it: SuiteIt): void => {
  it.effect("numbers the openings of each org from 1, also those of concurrent transactions", () =>
    Effect.gen(function* () {
      const store = yield* BreakGlassStore
      const [org, other] = yield* Effect.all([Fixture.org, Fixture.org])
      const made = yield* Effect.all(
        ["a", "b", "c"].map((user_id) => append(draft(org, { user_id }))),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(made.map(({ number }) => number).sort(), [1, 2, 3])
      const one = yield* append(draft(other))
      deepStrictEqual(one, { ...draft(other), number: 1 })
      deepStrictEqual(yield* store.find({ org: other.id, number: 1 }), Option.some(one))
      deepStrictEqual(yield* store.find({ org: other.id, number: 2 }), Option.none())
    })
  )

  it.effect("lets one at a time look for the opening of a person, and add one", () =>
    Effect.gen(function* () {
      const store = yield* BreakGlassStore
      const transaction = yield* Transaction
      const org = yield* Fixture.org
      const open = transaction.run(org.id, () =>
        Effect.gen(function* () {
          const found = yield* store.lockOpen(org.id, "u-1")
          if (Option.isSome(found)) return 0
          yield* store.append(draft(org))
          return 1
        })
      )
      const counts = yield* Effect.all([open, open, open, open], { concurrency: "unbounded" })
      assert.deepStrictEqual([...counts].sort(), [0, 0, 0, 1])
      deepStrictEqual(yield* store.lockOpen(org.id, "u-2"), Option.none())
    })
  )

  it.effect("writes end and review, and no other field", () =>
    Effect.gen(function* () {
      const store = yield* BreakGlassStore
      const org = yield* Fixture.org
      const made = yield* append(draft(org))
      const closed = BreakGlass.close(made, BETWEEN, CLOSER)
      yield* store.decide({ ...closed, role: "reader", reason: "ignored" })
      deepStrictEqual(yield* store.find(BreakGlass.keyOf(made)), Option.some(closed))
      const reviewed = BreakGlass.review(closed, REVIEW)
      yield* store.decide(reviewed)
      deepStrictEqual(yield* store.find(BreakGlass.keyOf(made)), Option.some(reviewed))
      yield* store.decide({ ...closed, number: 7 })
    })
  )
}

const instants = (it: SuiteIt): void => {
  it.effect("counts from its beginning to its end, or until it is closed", () =>
    Effect.gen(function* () {
      const store = yield* BreakGlassStore
      const org = yield* Fixture.org
      const made = yield* append(draft(org))
      yield* append(draft(org, { user_id: "u-2" }))
      const numberAt = (at: Timestamp.Timestamp, user = "u-1") =>
        Effect.map(store.findAt(org.id, user, at), (found) => Option.getOrNull(found)?.number)
      const all = (at: Timestamp.Timestamp) =>
        Effect.map(store.listAt(org.id, at), (found) => found.map(({ number }) => number))
      deepStrictEqual(yield* numberAt(before(AT)), undefined)
      deepStrictEqual(yield* numberAt(AT), 1)
      deepStrictEqual(yield* numberAt(AT, "u-2"), 2)
      deepStrictEqual(yield* numberAt(before(LATER)), 1)
      deepStrictEqual(yield* numberAt(LATER), undefined)
      deepStrictEqual(yield* all(AT), [1, 2])
      yield* store.decide(BreakGlass.close(made, BETWEEN, CLOSER))
      deepStrictEqual(yield* numberAt(before(BETWEEN)), 1)
      deepStrictEqual(yield* numberAt(BETWEEN), undefined)
      deepStrictEqual(yield* all(BETWEEN), [2])
      deepStrictEqual(yield* store.lockOpen(org.id, "u-1"), Option.none())
      deepStrictEqual(yield* store.listAt((yield* Fixture.org).id, AT), [])
    })
  )

  it.effect("lists states at an instant, newest first", () =>
    Effect.gen(function* () {
      const store = yield* BreakGlassStore
      const org = yield* Fixture.org
      const users = ["open", "closed", "expired", "reviewed"]
      for (const user_id of users) yield* append(draft(org, { user_id }))
      yield* append(draft(org, { user_id: "long", ends_at: Timestamp.plusSeconds(LATER, 60) }))
      const [, closed, , reviewed] = (yield* store.listAt(org.id, AT)).map((each) =>
        BreakGlass.close(each, BETWEEN, CLOSER)
      )
      if (closed === undefined || reviewed === undefined) return assert.fail()
      yield* store.decide(closed)
      yield* store.decide(BreakGlass.review(reviewed, REVIEW))
      const numbers = (query: BreakGlassQuery) =>
        Effect.map(store.list(org.id, query, PAGE), ({ items }) => items.map((each) => each.number))
      deepStrictEqual(yield* numbers({ now: AT }), [5, 4, 3, 2, 1])
      deepStrictEqual(yield* numbers({ now: AT, states: ["open"] }), [5, 3, 1])
      deepStrictEqual(yield* numbers({ now: LATER, states: ["open"] }), [5])
      deepStrictEqual(yield* numbers({ now: LATER, states: ["expired"] }), [3, 1])
      deepStrictEqual(yield* numbers({ now: LATER, states: ["closed", "reviewed"] }), [4, 2])
      deepStrictEqual(yield* numbers({ now: LATER, states: [] }), [])
      deepStrictEqual(yield* numbers({ now: LATER, user: "closed" }), [2])
    })
  )

  it.effect("lists what is over, and what is to be told until it is reviewed", () =>
    Effect.gen(function* () {
      const store = yield* BreakGlassStore
      const org = yield* Fixture.org
      const made = yield* append(draft(org))
      deepStrictEqual(yield* store.listOver(org.id, before(LATER)), [])
      deepStrictEqual(yield* store.listOver(org.id, LATER), [1])
      deepStrictEqual(yield* store.listToNotify(org.id, LATER), [])
      const expired = BreakGlass.expire(made)
      yield* store.decide(expired)
      deepStrictEqual(yield* store.listOver(org.id, LATER), [])
      deepStrictEqual(yield* store.listToNotify(org.id, AT), [])
      deepStrictEqual(yield* store.listToNotify(org.id, LATER), [1])
      yield* store.recordNotice(BreakGlass.keyOf(made), LATER)
      deepStrictEqual(yield* store.listToNotify(org.id, LATER), [])
      deepStrictEqual(yield* store.listToNotify(org.id, Timestamp.plusSeconds(LATER, 1)), [1])
      yield* store.decide(BreakGlass.review(expired, REVIEW))
      deepStrictEqual(yield* store.listToNotify(org.id, Timestamp.plusSeconds(LATER, 1)), [])
    })
  )
}

const marks = (it: SuiteIt): void => {
  it.effect("AC-19: every entry of the person in its time has its number, and no other entry", () =>
    Effect.gen(function* () {
      const store = yield* BreakGlassStore
      const journal = yield* JournalStore
      const org = yield* Fixture.org
      const made = yield* append(draft(org))
      yield* append(draft(yield* Fixture.org, { user_id: "u-4" }))
      yield* store.decide(BreakGlass.close(made, BETWEEN, CLOSER))
      const entry = (
        id: string,
        at: Timestamp.Timestamp,
        kind: "user" | "service-account" | "system" = "user"
      ): JournalDraft => ({
        org_id: org.id,
        kind: "x",
        subject: { type: "flow", id: "f" },
        actor: { kind, id, name: "n" },
        at,
        content: "{}",
        digest: "a".repeat(64)
      })
      const drafts = [
        entry("u-1", before(AT)),
        entry("u-1", AT),
        entry("u-1", before(BETWEEN)),
        entry("u-1", BETWEEN),
        entry("u-4", AT),
        entry("u-1", AT, "service-account"),
        entry("u-1", AT, "system")
      ]
      const numbers = [undefined, 1, 1, undefined, undefined, undefined, undefined]
      const appended = yield* Effect.forEach(drafts, journal.append)
      deepStrictEqual(
        appended.map(({ actor }) => actor.break_glass),
        numbers
      )
      yield* journal.appendAll(drafts)
      const found = yield* journal.listBySubject(org.id, { type: "flow", id: "f" })
      deepStrictEqual(
        found.map(({ actor }) => actor.break_glass),
        [...numbers, ...numbers]
      )
    })
  )
}

/** States the contract of `BreakGlassStore`. */
export const breakGlassStoreSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void =>
  suite(`BreakGlassStore (${name})`, ports, options, (it) => {
    openings(it)
    instants(it)
    marks(it)
  })
