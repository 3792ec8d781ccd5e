/** The contract of `SnapshotStore`: returns each snapshot as it was appended. */

import * as CanonicalJson from "@attestry/core/CanonicalJson"
import { type EnvironmentRef, ref } from "@attestry/core/Environment"
import { type Page, slice } from "@attestry/core/Page"
import { SEMANTICS } from "@attestry/core/PolicySemantics"
import type { Ports } from "@attestry/core/Ports"
import { ReadModels } from "@attestry/core/ReadModels"
import { keyOf } from "@attestry/core/RunningRow"
import type { RowGroup, Snapshot, SnapshotRow } from "@attestry/core/Snapshot"
import type { Locator } from "@attestry/core/SnapshotExpression"
import { type SnapshotDraft, SnapshotStore } from "@attestry/core/SnapshotStore"
import * as Timestamp from "@attestry/core/Timestamp"
import { Transaction } from "@attestry/core/Transaction"
import { assert } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Fixture from "../Fixture.js"
import { type AppendedSnapshot, snapshotHistory } from "../Snapshot.js"
import { type SuiteOptions, suite } from "../Suite.js"

/** The number of histories, and their length. */
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

const headOf = ({ index, timestamp, verdict, counts, policies }: SnapshotDraft) => ({
  index,
  timestamp,
  verdict,
  counts,
  policies
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

/** Appends a history, and after each step reads what the next one depends on. */
const appendAll = (environment: EnvironmentRef, history: ReadonlyArray<AppendedSnapshot>) =>
  Effect.gen(function* () {
    const store = yield* SnapshotStore
    for (const { draft, running } of history) {
      yield* store.append(environment, draft)
      deepStrictEqual(yield* store.latest(environment), Option.some(headOf(draft)))
      deepStrictEqual(byKey(yield* store.running(environment)), byKey(running))
      yield* countAll(environment, running)
    }
  })

/** A text of a count of rows that is equal for equal verdicts and decisions. */
const countKey = ({ decisions, verdict }: Pick<SnapshotRow, "decisions" | "verdict">) =>
  CanonicalJson.print({ verdict, decisions })

/** The counts of decided rows are those of the running rows. */
const countAll = (environment: EnvironmentRef, running: ReadonlyArray<SnapshotRow>) =>
  Effect.gen(function* () {
    const counts = new Map<string, number>()
    const found = yield* (yield* ReadModels).evaluatedRows(environment.org, [
      environment.environment
    ])
    for (const group of found) {
      assert.strictEqual(group.environment, environment.environment)
      counts.set(countKey(group), (counts.get(countKey(group)) ?? 0) + group.rows)
    }
    const expected = new Map<string, number>()
    for (const row of running) expected.set(countKey(row), (expected.get(countKey(row)) ?? 0) + 1)
    deepStrictEqual([...counts].sort(), [...expected].sort())
  })

/** Pages of rows; each snapshot has one of them. */
const PAGES: ReadonlyArray<Page> = [
  { page: 1, perPage: 2 },
  { page: 2, perPage: 2 },
  { page: 1, perPage: 100 },
  { page: 1, perPage: 0 }
]

/** The grouped rows of a snapshot have the pages of its rows, and count all of them. */
const groupAll = (environment: EnvironmentRef, { index, rows }: Snapshot) =>
  Effect.gen(function* () {
    const groupKey = (row: Pick<RowGroup, "decisions" | "verdict" | "isExited">) =>
      `${row.isExited} ${countKey(row)}`
    const expected = new Map<string, number>()
    for (const { annotation, ...row } of rows) {
      const key = groupKey({ ...row, isExited: annotation.type === "exited" })
      expected.set(key, (expected.get(key) ?? 0) + 1)
    }
    const page = PAGES[index % PAGES.length] ?? { page: 1, perPage: 0 }
    const grouped = yield* (yield* ReadModels).groupedRows(environment, index, page)
    deepStrictEqual(
      grouped.page,
      slice(rows, page).items.map(({ name, fingerprint }) => ({ name, fingerprint }))
    )
    const counts = new Map<string, number>()
    for (const group of grouped.groups)
      counts.set(groupKey(group), (counts.get(groupKey(group)) ?? 0) + group.rows)
    deepStrictEqual([...counts].sort(), [...expected].sort())
  })

/** Every snapshot of a history by its index, and by the first and the last instant of its time. */
const findAll = (environment: EnvironmentRef, history: ReadonlyArray<AppendedSnapshot>) =>
  Effect.gen(function* () {
    const store = yield* SnapshotStore
    for (const [at, appended] of history.entries()) {
      const next = history[at + 1]
      const expected = Option.some(snapshotOf(environment, appended, next))
      const { index, timestamp } = appended.draft
      deepStrictEqual(yield* store.find(environment, atIndex(index)), expected)
      deepStrictEqual(yield* store.find(environment, atInstant(timestamp)), expected)
      yield* groupAll(environment, Option.getOrThrow(expected))
      const only = appended.rows.slice(0, 2).map(({ fingerprint }) => fingerprint)
      deepStrictEqual(
        yield* store.find(environment, atIndex(index), only),
        Option.map(expected, (whole) => ({
          ...whole,
          rows: whole.rows.filter(({ fingerprint }) => only.includes(fingerprint))
        }))
      )
      const last = next === undefined ? Timestamp.MICROSECONDS_MAX : next.draft.timestamp - 1
      deepStrictEqual(yield* store.find(environment, atInstant(last)), expected)
    }
  })

const logOf = (history: ReadonlyArray<AppendedSnapshot>) =>
  history.flatMap(({ draft }) =>
    draft.events.map(({ name, fingerprint, annotation }, at) => ({
      index: draft.index,
      position: at + 1,
      name,
      fingerprint,
      annotation
    }))
  )

/** Parts of the log, from both ends, after any number of events, and after a position. */
const readLog = (environment: EnvironmentRef, history: ReadonlyArray<AppendedSnapshot>) =>
  Effect.gen(function* () {
    const store = yield* SnapshotStore
    const span = { first: 3, last: Math.max(3, history.length - 2) }
    const log = logOf(history.slice(span.first - 1, span.last))
    if (history.length >= span.last)
      assert.strictEqual(yield* store.countEvents(environment, span), log.length)
    const whole = { first: 1, last: history.length }
    assert.strictEqual(yield* store.countEvents(environment, whole), logOf(history).length)
    for (const newestFirst of [false, true]) {
      const ordered = newestFirst ? log.slice().reverse() : log
      for (const skip of [0, 1, 2, ordered.length >> 1, ordered.length - 1, ordered.length]) {
        const query = { span, skip: Math.max(0, skip), limit: 5, newestFirst }
        const found = yield* store.events(environment, { ...query, after: Option.none() })
        deepStrictEqual(
          found.map(({ index, position, row: { name, fingerprint }, annotation }) => ({
            index,
            position,
            name,
            fingerprint,
            annotation
          })),
          ordered.slice(query.skip, query.skip + 5)
        )
        const [first, ...rest] = found
        if (first === undefined) continue
        const next = { ...query, skip: 0, limit: rest.length, after: Option.some(first) }
        deepStrictEqual(yield* store.events(environment, next), rest)
      }
    }
  })

const emptyDraft = (index: number, timestamp: Timestamp.Timestamp): SnapshotDraft => ({
  index,
  timestamp,
  verdict: "Unknown",
  counts: { true: 0, false: 0, null: 0 },
  policies: [],
  ended: [],
  begun: [],
  events: [],
  evaluated_all: true,
  semantics: SEMANTICS
})

/** States the contract of `SnapshotStore`. */
export const snapshotStoreSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  { histories = 30, snapshots = 60, ...options }: SnapshotStoreSuiteOptions = {}
): void =>
  suite(`SnapshotStore (${name})`, ports, options, (it) => {
    it.effect.prop(
      "returns every snapshot of a long history unchanged",
      { history: snapshotHistory(snapshots) },
      ({ history }) =>
        Effect.gen(function* () {
          const environment = yield* stored
          yield* appendAll(environment, history)
          yield* findAll(environment, history)
          yield* readLog(environment, history)
        }),
      { timeout: 600_000, fastCheck: { numRuns: histories, endOnFailure: true } }
    )

    it.effect("has nothing before the first snapshot, and only it afterwards", () =>
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

    it.effect("refuses an index that exists, and keeps its snapshot", () =>
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
      "separates environments and orgs, and rolls back with the transaction",
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
            deepStrictEqual(
              yield* (yield* ReadModels).evaluatedRows(stranger.org, [stranger.environment]),
              []
            )
            deepStrictEqual(yield* store.find(stranger, atIndex(1)), Option.none())
            deepStrictEqual(
              yield* (yield* ReadModels).groupedRows(stranger, 1, { page: 1, perPage: 20 }),
              {
                page: [],
                groups: []
              }
            )
          }
          yield* findAll(one, history)
        }),
      { fastCheck: { numRuns: 3 } }
    )
  })
