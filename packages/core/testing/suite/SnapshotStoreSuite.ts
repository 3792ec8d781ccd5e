/** What every `SnapshotStore` must do: give back each snapshot exactly as it was appended. */
import { type EnvironmentRef, ref } from "@attestry/core/Environment"
import type { Ports } from "@attestry/core/Ports"
import { keyOf } from "@attestry/core/RunningRow"
import type { Snapshot, SnapshotRow } from "@attestry/core/Snapshot"
import type { Locator } from "@attestry/core/SnapshotExpression"
import { type SnapshotDraft, SnapshotStore } from "@attestry/core/SnapshotStore"
import * as Timestamp from "@attestry/core/Timestamp"
import { Transaction } from "@attestry/core/Transaction"
import { assert } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { type AppendedSnapshot, snapshotHistory } from "../arbitrary/Snapshot.js"
import * as Fixture from "./Fixture.js"
import { type SuiteOptions, suite } from "./Suite.js"

/** How many histories are tried, and how long each is. */
export interface SnapshotStoreSuiteOptions extends SuiteOptions {
  readonly histories?: number
  readonly snapshots?: number
}

const stored = Effect.map(
  Effect.flatMap(Fixture.org, (org) => Fixture.environment(org)),
  ref
)

const atIndex = (index: number): Locator => ({ _tag: "AtIndex", index })
const atInstant = (instant: number): Locator => ({
  _tag: "AtInstant",
  instant: Timestamp.fromMicros(instant)
})

const headOf = ({ index, timestamp, verdict, counts }: SnapshotDraft) => ({
  index,
  timestamp,
  verdict,
  counts
})

const byKey = (rows: ReadonlyArray<SnapshotRow>) =>
  [...rows].sort((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1))

const snapshotOf = (
  { org, environment }: EnvironmentRef,
  { draft, rows }: AppendedSnapshot,
  next: AppendedSnapshot | undefined
): Snapshot => ({
  org_id: org,
  environment_id: environment,
  ...headOf(draft),
  rows,
  members: null,
  next_timestamp: next?.draft.timestamp ?? null
})

/** Appends a history, and looks after each step at what the next one would build on. */
const appendAll = (environment: EnvironmentRef, history: ReadonlyArray<AppendedSnapshot>) =>
  Effect.gen(function* () {
    const store = yield* SnapshotStore
    for (const { draft, running } of history) {
      yield* store.append(environment, draft)
      deepStrictEqual(yield* store.latest(environment), Option.some(headOf(draft)))
      deepStrictEqual(byKey(yield* store.running(environment)), byKey(running))
    }
  })

/** Every snapshot of a history by its index, and by the first and the last instant at which it held. */
const findAll = (environment: EnvironmentRef, history: ReadonlyArray<AppendedSnapshot>) =>
  Effect.gen(function* () {
    const store = yield* SnapshotStore
    for (const [at, appended] of history.entries()) {
      const next = history[at + 1]
      const expected = Option.some(snapshotOf(environment, appended, next))
      const { index, timestamp } = appended.draft
      deepStrictEqual(yield* store.find(environment, atIndex(index)), expected)
      deepStrictEqual(yield* store.find(environment, atInstant(timestamp)), expected)
      const last = next === undefined ? Timestamp.MICROSECONDS_MAX : next.draft.timestamp - 1
      deepStrictEqual(yield* store.find(environment, atInstant(last)), expected)
    }
  })

const emptyDraft = (index: number, timestamp: Timestamp.Timestamp): SnapshotDraft => ({
  index,
  timestamp,
  verdict: "Unknown",
  counts: { true: 0, false: 0, null: 0 },
  ended: [],
  begun: [],
  events: []
})

/** States the contract of `SnapshotStore`. */
export const snapshotStoreSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  { histories = 30, snapshots = 60, ...options }: SnapshotStoreSuiteOptions = {}
): void =>
  suite(`SnapshotStore (${name})`, ports, options, (it) => {
    it.effect.prop(
      "gives back every snapshot of a long history as it was appended",
      { history: snapshotHistory(snapshots) },
      ({ history }) =>
        Effect.gen(function* () {
          const environment = yield* stored
          yield* appendAll(environment, history)
          yield* findAll(environment, history)
        }),
      { timeout: 600_000, fastCheck: { numRuns: histories, endOnFailure: true } }
    )

    it.effect("has nothing before the first snapshot, and only that after it", () =>
      Effect.gen(function* () {
        const store = yield* SnapshotStore
        const environment = yield* stored
        deepStrictEqual(yield* store.latest(environment), Option.none())
        deepStrictEqual(yield* store.running(environment), [])
        const locators = [
          atIndex(0),
          atIndex(-1),
          atIndex(2),
          atIndex(999_999_999),
          atInstant(Fixture.AT - 1),
          atInstant(-Timestamp.MICROSECONDS_MAX)
        ]
        const look = Effect.forEach([atIndex(1), ...locators], (at) => store.find(environment, at))
        deepStrictEqual(yield* look, Array(7).fill(Option.none()))
        yield* store.append(environment, emptyDraft(1, Fixture.AT))
        const [first, ...others] = yield* look
        deepStrictEqual(first, yield* store.find(environment, atInstant(Fixture.AT)))
        deepStrictEqual(others, Array(6).fill(Option.none()))
      })
    )

    it.effect("refuses an index that exists, and keeps what is there", () =>
      Effect.gen(function* () {
        const store = yield* SnapshotStore
        const environment = yield* stored
        yield* store.append(environment, emptyDraft(1, Fixture.AT))
        const before = yield* store.find(environment, atIndex(1))
        const again = store.append(environment, {
          ...emptyDraft(1, Fixture.LATER),
          verdict: "Compliant"
        })
        assert.strictEqual((yield* Effect.flip(again))._tag, "StoreError")
        deepStrictEqual(yield* store.find(environment, atIndex(1)), before)
      })
    )

    it.effect.prop(
      "keeps environments and orgs apart, and undoes with the transaction",
      { history: snapshotHistory(3) },
      ({ history }) =>
        Effect.gen(function* () {
          const store = yield* SnapshotStore
          const transaction = yield* Transaction
          const org = yield* Fixture.org
          const one = ref(yield* Fixture.environment(org))
          const two = ref(yield* Fixture.environment(org, "staging"))
          const foreign = yield* stored
          yield* appendAll(one, history)
          yield* Effect.flip(
            transaction.run(org.id, () =>
              Effect.zipRight(appendAll(two, history), Effect.fail("no"))
            )
          )
          const strangers = [two, foreign, { org: foreign.org, environment: one.environment }]
          for (const stranger of strangers) {
            deepStrictEqual(yield* store.latest(stranger), Option.none())
            deepStrictEqual(yield* store.running(stranger), [])
            deepStrictEqual(yield* store.find(stranger, atIndex(1)), Option.none())
          }
          yield* findAll(one, history)
        }),
      { fastCheck: { numRuns: 3 } }
    )
  })
