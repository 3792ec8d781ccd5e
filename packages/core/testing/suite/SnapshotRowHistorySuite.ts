/**
 * The contract of `HistoryStore` about rows of snapshots: parts without gaps, and rows that are those of each
 * snapshot.
 */

import * as CanonicalJson from "@attestry/core/CanonicalJson"
import { ref } from "@attestry/core/Environment"
import { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import { HistoryStore } from "@attestry/core/HistoryStore"
import type { Ports } from "@attestry/core/Ports"
import { SnapshotStore } from "@attestry/core/SnapshotStore"
import * as Timestamp from "@attestry/core/Timestamp"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import type * as Layer from "effect/Layer"
import * as Fixture from "../Fixture.js"
import { restlessHistory } from "../Snapshot.js"
import { suite } from "../Suite.js"
import type { SnapshotStoreSuiteOptions } from "./SnapshotStoreSuite.js"

const numbers = (first: number, last: number) =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at)

/** States the contract of `HistoryStore` about rows of snapshots. */
export const snapshotRowHistorySuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  { histories = 8, snapshots = 50, ...options }: SnapshotStoreSuiteOptions = {}
): void =>
  suite(`HistoryStore, rows of snapshots (${name})`, ports, options, (it) => {
    it.effect.prop(
      "has the rows of every snapshot, in parts that leave none out",
      {
        history: restlessHistory(snapshots),
        cut: FastCheck.tuple(FastCheck.nat(snapshots), FastCheck.nat(snapshots))
      },
      ({ cut, history }) =>
        Effect.gen(function* () {
          const store = yield* HistoryStore
          const org = yield* Fixture.org
          const place = ref(yield* Fixture.environment(org))
          const append = Effect.flatMap(SnapshotStore, (stored) =>
            Effect.forEach(history, ({ draft }) => stored.append(place, draft))
          )
          yield* append
          const [first, last] = [Math.min(...cut) + 1, Math.max(...cut) + 1]
          const parts = yield* store.rowParts(place, { first, last })
          deepStrictEqual(
            parts.flatMap((part) => numbers(part.first, part.last)),
            numbers(first, Math.min(last, history.length))
          )
          for (const part of parts) {
            const rows = yield* store.recordedRows(place, part)
            for (const index of numbers(part.first, part.last)) {
              const found = rows
                .filter((row) => row.firstIndex <= index && row.lastIndex >= index)
                .map((row) =>
                  CanonicalJson.print([
                    row.name,
                    row.fingerprint,
                    row.verdict,
                    row.startedIndex,
                    row.decisions
                  ])
                )
              const expected = (history[index - 1]?.running ?? []).map((row) =>
                CanonicalJson.print([
                  row.name,
                  row.fingerprint,
                  row.verdict,
                  row.started_index,
                  row.decisions
                ])
              )
              deepStrictEqual(found.sort(), expected.sort())
            }
          }
          const foreign = ref(yield* Fixture.environment(yield* Fixture.org))
          deepStrictEqual(yield* store.rowParts(foreign, { first: 1, last: 9 }), [])
          deepStrictEqual(yield* store.recordedRows(foreign, { first: 1, last: 9 }), [])
        }),
      { timeout: 600_000, fastCheck: { numRuns: histories, endOnFailure: true } }
    )

    it.effect("has the members of each snapshot of a logical environment", () =>
      Effect.gen(function* () {
        const store = yield* HistoryStore
        const snapshots = yield* SnapshotStore
        const org = yield* Fixture.org
        const made = { ...(yield* Fixture.newEnvironment(org, "all")), type: "logical" as const }
        yield* (yield* EnvironmentStore).insert({ ...made, included: [] })
        const group = ref(made)
        const [one, other] = [yield* Fixture.environment(org), yield* Fixture.environment(org)]
        const memberships = [[], [one], [one, other], [other]]
        for (const [at, members] of memberships.entries())
          yield* snapshots.appendLogical(group, {
            index: at + 1,
            timestamp: Timestamp.fromMillis(1_000 + at),
            verdict: "Unknown",
            counts: { true: 0, false: 0, null: 0 },
            policies: [],
            semantics: 1,
            members: members.map(({ id }) => ({ environment_id: id, index: at + 5 }))
          })
        const found = yield* store.memberIndexes(group, { first: 2, last: 9 })
        deepStrictEqual(
          found.map(({ index, members }) => [index, [...members]]),
          [
            [2, [[one.id, 6]]],
            [
              3,
              [
                [one.id, 7],
                [other.id, 7]
              ]
            ],
            [4, [[other.id, 8]]]
          ]
        )
        const foreign = ref(yield* Fixture.environment(yield* Fixture.org))
        deepStrictEqual(yield* store.memberIndexes(foreign, { first: 1, last: 9 }), [])
      })
    )
  })
