/**
 * The input document for other policy engines, made of trails as the API returns them: transformed, filtered,
 * enriched, in this order. Pure and total; unknown fields stay as they are.
 *
 * Nothing is fetched here: `attestationIds` lists the details that are needed. A rule asks about the requirement, which
 * is the expected entry.
 */
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as Dictionary from "../shared/Dictionary.js"
import { ArtifactStatus, AttestationStatus, Status } from "./ComplianceStatus.js"

/** A JSON object. */
export type Fields = { readonly [field: string]: unknown }

const AttestationEntry = Schema.Struct(AttestationStatus.fields)

const entries = Dictionary.make({
  key: Schema.String,
  value: AttestationEntry,
  members: { $ref: "#/$defs/attestation" }
})

/** One slot of a trail: its artifact, the artifact's provenance, and its attestations by name. */
export const ArtifactInput = Schema.Struct({
  ...ArtifactStatus.fields,
  name: Schema.NullOr(Schema.String),
  git_commit_info: Schema.NullOr(Schema.Object),
  origin_url: Schema.NullOr(Schema.String),
  attestations_statuses: entries
})

/** A trail in the document; it may have more fields. */
export const TrailInput = Schema.Struct({
  name: Schema.String,
  description: Schema.NullOr(Schema.String),
  git_commit_info: Schema.NullOr(Schema.Object),
  origin_url: Schema.NullOr(Schema.String),
  user_data: Schema.Object,
  created_at: Schema.Number,
  last_modified_at: Schema.Number,
  template: Schema.Object,
  flow: Schema.Struct({ name: Schema.String, tags: Schema.Object }),
  compliance_state: Status,
  is_compliant: Schema.Boolean,
  events: Schema.Array(Schema.Object),
  compliance_status: Schema.Struct({
    status: Status,
    is_compliant: Schema.Boolean,
    evaluated_at: Schema.Number,
    flow_template_id: Schema.String,
    attestations_statuses: entries,
    artifacts_statuses: Dictionary.make({
      key: Schema.String,
      value: ArtifactInput,
      members: { $ref: "#/$defs/artifact" }
    })
  })
})

/** The document: one trail, or several in the order of the request. */
export const EvaluationInput = Schema.Union(
  Schema.Struct({ trail: TrailInput }),
  Schema.Struct({ trails: Schema.Array(TrailInput) })
)

const objectOf = (value: unknown): Fields => (Predicate.isRecord(value) ? value : {})

const isExpected = (entry: Fields): boolean => entry.unexpected !== true

/** A list of entries by name; of one name the expected one is kept, or else the last. */
const byName = (statuses: unknown): Fields => {
  if (!Array.isArray(statuses)) return objectOf(statuses)
  const found = new Map<string, Fields>()
  for (const entry of statuses.filter(Predicate.isRecord)) {
    const { attestation_name: name } = entry
    if (typeof name !== "string") continue
    const before = found.get(name)
    if (before === undefined || !isExpected(before) || isExpected(entry)) found.set(name, entry)
  }
  return Object.fromEntries(found)
}

/** The provenance of the record in a slot, from the history of the trail. */
const provenanceOf = (trail: Fields, artifactId: unknown): Fields => {
  const events = Array.isArray(trail.events) ? trail.events.filter(Predicate.isRecord) : []
  const created = events.find(
    ({ type, artifact_id }) => type === "artifact_creation_reported" && artifact_id === artifactId
  )
  return {
    name: created?.artifact_name ?? null,
    git_commit_info: created?.git_commit_info ?? null,
    origin_url: created?.origin_url ?? null
  }
}

const mapValues = (fields: Fields, change: (value: unknown, key: string) => unknown): Fields =>
  Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, change(value, key)]))

type Level = { readonly slot: string | null }

/** The trail with the entries of each level replaced; a level is the trail or a slot. */
const mapEntries = (trail: Fields, change: (entries: Fields, level: Level) => Fields): Fields => {
  const status = objectOf(trail.compliance_status)
  return {
    ...trail,
    compliance_status: {
      ...status,
      attestations_statuses: change(objectOf(status.attestations_statuses), { slot: null }),
      artifacts_statuses: mapValues(objectOf(status.artifacts_statuses), (artifact, slot) => ({
        ...objectOf(artifact),
        attestations_statuses: change(objectOf(objectOf(artifact).attestations_statuses), { slot })
      }))
    }
  }
}

/** Entries by name instead of lists, and each slot with the provenance of its artifact. */
export const transform = (trail: Fields): Fields => {
  const status = objectOf(trail.compliance_status)
  return {
    ...trail,
    compliance_status: {
      ...status,
      attestations_statuses: byName(status.attestations_statuses),
      artifacts_statuses: mapValues(objectOf(status.artifacts_statuses), (value) => {
        const artifact = objectOf(value)
        return {
          ...provenanceOf(trail, artifact.artifact_id),
          ...artifact,
          attestations_statuses: byName(artifact.attestations_statuses)
        }
      })
    }
  }
}

/** Whether a name selects an entry: `name` for the trail's own, `slot.name` for a slot's. */
const selects = (selector: string, { slot }: Level, name: string): boolean => {
  const dot = selector.indexOf(".")
  return dot < 0
    ? slot === null && selector === name
    : selector.slice(0, dot) === slot && selector.slice(dot + 1) === name
}

/** The trail with only the selected entries; slots stay, also without entries. */
export const filter = (trail: Fields, names: ReadonlyArray<string>): Fields =>
  mapEntries(trail, (entries, level) =>
    Object.fromEntries(
      Object.entries(entries).filter(([name]) =>
        names.some((selector) => selects(selector, level, name))
      )
    )
  )

/** The names of all entries of a trail, in the form of `filter`. */
export const names = (trail: Fields): ReadonlyArray<string> => {
  const found: Array<string> = []
  mapEntries(trail, (entries, { slot }) => {
    for (const name of Object.keys(entries)) found.push(slot === null ? name : `${slot}.${name}`)
    return entries
  })
  return found
}

/** The ids of all attestations of trails, each once. */
export const attestationIds = (trails: ReadonlyArray<Fields>): ReadonlyArray<string> => {
  const found = new Set<string>()
  for (const trail of trails)
    mapEntries(trail, (entries) => {
      for (const { attestation_id: id } of Object.values(entries).map(objectOf))
        if (typeof id === "string") found.add(id)
      return entries
    })
  return [...found]
}

/** The trail with the details of each attestation added; fields of an entry take precedence. */
export const enrich = (trail: Fields, details: ReadonlyMap<string, Fields>): Fields =>
  mapEntries(trail, (entries) =>
    mapValues(entries, (value) => {
      const entry = objectOf(value)
      const { attestation_id: id } = entry
      const detail = typeof id === "string" ? details.get(id) : undefined
      // WHY a map: the fields of the entry keep their order, and none is assigned to the prototype.
      return detail === undefined
        ? value
        : Object.fromEntries(new Map([...Object.entries(entry), ...missing(entry, detail)]))
    })
  )

const missing = (entry: Fields, detail: Fields): ReadonlyArray<readonly [string, unknown]> =>
  Object.entries(detail).filter(([field]) => !Object.hasOwn(entry, field))

/** A trail before details are added: transformed, and filtered where names are given. */
export const prepare = (trail: Fields, names?: ReadonlyArray<string>): Fields => {
  const transformed = transform(trail)
  return names === undefined ? transformed : filter(transformed, names)
}
