/**
 * Erases commits from rows of snapshots, and records the new digests of the snapshots' changes.
 *
 * The entry of a snapshot has one digest over its changes, which contain commit authors. A digest is replaced only if
 * it matches the stored rows, so earlier tampering is still found afterwards.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { ERASED } from "../../journal/ErasedMembers.js"
import type { JournalActor } from "../../journal/JournalEntry.js"
import { JournalStore } from "../../journal/JournalStore.js"
import { Journals } from "../../journal/Journals.js"
import type { EnvironmentId, OrgId } from "../../shared/Identifier.js"
import { Secrets } from "../../shared/Secrets.js"
import type { Timestamp } from "../../shared/Timestamp.js"
import * as Snapshot from "../../snapshot/Snapshot.js"
import { SnapshotStore } from "../../snapshot/SnapshotStore.js"
import { AuditStore } from "../AuditStore.js"
import { Replay } from "./Replay.js"
import type { RowsErased } from "./ReplayRules.js"
import { runningOf } from "./RunningRows.js"

/** The kind of entries that record new digests for an environment. */
export const KIND = "snapshot_rows_erased"

/** The texts removed from the entries of a trail. */
export interface ErasedTrail {
  readonly trail: string
  readonly texts: ReadonlyArray<string>
}

/** The org, the actor and the instant of the erasure. */
interface Erasing {
  readonly org: OrgId
  readonly actor: JournalActor
  readonly at: Timestamp
}

/** Makes the erasure of rows with the ports of a store. */
export const make = Effect.gen(function* () {
  const [journal, journals] = [yield* JournalStore, yield* Journals]
  const [snapshots, copies, secrets] = [yield* SnapshotStore, yield* AuditStore, yield* Secrets]

  /** The affected snapshots, by environment. */
  const affected = (org: OrgId, trails: ReadonlyArray<ErasedTrail>) =>
    Effect.gen(function* () {
      const found = new Map<EnvironmentId, Set<number>>()
      for (const trail of trails)
        for (const { environment, index } of yield* copies.listCommits(org, trail))
          found.set(environment, (found.get(environment) ?? new Set<number>()).add(index))
      return found
    })

  const runningAt = (org: OrgId, environment: EnvironmentId, index: number) =>
    Effect.map(
      snapshots.find({ org, environment }, { _tag: "AtIndex", index }),
      Option.match({ onNone: () => [], onSome: runningOf })
    )

  /** Replays the snapshots of an environment from its journal entries. */
  const replayedSnapshots = (org: OrgId, environment: EnvironmentId) =>
    Effect.gen(function* () {
      const replay = new Replay()
      const entries = yield* journal.listBySubject(org, { type: "environment", id: environment })
      for (const entry of entries) replay.accept(entry)
      return replay.snapshots.get(environment) ?? []
    })

  /** The digests of the stored changes of snapshots, by index. */
  const digestsOf = (org: OrgId, environment: EnvironmentId, indexes: ReadonlySet<number>) =>
    Effect.gen(function* () {
      const rows = new Map<number, string>()
      for (const index of indexes) {
        const before = yield* runningAt(org, environment, index - 1)
        const running = yield* runningAt(org, environment, index)
        const changes = Snapshot.printChanges(Snapshot.rowChanges(before, running))
        rows.set(index, yield* secrets.digest(changes))
      }
      return rows
    })

  /** Erases texts of commits from rows, and records the digests that changed. */
  const erase = (erasing: Erasing, trails: ReadonlyArray<ErasedTrail>) =>
    Effect.gen(function* () {
      const { actor, at, org } = erasing
      const found = yield* affected(org, trails)
      if (found.size === 0) return
      const before = yield* Effect.forEach(found, ([environment, indexes]) =>
        Effect.gen(function* () {
          const replayed = yield* replayedSnapshots(org, environment)
          return {
            environment,
            indexes,
            replayed,
            digests: yield* digestsOf(org, environment, indexes)
          }
        })
      )
      for (const trail of trails) yield* copies.eraseTexts(org, { ...trail, left: ERASED })
      for (const { environment, indexes, digests, replayed } of before) {
        const now = yield* digestsOf(org, environment, indexes)
        const rows = [...now].flatMap(([index, digest]) => {
          const known = replayed.find((each) => each.index === index)?.rows
          return known === digests.get(index) && known !== digest ? [{ index, digest }] : []
        })
        if (rows.length === 0) continue
        const content: RowsErased = { rows }
        yield* journals.record({
          org,
          actor,
          at,
          kind: KIND,
          content,
          subject: { type: "environment", id: environment }
        })
      }
    })

  return { erase } as const
})
