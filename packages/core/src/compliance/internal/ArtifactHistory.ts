/**
 * The history of one artifact: its placements according to snapshots, and a line for each event about it on its
 * trail.
 */
import { type Artifact, commitOf } from "../../artifact/Artifact.js"
import * as Placement from "../../artifact/Placement.js"
import type { JournalEntry } from "../../journal/JournalEntry.js"
import * as Timestamp from "../../shared/Timestamp.js"

/** One line of an artifact's history. */
export interface ArtifactLine extends Placement.HistoryLine {
  /** Whether it is the report of the artifact itself. */
  readonly isCreation: boolean
}

/** The history of an artifact. */
export interface ArtifactHistory {
  readonly running: ReadonlyArray<Placement.Sighting>
  readonly exited: ReadonlyArray<Placement.Sighting>
  readonly history: ReadonlyArray<ArtifactLine>
}

type Content = { readonly [field: string]: unknown }

const contentOf = ({ content }: JournalEntry): Content => {
  const value: unknown = JSON.parse(content)
  return typeof value === "object" && value !== null ? { ...value } : {}
}

const isAbout = (artifact: Artifact, content: Content): boolean => {
  if (content.fingerprint === undefined)
    return content.artifact_fingerprint === artifact.fingerprint
  if (content.fingerprint !== null) return content.fingerprint === artifact.fingerprint
  const { slots } = content
  return (
    Array.isArray(slots) &&
    slots.includes(artifact.slot) &&
    content.commit === commitOf(artifact.report)
  )
}

/** The text of an entry; none for starts and exits, which snapshots give. */
const describe = (kind: string, content: Content): string | undefined =>
  kind.includes("attestation") ? `${content.name} reported` : undefined

const commitLine = ({ report }: Artifact): ReadonlyArray<Placement.HistoryLine> => {
  const commit = commitOf(report)
  const timestamp = report.git_commit_info?.timestamp
  return commit === null || timestamp === undefined || timestamp === null
    ? []
    : [{ event: `Commit ${commit.slice(0, 7)}`, timestamp }]
}

const reportedLines = (
  artifact: Artifact,
  entries: ReadonlyArray<JournalEntry>
): ReadonlyArray<Placement.HistoryLine> =>
  entries.flatMap((entry) => {
    const content = contentOf(entry)
    const event = describe(entry.kind, content)
    return event === undefined || !isAbout(artifact, content)
      ? []
      : [{ event, timestamp: Timestamp.toSeconds(entry.at) }]
  })

/** The history of an artifact, given the events of its trail, oldest first, and its placements. */
export const of = (
  artifact: Artifact,
  entries: ReadonlyArray<JournalEntry>,
  placements: ReadonlyArray<Placement.Placement>
): ArtifactHistory => {
  const created = {
    isCreation: true,
    event: `${artifact.slot} reported`,
    timestamp: Timestamp.toSeconds(artifact.created_at)
  }
  const others = [...reportedLines(artifact, entries), ...Placement.lines(placements)]
  const lines: ReadonlyArray<ArtifactLine> = [
    ...commitLine(artifact).map((line) => ({ isCreation: false, ...line })),
    created,
    ...others.map((line) => ({ isCreation: false, ...line }))
  ]
  return {
    ...Placement.sightings(placements),
    // WHY sorted: evidence may precede its artifact, and the clock may step between two entries.
    history: [...lines].sort((left, right) => left.timestamp - right.timestamp)
  }
}
