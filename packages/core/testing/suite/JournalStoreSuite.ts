/** The contract of `JournalStore`. */
import type { OrgId } from "@attestry/core/Identifier"
import type { JournalDraft } from "@attestry/core/JournalEntry"
import * as JournalFilter from "@attestry/core/JournalFilter"
import { JournalStore } from "@attestry/core/JournalStore"
import type { Ports } from "@attestry/core/Ports"
import { fromMicros } from "@attestry/core/Timestamp"
import { TrailStore } from "@attestry/core/TrailStore"
import { Transaction } from "@attestry/core/Transaction"
import { assert } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as JournalFilters from "../arbitrary/JournalFilters.js"
import { json, text, timestamp } from "../arbitrary/Text.js"
import * as Fixture from "../Fixture.js"
import { type SuiteIt, type SuiteOptions, suite } from "../Suite.js"

const draftOf = (org: OrgId, kind: string, subject = "flow-1"): JournalDraft => ({
  org_id: org,
  kind,
  subject: { type: "flow", id: subject },
  actor: { kind: "user", id: "user-1", name: "anna" },
  at: Fixture.AT,
  content: "{}",
  digest: "0".repeat(64)
})

/** Contents with characters that only JSON escapes can express, or in an unusual spelling. */
const escaped = FastCheck.constantFrom(
  '{"a":"\\u0000"}',
  '{"\\ud800":["\\\\u0000","\\""]}',
  '{ "b" : 1.0, "a":{"b":1,"b":2} }',
  ' {"a":1e2} ',
  '[{"é":"\u2028"}]',
  '"{}"',
  "null"
)

const kindsOf = (entries: ReadonlyArray<{ readonly kind: string }>) =>
  entries.map(({ kind }) => kind)

const nearest = (it: SuiteIt) => {
  it.effect("lists the entries of a kind and a subject nearest to an instant, nearest first", () =>
    Effect.gen(function* () {
      const store = yield* JournalStore
      const { id: org } = yield* Fixture.org
      const other = yield* Fixture.org
      const at = (offset: number) => fromMicros(Fixture.AT + offset)
      const put = (offset: number, draft: JournalDraft) =>
        store.append({ ...draft, at: at(offset), content: `${offset}` })
      for (const offset of [0, 10, 20, 30, 40]) {
        yield* put(offset, draftOf(org, "a"))
        yield* put(offset, draftOf(org, "b"))
        yield* put(offset, draftOf(org, "a", "flow-2"))
        yield* put(offset, draftOf(other.id, "a"))
      }
      const subject = { type: "flow", id: "flow-1" }
      const found = (offset: number, limit: number) =>
        Effect.map(
          store.listNearest({ org, subject, kind: "a", at: at(offset), limit }),
          (entries) => entries.map(({ content }) => Number(content))
        )
      assert.deepStrictEqual(yield* found(21, 3), [20, 30, 10])
      assert.deepStrictEqual(yield* found(15, 2), [10, 20])
      assert.deepStrictEqual(yield* found(-5, 100), [0, 10, 20, 30, 40])
      assert.deepStrictEqual(yield* found(99, 1), [40])
      const none = { org, subject: { ...subject, id: "nothing" }, kind: "a", at: at(0), limit: 1 }
      assert.deepStrictEqual(yield* store.listNearest(none), [])
    })
  )
}

const looking = (it: SuiteIt) => {
  it.effect("looks back, newest first, each look below the one before", () =>
    Effect.gen(function* () {
      const store = yield* JournalStore
      const { id: org } = yield* Fixture.org
      const other = yield* Fixture.org
      for (const kind of ["a", "b", "c", "d", "e"]) {
        yield* store.append(draftOf(org, kind, kind))
        yield* store.append(draftOf(other.id, "foreign"))
      }
      const look = (limit: number, before?: number) =>
        store.scanBack({
          org,
          filter: {},
          limit,
          readMax: limit + 1,
          ...(before === undefined ? {} : { before })
        })
      const first = yield* look(2)
      const second = yield* look(2, Option.getOrThrow(first.next))
      const third = yield* look(2, Option.getOrThrow(second.next))
      deepStrictEqual(
        [first, second, third].map(({ entries }) => kindsOf(entries)),
        [["e", "d"], ["c", "b"], ["a"]]
      )
      deepStrictEqual(third.next, Option.none())
      const whole = yield* look(5)
      deepStrictEqual([kindsOf(whole.entries).join(""), whole.next], ["edcba", Option.none()])
      const none = yield* look(2, third.entries[0]?.sequence)
      deepStrictEqual(none, { entries: [], next: Option.none() })
    })
  )

  it.effect.prop(
    "finds what the filter accepts, once each, however few entries a look may read",
    { filter: JournalFilters.filter, limit: FastCheck.integer({ min: 1, max: 4 }) },
    ({ filter, limit }) =>
      Effect.gen(function* () {
        const store = yield* JournalStore
        const { id: org } = yield* Fixture.org
        yield* store.appendAll(JournalFilters.drafts(draftOf(org, "")))
        const all = yield* store.listAfter({ org, after: 0, limit: 100 })
        const found: Array<number> = []
        let before: number | undefined
        let looks = 0
        do {
          const { entries, next } = yield* store.scanBack({
            org,
            filter,
            limit,
            readMax: 5,
            ...(before === undefined ? {} : { before })
          })
          assert.strictEqual(entries.length <= limit, true)
          found.push(...entries.map(({ sequence }) => sequence))
          before = Option.getOrUndefined(next)
          looks += 1
        } while (before !== undefined && looks < 100)
        const accepted = all.filter((entry) => JournalFilter.accepts(filter, entry))
        deepStrictEqual(found, accepted.map(({ sequence }) => sequence).reverse())
      }),
    { fastCheck: { numRuns: 20 } }
  )
}

/** States the contract of `JournalStore`. */
export const journalStoreSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void =>
  suite(`JournalStore (${name})`, ports, options, (it) => {
    looking(it)
    nearest(it)

    it.effect.prop(
      "returns every entry unchanged",
      {
        content: json.map((value) => JSON.stringify(value)),
        words: FastCheck.array(text, { minLength: 4, maxLength: 4 }),
        kind: FastCheck.constantFrom(
          "user" as const,
          "service-account" as const,
          "system" as const
        ),
        at: timestamp,
        digest: FastCheck.hexaString({ minLength: 64, maxLength: 64 })
      },
      ({ content, words: [a = "", b = "", c = "", d = ""], kind, at, digest }) =>
        Effect.gen(function* () {
          const store = yield* JournalStore
          const { id } = yield* Fixture.org
          const subject = { type: a, id: b }
          const actor = { kind, id: c, name: d }
          const draft = { org_id: id, kind: a, subject, actor, at, content, digest }
          const entry = yield* store.append(draft)
          deepStrictEqual(entry, { ...draft, sequence: entry.sequence })
          deepStrictEqual(yield* store.listBySubject(id, subject), [entry])
        }),
      { fastCheck: { numRuns: 20 } }
    )

    it.effect.prop(
      "returns every entry about a trail unchanged, under its lock or with others",
      {
        content: FastCheck.oneof(
          json.map((value) => JSON.stringify(value)),
          escaped
        )
      },
      ({ content }) =>
        Effect.gen(function* () {
          const store = yield* JournalStore
          const trails = yield* TrailStore
          const transaction = yield* Transaction
          const flow = yield* Fixture.flow(yield* Fixture.org)
          const trail = yield* Fixture.trail(flow)
          const { org_id: org } = flow
          const subject = { type: "trail", id: trail.id }
          const drafts = ["one", "two", "three", "four"].map((kind) => ({
            ...draftOf(org, kind),
            subject,
            content
          }))
          const alone = yield* transaction.run(org, () =>
            Effect.zipRight(
              trails.lockWithFlow({ org, flow: flow.name, name: trail.name }),
              Effect.forEach(drafts.slice(0, 2), store.append)
            )
          )
          yield* store.appendAll(drafts.slice(2))
          const found = yield* store.listBySubject(org, subject)
          deepStrictEqual(found.slice(0, 2), alone)
          deepStrictEqual(
            found.map(({ sequence: _, ...draft }) => draft),
            drafts
          )
        }),
      { fastCheck: { numRuns: 20 } }
    )

    it.effect("numbers entries upwards, and lists those of a subject oldest first", () =>
      Effect.gen(function* () {
        const store = yield* JournalStore
        const { id } = yield* Fixture.org
        const one = yield* store.append(draftOf(id, "one"))
        yield* store.append(draftOf(id, "other", "flow-2"))
        const two = yield* store.append(draftOf(id, "two"))
        yield* store.append({ ...draftOf(id, "trail"), subject: { type: "trail", id: "flow-1" } })
        const three = yield* store.append(draftOf(id, "three"))
        assert.strictEqual(one.sequence < two.sequence && two.sequence < three.sequence, true)
        deepStrictEqual(yield* store.listBySubject(id, one.subject), [one, two, three])
        deepStrictEqual(yield* store.listBySubject(id, { type: "flow", id: "none" }), [])
      })
    )

    it.effect("lists entries of several subjects of one type, oldest first", () =>
      Effect.gen(function* () {
        const store = yield* JournalStore
        const { id } = yield* Fixture.org
        const other = yield* Fixture.org
        const one = yield* store.append(draftOf(id, "one"))
        const two = yield* store.append(draftOf(id, "two", "flow-2"))
        yield* store.append(draftOf(id, "not asked for", "flow-3"))
        yield* store.append({ ...draftOf(id, "trail"), subject: { type: "trail", id: "flow-1" } })
        yield* store.append(draftOf(other.id, "foreign"))
        const three = yield* store.append(draftOf(id, "three"))
        const list = (ids: ReadonlyArray<string>) => store.listBySubject(id, { type: "flow", ids })
        deepStrictEqual(yield* list(["flow-2", "flow-1", "none"]), [one, two, three])
        deepStrictEqual(yield* list([]), [])
      })
    )

    it.effect("pages, each page after the last entry of the one before", () =>
      Effect.gen(function* () {
        const store = yield* JournalStore
        const { id: org } = yield* Fixture.org
        for (const kind of ["a", "b", "c", "d", "e"]) yield* store.append(draftOf(org, kind, kind))
        const first = yield* store.listAfter({ org, after: 0, limit: 2 })
        const second = yield* store.listAfter({ org, after: first[1]?.sequence ?? 0, limit: 2 })
        const third = yield* store.listAfter({ org, after: second[1]?.sequence ?? 0, limit: 2 })
        deepStrictEqual([first, second, third].map(kindsOf), [["a", "b"], ["c", "d"], ["e"]])
        deepStrictEqual(
          yield* store.listNumbersAfter({ org, after: first[1]?.sequence ?? 0, limit: 2 }),
          second.map(({ sequence }) => sequence)
        )
        const end = third[0]?.sequence ?? 0
        deepStrictEqual(yield* store.listAfter({ org, after: end, limit: 2 }), [])
      })
    )

    it.effect("separates orgs", () =>
      Effect.gen(function* () {
        const store = yield* JournalStore
        const [one, other] = yield* Effect.all([Fixture.org, Fixture.org])
        const entry = yield* store.append(draftOf(one.id, "one"))
        yield* store.append(draftOf(other.id, "other"))
        deepStrictEqual(yield* store.listBySubject(one.id, entry.subject), [entry])
        deepStrictEqual(yield* store.listAfter({ org: one.id, after: 0, limit: 9 }), [entry])
      })
    )

    it.effect("has no entry of a write that was rolled back, and continues upwards", () =>
      Effect.gen(function* () {
        const store = yield* JournalStore
        const transaction = yield* Transaction
        const { id: org } = yield* Fixture.org
        const before = yield* store.append(draftOf(org, "before"))
        const undone = Effect.zipRight(store.append(draftOf(org, "undone")), Effect.fail("no"))
        yield* Effect.flip(transaction.run(org, () => undone))
        const after = yield* store.append(draftOf(org, "after"))
        assert.strictEqual(after.sequence > before.sequence, true)
        deepStrictEqual(yield* store.listAfter({ org, after: 0, limit: 9 }), [before, after])
      })
    )
  })
