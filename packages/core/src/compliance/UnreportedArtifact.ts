/** An artifact without provenance that runs or ran in environments, described by their snapshots. */
import type { Fingerprint } from "../artifact/Fingerprint.js"
import * as Placement from "../artifact/Placement.js"
import * as Verdict from "../shared/Verdict.js"
import type { ArtifactHistory } from "./internal/ArtifactHistory.js"

/** An artifact without provenance. */
export interface UnreportedArtifact extends Omit<ArtifactHistory, "history"> {
  readonly fingerprint: Fingerprint
  /** The name in the runtime where it runs, or where it exited last. */
  readonly name: string
  /** The worst verdict where it runs now; Unknown where it has exited. */
  readonly verdict: Verdict.Verdict
  readonly history: ReadonlyArray<Placement.HistoryLine>
  /** Whether a flow has it that the caller does not read. */
  readonly isHidden: boolean
}

/** What else describes artifacts without provenance. */
export interface Sources {
  /** The rows of `keysOf`. */
  readonly rows: ReadonlyArray<Placement.PlacedContent>
  /** Those that a flow has which the caller does not read. */
  readonly hidden: ReadonlySet<Fingerprint>
}

/** The snapshots whose rows `of` needs: of each environment the newest one that contains the fingerprint. */
export const keysOf = (
  placements: ReadonlyArray<Placement.Placement>
): ReadonlyArray<Placement.PlacementKey> =>
  placements.filter(({ isArchived }) => !isArchived).map(Placement.newestKey)

/** The description of a fingerprint, given its placements. */
export const of = (
  fingerprint: Fingerprint,
  placements: ReadonlyArray<Placement.Placement>,
  { hidden, rows }: Sources
): UnreportedArtifact => {
  const present = placements.filter(({ isArchived }) => !isArchived)
  const rowsIn = ({ environment }: Placement.Placement) =>
    rows.filter((row) => row.fingerprint === fingerprint && row.environment === environment)
  const newest = Placement.newest(present)
  const [name = ""] =
    newest === undefined
      ? []
      : rowsIn(newest)
          .map((row) => row.name)
          .sort()
  return {
    fingerprint,
    name,
    verdict: Verdict.minimum(
      present
        .filter(Placement.isRunning)
        .flatMap((placement) => rowsIn(placement).map(({ verdict }) => verdict))
    ),
    ...Placement.sightings(placements),
    history: Placement.lines(placements),
    isHidden: hidden.has(fingerprint)
  }
}
