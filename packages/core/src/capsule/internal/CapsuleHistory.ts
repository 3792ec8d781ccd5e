/**
 * The evidence, settings and snapshots that the entries of a capsule describe, in the order of the log. Pure.
 *
 * `Replay` applies the entries; this keeps what changed and when, so that each evaluation is done by what was recorded
 * before it. The index of an entry is its position.
 */
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import { AttestationFacts } from "../../attestation/AttestationFacts.js"
import type {
  EvidenceHistory,
  FlowVersion,
  StoredTrailEvent,
  TimedRecord
} from "../../history/FingerprintHistory.js"
import type { JournalEntry } from "../../journal/JournalEntry.js"
import { FlowId, FlowName, TemplateId, TrailId, TrailName } from "../../shared/Identifier.js"
import { Tags } from "../../shared/Tags.js"
import { Timestamp } from "../../shared/Timestamp.js"
import type { TrailAttestation } from "../../snapshot/RowFacts.js"
import { SnapshotHead, SnapshotMember } from "../../snapshot/Snapshot.js"
import { Replay, type ReplayedRecord } from "../../verification/internal/Replay.js"
import { isAttestation } from "../../verification/internal/ReplayRules.js"
import { Waiver } from "../../waiver/Waiver.js"
import type { AllowedSpan } from "./AllowedSpans.js"
import * as AllowedSpans from "./AllowedSpans.js"

const FlowColumns = Schema.Struct({
  id: FlowId,
  name: FlowName,
  tags: Tags,
  template_id: TemplateId,
  archived_at: Schema.NullOr(Timestamp)
})

const TrailColumns = Schema.Struct({
  id: TrailId,
  flow_id: FlowId,
  name: TrailName,
  template_id: Schema.NullOr(TemplateId)
})

const TemplateColumns = Schema.Struct({ id: TemplateId, content: Schema.String })

const ArtifactColumns = Schema.Struct({
  id: Schema.String,
  slot: Schema.String,
  fingerprint: Schema.String,
  git_commit: Schema.NullOr(Schema.String)
})

const AttestationColumns = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  type: Schema.String,
  isCompliant: Schema.Boolean,
  isOverride: Schema.Boolean,
  fingerprint: Schema.NullOr(Schema.String),
  slots: Schema.Array(Schema.String),
  commit: Schema.NullOr(Schema.String),
  body: Schema.optional(Schema.Unknown),
  policy_facts: Schema.NullOr(AttestationFacts)
})

const PolicyColumns = Schema.Struct({
  policy_id: Schema.String,
  version: Schema.Int,
  policy_yaml: Schema.String,
  timestamp: Schema.typeSchema(Timestamp)
})

const readFlow = Schema.decodeUnknownOption(Schema.typeSchema(FlowColumns))
const readTrail = Schema.decodeUnknownOption(Schema.typeSchema(TrailColumns))
const readTemplate = Schema.decodeUnknownOption(TemplateColumns)
const readArtifact = Schema.decodeUnknownOption(ArtifactColumns)
const readAttestation = Schema.decodeUnknownOption(Schema.typeSchema(AttestationColumns))
const readPolicy = Schema.decodeUnknownOption(PolicyColumns)
const readHead = Schema.decodeUnknownOption(Schema.typeSchema(SnapshotHead))
const readMembers = Schema.decodeUnknownOption(Schema.Array(Schema.typeSchema(SnapshotMember)))
const readGroup = Schema.decodeUnknownOption(
  Schema.Struct({ included: Schema.Array(Schema.String) })
)
const isWaiver = Schema.is(Schema.typeSchema(Waiver))

/** The members of a logical environment in one of its snapshots. */
export interface SnapshotMembers {
  /** The snapshot of each member that counted. */
  readonly counted: ReadonlyArray<SnapshotMember>
  /** Those that follow from the entries before it. */
  readonly recorded: ReadonlyArray<{ readonly environment_id: string; readonly index: number }>
  /** Environments that belonged to it, and about which there is no entry. */
  readonly unknown: ReadonlyArray<string>
}

/** A snapshot as its entry describes it. */
export interface CreatedSnapshot extends SnapshotHead {
  /** The index of its entry. */
  readonly position: number
  readonly semantics: number | null
  readonly isDecay: boolean
  /** The members of a logical environment, whose rows are theirs; null for a physical one. */
  readonly members: SnapshotMembers | null
}

/** A version of a policy. */
export type RecordedPolicy = typeof PolicyColumns.Type

interface Trail {
  readonly id: TrailId
  readonly flow_id: FlowId
  name: TrailName
  /** The template of its own; null for that of its flow. */
  template: TemplateId | null
  readonly events: Array<StoredTrailEvent>
  readonly artifacts: Array<TimedRecord>
  readonly attestations: Array<TrailAttestation>
}

const ownControl = ({ body, isOverride, type }: typeof AttestationColumns.Type): string | null => {
  const control = Predicate.isRecord(body) && Object.hasOwn(body, "control") ? body.control : null
  return type === "decision" && !isOverride && typeof control === "string" ? control : null
}

/** What the entries of a capsule describe. */
export class CapsuleHistory {
  /** WHY without digests: no answer depends on them. */
  readonly #replay = new Replay(false)
  readonly #trails = new Map<string, Trail>()
  readonly #flows = new Map<FlowId, Array<FlowVersion>>()
  readonly #snapshots = new Map<string, Array<CreatedSnapshot>>()
  readonly allowed = new AllowedSpans.AllowedSpans()

  /** Applies the next entry. An entry that no rule can read throws, as `Replay` does. */
  accept(entry: JournalEntry): void {
    const added = this.#replay.accept(entry)
    const { kind, subject } = entry
    if (subject.type === "flow") this.#flow(entry)
    if (kind === "trail_reported" || kind === "trail_updated") this.#trail(entry)
    if (this.#replay.evaluations.get(subject.id)?.sequence === entry.sequence) this.#event(entry)
    for (const record of added) this.#record(entry, record)
    if (kind === "snapshot_created") this.#snapshot(entry)
    this.allowed.accept(entry)
  }

  /** The snapshots of an environment, by index. */
  snapshots(environment: string): ReadonlyArray<CreatedSnapshot> {
    return this.#snapshots.get(environment) ?? []
  }

  /** The digests of the row changes of an environment, by index of the snapshot. */
  rowDigests(environment: string): ReadonlyMap<number, string> {
    const replayed = this.#replay.snapshots.get(environment) ?? []
    return new Map(replayed.map(({ index, rows }) => [index, rows]))
  }

  /** The spans in which an environment allowed artifacts. */
  allowedIn(environment: string): ReadonlyArray<AllowedSpan> {
    return this.allowed.of(environment)
  }

  /** The version of a policy; undefined for an unknown one. */
  policy(id: string, version: number): RecordedPolicy | undefined {
    const found = readPolicy(this.#replay.table("policy_version").get(`${id} ${version}`))
    return found._tag === "Some" ? found.value : undefined
  }

  /** The number of the version of a policy that was the latest at an instant; undefined if there was none. */
  versionAt(id: string, instant: Timestamp): number | undefined {
    const versions = [...this.#replay.table("policy_version").values()].flatMap((row) => {
      const found = readPolicy(row)
      return found._tag === "Some" && found.value.policy_id === id ? [found.value] : []
    })
    return versions.filter(({ timestamp }) => timestamp <= instant).at(-1)?.version
  }

  /** The last name of an environment, a flow or a policy; undefined for an unknown one. */
  nameOf(type: "environment" | "flow" | "policy", id: string): string | undefined {
    const name = this.#replay.table(type).get(id)?.name
    return typeof name === "string" ? name : undefined
  }

  /** Every waiver, in its last form. */
  waivers(): ReadonlyArray<Waiver> {
    return [...this.#replay.table("waiver").values()].flatMap((row) => {
      const revoked = Predicate.isRecord(row.revoked) ? { reason: "", ...row.revoked } : null
      // Personal members may be missing, and decide nothing.
      const waiver = { reason: "-", ...row, approvals: [], rejected: null, revoked }
      return isWaiver(waiver) ? [waiver] : []
    })
  }

  /** The evidence of all trails. */
  evidence(): EvidenceHistory {
    const templates = [...this.#replay.table("template_version").values()].flatMap((row) => {
      const found = readTemplate(row)
      return found._tag === "Some" ? [found.value] : []
    })
    return {
      trails: [...this.#trails.values()].flatMap((trail) => {
        const last = trail.events.at(-1)
        return last === undefined
          ? []
          : [{ ...trail, evaluated: { template_id: last.template_id, status: "" } }]
      }),
      flows: this.#flows,
      templates: new Map(templates.map(({ content, id }) => [id, content]))
    }
  }

  #flow({ at, sequence, subject }: JournalEntry): void {
    const flow = readFlow(this.#replay.table("flow").get(subject.id))
    if (flow._tag === "None") return
    const { archived_at, id, name, tags, template_id } = flow.value
    const known = this.#flows.get(id) ?? []
    known.push({ position: sequence, at, flow_id: id, name, tags, template_id, archived_at })
    this.#flows.set(id, known)
  }

  #trail({ subject }: JournalEntry): void {
    const read = readTrail(this.#replay.table("trail").get(subject.id))
    if (read._tag === "None") return
    const { flow_id, id, name, template_id: template } = read.value
    const known = this.#trails.get(id)
    if (known !== undefined) Object.assign(known, { name, template })
    else {
      const empty = { events: [], artifacts: [], attestations: [] }
      this.#trails.set(id, { id, flow_id, name, template, ...empty })
    }
  }

  /** The template by which a trail is evaluated now: its own, or that of its flow. */
  #templateOf(trail: Trail): TemplateId | undefined {
    return trail.template ?? this.#flows.get(trail.flow_id)?.at(-1)?.template_id
  }

  #event({ at, sequence, subject }: JournalEntry): void {
    const trail = this.#trails.get(subject.id)
    const template_id = trail && this.#templateOf(trail)
    if (trail === undefined || template_id === undefined) return
    trail.events.push({ position: sequence, at, sequence, template_id, status: "" })
  }

  #record({ at, kind, sequence, subject }: JournalEntry, { columns, table }: ReplayedRecord): void {
    const trail = this.#trails.get(subject.id)
    if (trail === undefined) return
    if (table === "artifact") {
      const read = readArtifact(columns)
      if (read._tag === "None") return
      const { fingerprint, git_commit: commit, id, slot } = read.value
      trail.artifacts.push({ sequence, id, slot, fingerprint, commit, at })
    } else if (isAttestation(kind) && table === "attestation") {
      const read = readAttestation(columns)
      if (read._tag === "None") return
      const { body: _body, ...record } = read.value
      const control = ownControl(read.value)
      trail.attestations.push({ ...record, sequence, trail_id: trail.id, at, control })
    }
  }

  #snapshot({ content, sequence, subject }: JournalEntry): void {
    const said: unknown = JSON.parse(content)
    const head = readHead(said)
    if (head._tag === "None" || !Predicate.isRecord(said)) return
    const known = this.#snapshots.get(subject.id) ?? []
    known.push({
      ...head.value,
      position: sequence,
      semantics: typeof said.evaluator === "number" ? said.evaluator : null,
      isDecay: said.cause === "decay",
      members: this.#membersOf(subject.id, said.members)
    })
    this.#snapshots.set(subject.id, known)
  }

  /** The members of a logical environment in its next snapshot: the newest snapshot of each that is not archived. */
  #membersOf(group: string, counted: unknown): SnapshotMembers | null {
    const read = readMembers(counted)
    if (read._tag === "None") return null
    const environments = this.#replay.table("environment")
    const known = readGroup(environments.get(group))
    const included = known._tag === "Some" ? known.value.included : []
    const recorded = included.flatMap((id) => {
      const last = this.#snapshots.get(id)?.at(-1)
      const isActive = (environments.get(id)?.archived_at ?? null) === null
      return last === undefined || !isActive ? [] : [{ environment_id: id, index: last.index }]
    })
    const unknown = included.filter((id) => !environments.has(id))
    return { counted: read.value, recorded, unknown }
  }
}
