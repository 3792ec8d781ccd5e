/**
 * The state that the journal of an org describes: the expected value of each record. Pure.
 *
 * Entries are applied in the order of sequence numbers. Most contain the whole resource after the change; the others
 * change members of a known resource. Append-only records, of which there are very many, are returned immediately,
 * and only their keys are remembered.
 */
import * as EvidenceEntry from "../../evidence/internal/EvidenceEntry.js"
import * as CurrentProposal from "../../journal/CurrentProposal.js"
import * as ErasedMembers from "../../journal/ErasedMembers.js"
import type { JournalEntry } from "../../journal/JournalEntry.js"
import type { Timestamp } from "../../shared/Timestamp.js"
import type { Columns, RecordKind } from "../AuditStore.js"
import * as ReplayLinks from "./ReplayLinks.js"
import * as ReplayRules from "./ReplayRules.js"
import { membersOf, type ReplayedSnapshot } from "./ReplayState.js"
import { RepoLinks } from "./RepoLinks.js"

/** The expected value of a record. */
export interface ReplayedRecord {
  readonly table: RecordKind
  readonly key: string
  readonly columns: Columns
}

/** The last entry after which a trail was evaluated. */
export interface ReplayedEvaluation {
  readonly sequence: number
  readonly at: Timestamp
}

/** Kinds of entries after which a trail is evaluated, besides attestations. */
const EVALUATING: ReadonlySet<string> = new Set([
  "trail_reported",
  "trail_updated",
  "trail_evaluated",
  "artifact_creation_reported"
])

/** Columns that the journal does not determine, or that only serve speed. */
export const EXEMPT: { readonly [table in RecordKind]?: ReadonlyArray<string> } = {
  api_key: ["last_used_at"],
  // `RepoLinks` compares both, once all repositories are known.
  artifact: ["repo_id"],
  environment: ["last_reported_at"],
  notification_config: ["last_notified_at", "failed_at", "error"],
  notification_target: ["last_success_at", "last_failure_at", "last_error", "disabled_at"],
  repo: ["latest_activity_at"],
  trail: ["repo_ids"]
}

/** The flow of a known trail, which its artifacts and attestations share. */
const flowOf = (trail: Columns | undefined): unknown => trail?.flow_id ?? null

/** The state of an org after the applied entries. */
export class Replay {
  /** Records that can change, by table and key. */
  readonly records = new Map<RecordKind, Map<string, Columns>>()
  /** Records that may or may not be stored, by table and key. */
  readonly spare = new Map<RecordKind, Map<string, Columns>>()
  /** Keys of append-only records, by table. */
  readonly appended = new Map<RecordKind, Set<string>>()
  /** The fingerprints of the files that attestations and documents name. */
  readonly files = new Set<string>()
  /** Those of them that were erased and that no later attestation names. */
  readonly erasedFiles = new Set<string>()
  /** The snapshots of each environment, by index. */
  readonly snapshots = new Map<string, Array<ReplayedSnapshot>>()
  /** The last entry after which each trail was evaluated, by its id. */
  readonly evaluations = new Map<string, ReplayedEvaluation>()
  /**
   * The entries after which each trail was evaluated, by trail id and sequence number, with whether the entry must
   * have a row in `trail_event`.
   */
  readonly evaluated = new Map<string, Map<number, boolean>>()
  /** The sequence number of the entry that began each trail, by trail id. */
  readonly #begun = new Map<string, number>()
  /** The repositories that records must be linked to. */
  readonly links = new RepoLinks()

  /** `isDigested` says whether attestations get the digest that their rows have, which costs the most of an entry. */
  constructor(readonly isDigested = true) {}

  /** Applies the next entry; returns the append-only records that it adds. */
  accept(entry: JournalEntry): ReadonlyArray<ReplayedRecord> {
    // No record has the proposal of its change.
    const { [CurrentProposal.MEMBER]: _proposal, ...members } = membersOf(
      ErasedMembers.contentOf(entry)
    )
    const change = ReplayRules.CHANGES[entry.kind]
    if (change !== undefined) change(this, entry, members)
    if (EVALUATING.has(entry.kind) || ReplayRules.isAttestation(entry.kind)) this.#evaluated(entry)
    return this.#added(entry, members)
  }

  /** The records of a table that can change. */
  table(name: RecordKind): Map<string, Columns> {
    const known = this.records.get(name) ?? new Map<string, Columns>()
    this.records.set(name, known)
    return known
  }

  /** The records of a table that may or may not be stored. */
  optional(name: RecordKind): Map<string, Columns> {
    const known = this.spare.get(name) ?? new Map<string, Columns>()
    this.spare.set(name, known)
    return known
  }

  #evaluated({ kind, subject: { id }, sequence, at }: JournalEntry): void {
    const known = this.evaluated.get(id) ?? new Map<number, boolean>()
    // A report that begins its trail has two entries with one instant; only the report's own has a row in
    // `trail_event`.
    const before = this.evaluations.get(id)
    if (this.#begun.get(id) === before?.sequence && before?.at === at)
      known.set(before.sequence, false)
    if (kind === "trail_reported") this.#begun.set(id, sequence)
    this.evaluations.set(id, { sequence, at })
    this.evaluated.set(id, known.set(sequence, true))
  }

  #added(entry: JournalEntry, content: Columns): ReadonlyArray<ReplayedRecord> {
    const common = {
      org_id: entry.org_id,
      trail_id: entry.subject.id,
      flow_id: flowOf(this.table("trail").get(entry.subject.id)),
      sequence: entry.sequence,
      created_by: entry.actor.name,
      created_at: entry.at
    }
    if (entry.kind === "artifact_creation_reported") {
      ReplayLinks.artifactReported(this, entry, content)
      return [this.#add("artifact", ReplayRules.artifactOf(content, common))]
    }
    if (!ReplayRules.isAttestation(entry.kind)) return this.#evidence(entry, content)
    ReplayLinks.attestationReported(this, entry, content)
    this.#named(content)
    return [this.#add("attestation", ReplayRules.attestationOf(content, common, this.isDigested))]
  }

  #evidence(entry: JournalEntry, content: Columns): ReadonlyArray<ReplayedRecord> {
    const added = EvidenceEntry.recordsOf(entry, content)
    if (added.length > 0) this.#named(content)
    return added.map(({ columns, key, table }) => this.#add(table, columns, key))
  }

  /** Notes the files that an entry names. */
  #named(content: Columns): void {
    for (const fingerprint of ReplayRules.filesOf(content)) {
      this.files.add(fingerprint)
      this.erasedFiles.delete(fingerprint)
    }
  }

  #add(table: RecordKind, columns: Columns, key = String(columns.id)): ReplayedRecord {
    const keys = this.appended.get(table) ?? new Set<string>()
    this.appended.set(table, keys.add(key))
    return { table, key, columns }
  }
}
