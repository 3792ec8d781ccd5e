/**
 * Converts the journal's entries about a trail to its events in a response. Entries that are no event of the trail,
 * such as an evaluation by itself, are left out. SPEC §2.14
 *
 * The name and the slot of an artifact come from the trail's own entries: an artifact is reported on the trail before
 * an event refers to it.
 */
import { toWire } from "@attestry/core/AttestationTypePattern"
import type { JsonObject } from "@attestry/core/Evidence"
import { unsaidCommit } from "@attestry/core/GitCommit"
import type { JournalEntry } from "@attestry/core/JournalEntry"
import { type Repo, shownProvider, vcsInstance } from "@attestry/core/Repo"
import * as RepoProvider from "@attestry/core/RepoProvider"
import * as Timestamp from "@attestry/core/Timestamp"
import type { TrailView } from "@attestry/core/TrailViews"
import * as Predicate from "effect/Predicate"

type Content = { readonly [field: string]: unknown }

const isObject: (value: unknown) => value is Content = Predicate.isRecord

const inside = (content: Content, field: string): Content => {
  const value = content[field]
  return isObject(value) ? value : {}
}

/** The fields of an artifact of the trail that other events show. */
interface Known {
  readonly id: unknown
  readonly fingerprint: unknown
  readonly name: unknown
  readonly slot: unknown
  readonly commit: unknown
}

/** The context of an event: the artifacts reported before it, newest first, and repositories. */
interface Context {
  readonly known: ReadonlyArray<Known>
  readonly repos: ReadonlyArray<Repo>
}

const knownOf = (content: Content): Known => {
  const report = inside(content, "report")
  return {
    id: content.artifact_id,
    fingerprint: report.fingerprint,
    name: report.filename,
    slot: report.template_reference_name ?? "artifact",
    commit: report.git_commit ?? inside(report, "git_commit_info").sha1 ?? null
  }
}

const commitOf = (value: unknown): Content | null =>
  isObject(value) ? { ...unsaidCommit, ...value } : null

/** The repository that a report named: by its id, or by its name the one that was created last. */
const findRepo = (info: unknown, { repos }: Context): Repo | undefined => {
  if (!isObject(info)) return undefined
  const provider = RepoProvider.neutral(String(info.provider ?? ""))
  const id = info.id ?? null
  return repos
    .filter((repo) => repo.provider === provider)
    .filter((repo) => (id === null ? repo.name === info.name : repo.repo_id === id))
    .sort((left, right) => left.created_at - right.created_at)
    .at(-1)
}

/** The repository as the event reported it, with its stored fields. */
const repoOf = (info: unknown, context: Context): Content | null => {
  const repo = findRepo(info, context)
  if (repo === undefined || !isObject(info)) return null
  return {
    inner_id: repo.id,
    org_id: repo.org_id,
    repo_id: repo.repo_id,
    name: info.name,
    url: info.url,
    provider: shownProvider(repo),
    description: info.description ?? null,
    vcs_instance: typeof info.url === "string" ? vcsInstance(info.url) : null,
    namespace_path: info.namespace_path ?? null,
    additional_info: info.additional_info ?? null,
    created_at: Timestamp.toSeconds(repo.created_at),
    last_modified_at: Timestamp.toSeconds(repo.last_modified_at),
    tags: repo.tags
  }
}

/** WHY the union: an entry is written before its trail is linked to its repository. */
const repoIdsOf = (trail: Content, context: Context): ReadonlyArray<unknown> => {
  const before = Array.isArray(trail.repo_ids) ? trail.repo_ids : []
  const named = findRepo(trail.repo_info, context)
  return named === undefined ? before : [...new Set([...before, named.id])]
}

const trailData = (trail: Content, context: Context): Content => ({
  org_id: trail.org_id,
  flow_id: trail.flow_id,
  name: trail.name,
  description: trail.description ?? "",
  git_commit_info: commitOf(trail.git_commit_info),
  template_id: trail.template_id,
  origin_url: trail.origin_url,
  user_data: JSON.stringify(trail.user_data),
  repo_ids: repoIdsOf(trail, context)
})

const linksOf = (said: Content, context: Context): Content => ({
  git_commit_info: commitOf(said.git_commit_info),
  repo_info: repoOf(said.repo_info, context)
})

type Body = (content: Content, context: Context, entry: JournalEntry) => Content

const reported: Body = (content, context, { actor }) => ({
  setting_user_id: actor.id,
  trail_data_json: { ...trailData(content, context), creating_user_id: actor.id },
  ...linksOf(content, context)
})

/** The name of the change in which a member of the trail's data appears. */
const changeOf = (member: string): string => {
  if (member === "template_id") return "template"
  return member === "repo_ids" ? "repo_info" : member
}

const updated: Body = (content, context, { actor }) => {
  const trail = inside(content, "trail")
  const changes = Array.isArray(content.changes) ? content.changes.map(String) : []
  return {
    setting_user_id: actor.id,
    changes,
    trail_data_json: Object.fromEntries(
      Object.entries(trailData(trail, context)).filter(([member]) =>
        changes.includes(changeOf(member))
      )
    ),
    ...linksOf(trail, context)
  }
}

/** The artifact of an attestation: by its fingerprint, or by its slot and commit. */
const targetOf = (content: Content, { known }: Context): Known | undefined => {
  const slots: ReadonlyArray<unknown> = Array.isArray(content.slots) ? content.slots : []
  const isNamed = ({ slot }: Known) => slots.length === 0 || slots.includes(slot)
  if (content.fingerprint !== null)
    return known.find((one) => one.fingerprint === content.fingerprint && isNamed(one))
  return slots.length === 0
    ? undefined
    : known.find((one) => isNamed(one) && one.commit === content.commit)
}

/** The state of verification of an evidence file; null for an attestation that was not made for one. */
const stateOf = (body: Content): unknown =>
  body.evidence_digest === undefined
    ? null
    : (inside(inside(body, "attestation_data"), "verification").state ?? null)

const attested: Body = (content, context) => {
  const body = inside(content, "body")
  const target = targetOf(content, context)
  const [slot] = Array.isArray(content.slots) ? content.slots : []
  return {
    ...(target === undefined ? {} : { type: "artifact_attestation_reported" }),
    attestation_type: toWire(String(content.type)),
    is_compliant: content.isCompliant,
    attestation_id: content.attestation_id,
    template_reference_name: content.name,
    is_reattestation: null,
    verification_state: stateOf(body),
    ...(target === undefined
      ? {}
      : { artifact_fingerprint: target.fingerprint, artifact_name: target.name }),
    ...(target === undefined && slot === undefined
      ? {}
      : { target_artifact: target === undefined ? slot : target.slot }),
    ...linksOf(body, context)
  }
}

const created: Body = (content, context) => {
  const report = inside(content, "report")
  const { id, fingerprint, name, slot, commit } = knownOf(content)
  return {
    artifact_fingerprint: fingerprint,
    artifact_name: name,
    artifact_id: id,
    template_reference_name: slot,
    git_commit: commit ?? "",
    origin_url: report.build_url ?? null,
    ...linksOf(report, context)
  }
}

const approved: Body = ({ approval: _, ...event }) => ({ environment_id: null, ...event })

/** An artifact started or stopped running; only a start has a number of instances. */
const ran: Body = ({ instances, ...event }, { known }) => ({
  ...event,
  ...(instances === undefined ? {} : { replica_number: instances }),
  template_reference_name: known.find(({ id }) => id === event.artifact_id)?.slot ?? null
})

const bodies = new Map<string, Body>([
  ["trail_reported", reported],
  ["trail_updated", updated],
  ["trail_attestation_reported", attested],
  ["trail_attestation_for_artifact_reported", attested],
  ["artifact_attestation_reported", attested],
  ["artifact_creation_reported", created],
  ["artifact_started_running", ran],
  ["artifact_stopped_running", ran],
  ["artifact_approval_reported", approved]
])

/** The events of a trail in ascending order; pauses after each. */
export function* fromHistory({
  trail,
  repos,
  history
}: TrailView): Generator<void, ReadonlyArray<JsonObject>> {
  const known: Array<Known> = []
  const events: Array<JsonObject> = []
  for (const entry of history) {
    const body = bodies.get(entry.kind)
    const content: unknown = body === undefined ? undefined : JSON.parse(entry.content)
    if (body === undefined || !isObject(content)) continue
    events.push({
      org_id: trail.org_id,
      flow_id: trail.flow_id,
      trail_id: trail.id,
      timestamp: Timestamp.toSeconds(entry.at),
      type: entry.kind,
      git_commit_info: null,
      repo_info: null,
      ...body(content, { known, repos }, entry)
    })
    if (entry.kind === "artifact_creation_reported") known.unshift(knownOf(content))
    yield
  }
  return events
}
