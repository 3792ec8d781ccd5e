/**
 * What happened to one artifact, told from the history of its trail: where it runs, where it ran, and a
 * line for each thing that was reported about it.
 */
import { type Artifact, commitOf } from "../artifact/Artifact.js"
import type { JournalEntry } from "../journal/JournalEntry.js"
import * as Timestamp from "../shared/Timestamp.js"

/** An environment that an artifact runs in or ran in, and the snapshot that says so. */
export interface Sighting {
  readonly environment_name: string
  readonly snapshot_index: number
}

/** One line of history. */
export interface HistoryLine {
  /** Whether it is the report of the artifact itself. */
  readonly isCreation: boolean
  readonly event: string
  /** Epoch seconds; of a commit, as the client sent them. */
  readonly timestamp: number
}

/** What happened to an artifact. */
export interface ArtifactHistory {
  readonly running: ReadonlyArray<Sighting>
  readonly exited: ReadonlyArray<Sighting>
  readonly history: ReadonlyArray<HistoryLine>
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

const describe = (kind: string, content: Content): string | undefined => {
  const snapshot = `${content.environment_name}#${content.snapshot_index}`
  if (kind.includes("attestation")) return `${content.name} reported`
  if (kind === "artifact_started_running") return `Started running in ${snapshot} environment`
  if (kind === "artifact_stopped_running") return `No longer running in ${snapshot} environment`
  return undefined
}

const beginnings = (artifact: Artifact): ReadonlyArray<HistoryLine> => {
  const commit = commitOf(artifact.report)
  const timestamp = artifact.report.git_commit_info?.timestamp
  return [
    ...(commit === null || timestamp === undefined || timestamp === null
      ? []
      : [{ isCreation: false, event: `Commit ${commit.slice(0, 7)}`, timestamp }]),
    {
      isCreation: true,
      event: `${artifact.slot} reported`,
      timestamp: Timestamp.toSeconds(artifact.created_at)
    }
  ]
}

/** What happened to an artifact, given everything that happened on its trail, oldest first. */
export const of = (artifact: Artifact, entries: ReadonlyArray<JournalEntry>): ArtifactHistory => {
  const running = new Map<string, Sighting>()
  const exited = new Map<string, Sighting>()
  const lines: Array<HistoryLine> = [...beginnings(artifact)]
  for (const entry of entries) {
    const content = contentOf(entry)
    const event = describe(entry.kind, content)
    if (event === undefined || !isAbout(artifact, content)) continue
    lines.push({ isCreation: false, event, timestamp: Timestamp.toSeconds(entry.at) })
    const name = String(content.environment_name)
    const sighting = { environment_name: name, snapshot_index: Number(content.snapshot_index) }
    if (entry.kind === "artifact_started_running") {
      running.set(name, sighting)
      exited.delete(name)
    } else if (entry.kind === "artifact_stopped_running") {
      running.delete(name)
      exited.set(name, sighting)
    }
  }
  // WHY: evidence may come before its artifact, and a clock may have stepped between two entries.
  const history = lines.sort((left, right) => left.timestamp - right.timestamp)
  return { running: [...running.values()], exited: [...exited.values()], history }
}
