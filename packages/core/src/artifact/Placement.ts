/**
 * Where a fingerprint runs and ran, according to the snapshots of physical environments.
 *
 * A fingerprint runs while one of its rows does; the names of rows do not matter. A logical environment has no
 * rows of its own, so a fingerprint has no placement there.
 */
import * as Arr from "effect/Array"
import type { EnvironmentId, EnvironmentName } from "../shared/Identifier.js"
import * as Timestamp from "../shared/Timestamp.js"
import type { Verdict } from "../shared/Verdict.js"
import type { Fingerprint } from "./Fingerprint.js"

/** A snapshot of the environment, and when it was made. */
export interface SnapshotMoment {
  readonly index: number
  readonly at: Timestamp.Timestamp
}

/** An unbroken run of snapshots that contain a fingerprint. */
export interface Run {
  /** The first snapshot that contains it. */
  readonly started: SnapshotMoment
  /** The first snapshot after it that does not; null while the current snapshot contains it. */
  readonly exited: SnapshotMoment | null
}

/** One environment that a fingerprint runs or ran in. */
export interface Placement {
  readonly fingerprint: Fingerprint
  readonly environment: EnvironmentId
  /** The current name of the environment. */
  readonly environmentName: EnvironmentName
  readonly isArchived: boolean
  /** The index of the environment's current snapshot. */
  readonly currentIndex: number
  /** Oldest first. */
  readonly runs: Arr.NonEmptyReadonlyArray<Run>
}

/** One fingerprint in one snapshot of an environment. */
export interface PlacementKey {
  readonly environment: EnvironmentId
  readonly index: number
  readonly fingerprint: Fingerprint
}

/** A row of a fingerprint in a snapshot that contains it. */
export interface PlacedContent extends PlacementKey {
  readonly name: string
  readonly verdict: Verdict
}

/** A run in its environment. */
export interface PlacedRun extends Run {
  readonly environmentName: EnvironmentName
  /** The newest snapshot of the run. */
  readonly newest: PlacementKey
}

/** An environment that an artifact runs or ran in, with its current snapshot, in the spelling of the wire. */
export interface Sighting {
  readonly environment_name: string
  readonly snapshot_index: number
}

/** One line of history. */
export interface HistoryLine {
  readonly event: string
  /** Epoch seconds; for a commit, the value that the client sent. */
  readonly timestamp: number
}

const lastRun = ({ runs }: Placement): Run => Arr.lastNonEmpty(runs)

/** Whether the current snapshot contains the fingerprint. */
export const isRunning = (placement: Placement): boolean => lastRun(placement).exited === null

const sightingOf = ({ currentIndex, environmentName }: Placement): Sighting => ({
  environment_name: environmentName,
  snapshot_index: currentIndex
})

/** The environments that a fingerprint runs in now, and those that it ran in, without archived ones. */
export const sightings = (
  placements: ReadonlyArray<Placement>
): { readonly running: ReadonlyArray<Sighting>; readonly exited: ReadonlyArray<Sighting> } => {
  const present = placements.filter(({ isArchived }) => !isArchived)
  return {
    running: present.filter(isRunning).map(sightingOf),
    exited: present.filter((placement) => !isRunning(placement)).map(sightingOf)
  }
}

/** A line for each start and each exit in order of time, archived environments included. */
export const lines = (placements: ReadonlyArray<Placement>): ReadonlyArray<HistoryLine> =>
  placements
    .flatMap(({ environmentName, runs }) =>
      runs.flatMap(({ exited, started }) => [
        {
          at: started.at,
          event: `Started running in ${environmentName}#${started.index} environment`
        },
        ...(exited === null
          ? []
          : [
              {
                at: exited.at,
                event: `No longer running in ${environmentName}#${exited.index} environment`
              }
            ])
      ])
    )
    .sort((left, right) => left.at - right.at)
    .map(({ at, event }) => ({ event, timestamp: Timestamp.toSeconds(at) }))

/** The newest snapshot of a run. */
const lastKey = (
  { currentIndex, environment, fingerprint }: Placement,
  { exited }: Run
): PlacementKey => ({
  environment,
  index: exited === null ? currentIndex : exited.index - 1,
  fingerprint
})

/** The newest snapshot that contains the fingerprint. */
export const newestKey = (placement: Placement): PlacementKey =>
  lastKey(placement, lastRun(placement))

/** Every run, in the order of their starts, archived environments included. */
export const runsOf = (placements: ReadonlyArray<Placement>): ReadonlyArray<PlacedRun> =>
  placements
    .flatMap((placement) =>
      placement.runs.map((run) => ({
        ...run,
        environmentName: placement.environmentName,
        newest: lastKey(placement, run)
      }))
    )
    .sort((left, right) => left.started.at - right.started.at)

const exitedAt = (placement: Placement): number => lastRun(placement).exited?.at ?? Infinity

/** The placement to describe a fingerprint by: one where it runs, or else the last exit. */
export const newest = (placements: ReadonlyArray<Placement>): Placement | undefined =>
  [...placements].sort((left, right) => exitedAt(right) - exitedAt(left))[0]
