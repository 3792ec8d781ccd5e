/**
 * A content that runs or ran somewhere and that no flow knows: what its environments say about it.
 * DECISION B-147
 */
import type { Fingerprint } from "../artifact/Fingerprint.js"
import * as Placement from "../artifact/Placement.js"
import * as Verdict from "../shared/Verdict.js"
import type { ArtifactHistory } from "./internal/ArtifactHistory.js"

/** A content without provenance. */
export interface UnreportedArtifact extends Omit<ArtifactHistory, "history"> {
  readonly fingerprint: Fingerprint
  /** What the runtime called it where it runs, or where it exited last. */
  readonly name: string
  /** The worst verdict about it where it runs now; Unknown where it has exited. */
  readonly verdict: Verdict.Verdict
  readonly history: ReadonlyArray<Placement.HistoryLine>
}

/** The snapshots whose rows `of` needs: the newest that the content runs in, of each environment. */
export const keysOf = (
  placements: ReadonlyArray<Placement.Placement>
): ReadonlyArray<Placement.PlacementKey> =>
  placements.filter(({ isArchived }) => !isArchived).map(Placement.newestKey)

/** What is known of a content, given where it runs and ran and the rows that were asked for. */
export const of = (
  fingerprint: Fingerprint,
  placements: ReadonlyArray<Placement.Placement>,
  rows: ReadonlyArray<Placement.PlacedContent>
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
    history: Placement.lines(placements)
  }
}
