/** The law about the time in which artifacts ran, checked on everything that an org has. SPEC §4.3 */

import type { EnvironmentRef } from "@attestry/core/Environment"
import * as Exposure from "@attestry/core/Exposure"
import { type Fingerprint, FingerprintPrefix } from "@attestry/core/Fingerprint"
import type { OrgId } from "@attestry/core/Identifier"
import type { Ports } from "@attestry/core/Ports"
import { ReadModels } from "@attestry/core/ReadModels"
import * as SnapshotCounts from "@attestry/core/SnapshotCounts"
import { type ListedHead, SnapshotStore } from "@attestry/core/SnapshotStore"
import * as Timestamp from "@attestry/core/Timestamp"
import type { WholeWindow } from "@attestry/core/TimeWindow"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { integral } from "../internal/model/ExposureModel.js"

/** More than any history of a test has. */
const ALL = { page: 1, perPage: 1_000_000 }
const EVERY_INDEX = { first: 1, last: 1_000_000 }

/** The exposures of fingerprints that pass a filter, in the order of the list. */
export const exposuresOf = (
  org: OrgId,
  fingerprints: ReadonlyArray<Fingerprint>,
  filter: Exposure.ExposureFilter = {}
): Effect.Effect<ReadonlyArray<Exposure.Exposure>, unknown, Ports> =>
  Effect.gen(function* () {
    const store = yield* ReadModels
    const pages = yield* Effect.forEach(fingerprints, (each) => {
      const subject = { _tag: "Content", prefix: FingerprintPrefix.make(each) } as const
      return store.exposures(org, { ...filter, subject }, ALL)
    })
    return pages.flatMap(({ items }) => items).sort(Exposure.byNewest)
  })

/** What a head counts, without the rows that have no fingerprint. */
const countsOf = (ref: EnvironmentRef, { counts, index, timestamp }: ListedHead) =>
  Effect.gen(function* () {
    const found = yield* (yield* SnapshotStore).find(ref, { _tag: "AtIndex", index }, [""])
    const { rows } = Option.getOrThrow(found)
    const other = SnapshotCounts.count(
      rows.filter(({ annotation }) => annotation.type !== "exited")
    )
    return {
      at: timestamp,
      all: counts.true + counts.false + counts.null - other.true - other.false - other.null,
      nonCompliant: counts.false - other.false
    }
  })

/** How much of an exposure is in a window. */
const within = ({ from, to }: Exposure.Exposure, window: WholeWindow): number =>
  Math.max(0, Math.min(to ?? window.to, window.to) - Math.max(from, window.from))

/**
 * EXPO-2: in each window the times of exposures together are the integral of what the heads of snapshots count, and in
 * all of history those without compliance are the integral of what heads count as not compliant.
 */
export const timesAreCounts = (
  ref: EnvironmentRef,
  fingerprints: ReadonlyArray<Fingerprint>,
  windows: ReadonlyArray<WholeWindow>
): Effect.Effect<void, unknown, Ports> =>
  Effect.gen(function* () {
    const heads = yield* (yield* SnapshotStore).heads(ref, EVERY_INDEX)
    const counted = (yield* Effect.forEach(heads, (head) => countsOf(ref, head))).reverse()
    const counts = counted.map(({ all, at }) => ({ at, count: all }))
    const environments = [ref.environment]
    for (const window of windows) {
      const found = yield* exposuresOf(ref.org, fingerprints, { ...window, environments })
      assert.strictEqual(
        found.reduce((sum, exposure) => sum + within(exposure, window), 0),
        integral(counts, window),
        `EXPO-2 ${window.from} ${window.to}`
      )
    }
    const now = Timestamp.plusSeconds(Timestamp.fromMicros(counted.at(-1)?.at ?? 0), 60)
    const whole = yield* exposuresOf(ref.org, fingerprints, { environments })
    assert.strictEqual(
      whole.reduce(
        (sum, each) => sum + Math.round(Exposure.nonCompliantSeconds(each, now) * 1_000_000),
        0
      ),
      integral(
        counted.map(({ at, nonCompliant }) => ({ at, count: nonCompliant })),
        { from: 0, to: now }
      ),
      "EXPO-2, times without compliance"
    )
  })

/** EXPO-2 on an environment, in windows that begin and end with its snapshots and between them. */
export const check = (
  ref: EnvironmentRef,
  fingerprints: ReadonlyArray<Fingerprint>
): Effect.Effect<void, unknown, Ports> =>
  Effect.gen(function* () {
    const heads = yield* (yield* SnapshotStore).heads(ref, EVERY_INDEX)
    const [last, , before] = heads
    const first = heads.at(-1)
    if (last === undefined || first === undefined) return
    const middle = before ?? first
    const moved = (at: Timestamp.Timestamp, micros: number) => Timestamp.fromMicros(at + micros)
    yield* timesAreCounts(ref, fingerprints, [
      { from: moved(first.timestamp, -5), to: moved(last.timestamp, 1_000_000) },
      { from: middle.timestamp, to: last.timestamp },
      { from: moved(middle.timestamp, 1), to: moved(last.timestamp, 7) },
      { from: last.timestamp, to: last.timestamp }
    ])
  })
