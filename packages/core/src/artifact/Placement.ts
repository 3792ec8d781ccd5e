/**
 * Where a content runs and ran: what the snapshots of physical environments say about one fingerprint.
 *
 * Names of rows take no part: a content runs while one of its rows does. A logical environment has no rows of
 * its own and is no placement. Who reported the content, and when, makes no difference. DECISION B-145
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

/** A run of snapshots in which a content runs, without a break. */
export interface Run {
  /** The first snapshot in which it runs. */
  readonly started: SnapshotMoment
  /** The first snapshot in which it no longer runs; null while it runs in the current one. */
  readonly exited: SnapshotMoment | null
}

/** That a content runs, or ran, in an environment. */
export interface Placement {
  readonly fingerprint: Fingerprint
  readonly environment: EnvironmentId
  /** The name that the environment has now. */
  readonly environmentName: EnvironmentName
  readonly isArchived: boolean
  /** Index of the environment's current snapshot. */
  readonly currentIndex: number
  /** Oldest first. */
  readonly runs: Arr.NonEmptyReadonlyArray<Run>
}

/** One content in one snapshot of an environment. */
export interface PlacementKey {
  readonly environment: EnvironmentId
  readonly index: number
  readonly fingerprint: Fingerprint
}

/** A row of a content in a snapshot that it runs in. */
export interface PlacedContent extends Omit<PlacementKey, "index"> {
  readonly name: string
  readonly verdict: Verdict
}

/** An environment that an artifact runs in or ran in, and its current snapshot, in the spelling of the wire. */
export interface Sighting {
  readonly environment_name: string
  readonly snapshot_index: number
}

/** One line of history. */
export interface HistoryLine {
  readonly event: string
  /** Epoch seconds; of a commit, as the client sent them. */
  readonly timestamp: number
}

const lastRun = ({ runs }: Placement): Run => Arr.lastNonEmpty(runs)

/** Whether the content runs in the current snapshot. */
export const isRunning = (placement: Placement): boolean => lastRun(placement).exited === null

const sightingOf = ({ currentIndex, environmentName }: Placement): Sighting => ({
  environment_name: environmentName,
  snapshot_index: currentIndex
})

/** The environments that a content runs in now, and those that it ran in; archived ones are in neither list. */
export const sightings = (
  placements: ReadonlyArray<Placement>
): { readonly running: ReadonlyArray<Sighting>; readonly exited: ReadonlyArray<Sighting> } => {
  const present = placements.filter(({ isArchived }) => !isArchived)
  return {
    running: present.filter(isRunning).map(sightingOf),
    exited: present.filter((placement) => !isRunning(placement)).map(sightingOf)
  }
}

/** A line for each start and each exit, archived environments included, in order of time. */
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

/** The newest snapshot in which the content runs. */
export const newestKey = (placement: Placement): PlacementKey => {
  const { exited } = lastRun(placement)
  return {
    environment: placement.environment,
    index: exited === null ? placement.currentIndex : exited.index - 1,
    fingerprint: placement.fingerprint
  }
}

const exitedAt = (placement: Placement): number => lastRun(placement).exited?.at ?? Infinity

/** The placement that says most about what a content is now: one that runs, or else the last to exit. */
export const newest = (placements: ReadonlyArray<Placement>): Placement | undefined =>
  [...placements].sort((left, right) => exitedAt(right) - exitedAt(left))[0]
