/** The replay rule of each kind of entry. Pure; a kind without a rule changes no covered table. */

import * as Base64 from "@attestry/transparency-log/Base64"
import * as Sha256 from "@attestry/transparency-log/Sha256"
import * as Either from "effect/Either"
import * as Attestation from "../../attestation/Attestation.js"
import * as AttestationFacts from "../../attestation/AttestationFacts.js"
import type { JournalEntry } from "../../journal/JournalEntry.js"
import * as PolicyDocument from "../../policy/PolicyDocument.js"
import * as CanonicalJson from "../../shared/CanonicalJson.js"
import { WAIVER_KINDS } from "../../waiver/WaiverChange.js"
import type { Columns } from "../AuditStore.js"
import * as ReplayLinks from "./ReplayLinks.js"
import * as ReplayMembers from "./ReplayMembers.js"
import * as ReplayNames from "./ReplayNames.js"
import * as ReplayNotifications from "./ReplayNotifications.js"
import * as ReplayProposals from "./ReplayProposals.js"
import * as ReplaySpaces from "./ReplaySpaces.js"
import {
  all,
  type Change,
  edit,
  inOrder,
  listOf,
  membersOf,
  type State,
  textOf,
  whole
} from "./ReplayState.js"

/** Adds the version of a template when an entry first names it. */
const addTemplate = (
  state: State,
  { org_id, template, template_id, last_modified_at }: Columns
) => {
  if (typeof template !== "string" || typeof template_id !== "string") return
  const versions = state.table("template_version")
  if (versions.has(template_id)) return
  versions.set(template_id, {
    org_id,
    id: template_id,
    content: template,
    created_at: last_modified_at
  })
}

const flow: Change = (state, entry, content) => {
  whole("flow", "id")(state, entry, content)
  addTemplate(state, content)
}

const trailBegun: Change = (state, entry, content) => {
  // A trail without its own template has the flow's template in its entry.
  const template_id = content.template === null ? null : content.template_id
  whole("trail", "id")(state, entry, { ...content, template_id })
  addTemplate(state, { ...content, template_id })
}

const trailUpdated: Change = (state, entry, content) => {
  const trail = membersOf(content.trail)
  whole("trail", "id")(state, entry, trail)
  addTemplate(state, trail)
}

const control: Change = (state, entry, content) => {
  const now = membersOf(content.control)
  const key = textOf(now.identifier)
  whole("control", "identifier")(state, entry, now)
  if (content.entry === undefined) return
  const version = membersOf(content.entry)
  state.table("control_version").set(`${key} ${version.version}`, {
    org_id: entry.org_id,
    identifier: key,
    ...version
  })
}

/** Adds a version of a policy, with its parsed text. */
const addVersion = (
  state: State,
  entry: JournalEntry,
  { version, comment, policy_yaml }: Columns
) => {
  const document = PolicyDocument.parse(textOf(policy_yaml))
  const policy_id = entry.subject.id
  state.table("policy_version").set(`${policy_id} ${version}`, {
    org_id: entry.org_id,
    policy_id,
    version,
    comment,
    policy_yaml,
    dump: Either.isRight(document) ? PolicyDocument.dump(document.right) : null,
    created_by: entry.actor.name,
    timestamp: entry.at
  })
  return Either.isRight(document) ? PolicyDocument.readParts(document.right) : null
}

const policyCreated: Change = (state, entry, { comment, ...policy }) => {
  addVersion(state, entry, { ...policy, comment })
  whole("policy", "id")(state, entry, policy)
}

const policyVersion: Change = (state, entry, content) => {
  const reads = addVersion(state, entry, content)
  const { version, policy_yaml } = content
  edit(state.table("policy"), entry.subject.id, (policy) => ({
    ...policy,
    version,
    policy_yaml,
    reads,
    last_modified_at: entry.at
  }))
}

const policyDescribed: Change = (state, entry, { description }) =>
  edit(state.table("policy"), entry.subject.id, (policy) => ({
    ...policy,
    description,
    last_modified_at: entry.at
  }))

const withMode = (row: Columns, policy: string, mode: unknown): Columns => {
  const { [policy]: _old, ...others } = membersOf(row.policy_modes)
  const policy_modes = mode === "warn" ? { ...others, [policy]: mode } : others
  const { policy_modes: _modes, ...rest } = row
  return Object.keys(policy_modes).length === 0 ? rest : { ...rest, policy_modes }
}

/** Attaches or detaches policies, or changes their mode. */
const attachment =
  (next: (policies: ReadonlyArray<unknown>, policy: string) => ReadonlyArray<unknown>): Change =>
  (state, { subject, at }, { environment_id, mode }) =>
    edit(state.table("environment"), textOf(environment_id), (row) => {
      const policies = next(listOf(row.policies), subject.id)
      return {
        ...withMode(row, subject.id, policies.includes(subject.id) ? mode : undefined),
        policies,
        last_modified_at: at
      }
    })

const digest = (value: unknown): string =>
  Base64.encode(Sha256.digestText(CanonicalJson.print(value)))

/** The digest of a member of a snapshot; null for an absent member. */
export const digestOf = (value: unknown): string | null =>
  value === undefined ? null : digest(value)

const snapshot: Change = (state, { subject }, content) => {
  const { timestamp, verdict } = content
  const known = state.snapshots.get(subject.id) ?? []
  known.push({
    index: Number(content.index),
    timestamp: digestOf(timestamp),
    verdict: digestOf(verdict),
    counts: digestOf(content.counts),
    policies: digestOf(content.policies),
    events: digestOf(content.events),
    members: digestOf(content.members),
    reasons: digestOf(content.reasons),
    rows: textOf(membersOf(content.rows).digest),
    eventCount: Array.isArray(content.events) ? content.events.length : null,
    evaluator: typeof content.evaluator === "number" ? content.evaluator : null,
    isDecay: content.cause === "decay"
  })
  state.snapshots.set(subject.id, known)
  edit(state.table("environment"), subject.id, (row) => ({
    ...row,
    last_changed_at: timestamp,
    last_modified_at: timestamp,
    verdict
  }))
}

/** Begins or ends a silence; it has the instants of both, or of its beginning. */
const silence: Change = (state, { org_id, subject }, { silent_since, to_at = null }) => {
  state.table("silence").set(`${subject.id} ${silent_since}`, {
    org_id,
    environment_id: subject.id,
    from_at: silent_since,
    to_at
  })
  edit(state.table("environment"), subject.id, ({ silent_since: _, ...row }) =>
    to_at === null ? { ...row, silent_since } : row
  )
}

/** The content of the entry that replaces digests of an environment's rows after an erasure. */
export interface RowsErased {
  readonly rows: ReadonlyArray<{ readonly index: number; readonly digest: string }>
}

const rowsErased: Change = (state, { subject }, { rows }) => {
  const left = new Map(
    listOf(rows)
      .map(membersOf)
      .map(({ digest, index }) => [Number(index), textOf(digest)])
  )
  const known = state.snapshots.get(subject.id) ?? []
  state.snapshots.set(
    subject.id,
    known.map((each) => ({ ...each, rows: left.get(each.index) ?? each.rows }))
  )
}

const filesErased: Change = (state, _entry, { files }) => {
  for (const fingerprint of listOf(files)) state.erasedFiles.add(textOf(fingerprint))
}

const allowed: Change = (state, { subject }, content) => {
  state.table("allow_list_entry").set(`${subject.id} ${content.fingerprint}`, content)
}

const disallowed: Change = (state, { subject }, { fingerprint }) => {
  state.table("allow_list_entry").delete(`${subject.id} ${fingerprint}`)
}

const accountDeleted: Change = (state, _entry, { id }) => {
  state.table("service_account").delete(textOf(id))
  state.table("identity_rule").delete(textOf(id))
  for (const [key, { owner }] of state.table("api_key")) {
    if (membersOf(owner).service_account_id === id) state.table("api_key").delete(key)
  }
}

/** Adds or changes a key of a service account. Keys of people belong to no org. */
const apiKey: Change = (state, entry, content) => {
  if (membersOf(content.owner).kind === "service-account") {
    whole("api_key", "id")(state, entry, content)
  }
}

/** Undoes a rotation: the old key is as before, and the new one is removed. */
const rotationUndone: Change = (state, entry, { removed_key_id, ...key }) => {
  apiKey(state, entry, key)
  state.table("api_key").delete(textOf(removed_key_id))
}

/** Allows a key that was issued for an id token; its entry does not contain the whole key. */
const exchanged: Change = (state, { subject }) => {
  const known = state.appended.get("api_key") ?? new Set<string>()
  state.appended.set("api_key", known.add(subject.id))
}

const rules: Change = (state, { org_id, subject }, content) => {
  state.table("identity_rule").set(subject.id, {
    org_id,
    service_account_id: subject.id,
    rules: content.rules
  })
}

const repo: Change = (state, entry, content) => {
  whole("repo", "id")(state, entry, content)
  state.links.repo(content)
}

const approval: Change = (state, _entry, content) => {
  const row = membersOf(content.approval)
  state.table("approval").set(`${row.flow_id} ${row.number}`, row)
}

const waiver: Change = (state, _entry, content) => {
  state.table("waiver").set(String(content.number), content)
}

const trustPolicyVersion: Change = (state, { actor, at }, content) => {
  state
    .table("trust_policy_version")
    .set(String(content.version), { ...content, created_by: actor.name, at })
}

/** The rules by kind of entry. */
export const CHANGES: { readonly [kind: string]: Change | undefined } = {
  org_created: whole("org", "id"),
  flow_created: inOrder(ReplayNames.flowCreated, flow),
  flow_renamed: inOrder(ReplayNames.flowRenamed, flow),
  flow_archived: inOrder(ReplayNames.flowArchived, flow),
  ...all(["flow_updated", "flow_tagged"], flow),
  trail_reported: inOrder(trailBegun, ReplayLinks.trailBegun),
  trail_updated: inOrder(trailUpdated, ReplayLinks.trailUpdated),
  artifact_approval_reported: approval,
  ...all(
    ["attestation_type_created", "attestation_type_updated", "attestation_type_archived"],
    whole("attestation_type", "name")
  ),
  ...all(["control_created", "control_edited", "control_archived", "control_unarchived"], control),
  control_tagged: control,
  policy_created: policyCreated,
  policy_version_created: policyVersion,
  policy_description_changed: policyDescribed,
  environment_created: inOrder(ReplayNames.environmentCreated, whole("environment", "id")),
  ...all(
    ["environment_archived", "environment_renamed"],
    inOrder(ReplayNames.environmentRenamed, whole("environment", "id"))
  ),
  ...all(["environment_updated", "environment_tagged"], whole("environment", "id")),
  policy_attached: attachment((policies, id) => [...new Set([...policies, id])]),
  policy_detached: attachment((policies, id) => policies.filter((each) => each !== id)),
  policy_mode_changed: attachment((policies) => policies),
  ...all(["environment_silent", "environment_reporting", "environment_silence_ended"], silence),
  snapshot_created: snapshot,
  snapshot_rows_erased: rowsErased,
  personal_data_erased: filesErased,
  ...all(["artifact_allowed", "artifact_allowed_again"], allowed),
  artifact_disallowed: disallowed,
  ...all(["repo_created", "repo_updated", "repo_tagged"], repo),
  ...all(["service_account_created", "service_account_updated"], whole("service_account", "id")),
  service_account_deleted: accountDeleted,
  ...all(["api_key_created", "api_key_revoked", "api_key_rotated", "api_key_issued"], apiKey),
  api_key_rotation_undone: rotationUndone,
  credential_exchanged: exchanged,
  identity_rules_changed: rules,
  trust_policy_version_created: trustPolicyVersion,
  ...all(WAIVER_KINDS, waiver),
  waiver_settings_changed: whole("waiver_settings", "org_id"),
  ...ReplayProposals.CHANGES,
  sign_in_set: whole("sign_in_setting", "org_id"),
  agent_accounts_changed: whole("agent_accounts", "org_id"),
  ...all(
    [
      "membership_added",
      "membership_changed",
      "membership_suspended",
      "membership_restored",
      "membership_removed"
    ],
    ReplayMembers.membership
  ),
  membership_signed_out: ReplayMembers.signedOut,
  ...all(
    ["invitation_made", "invitation_accepted", "invitation_revoked"],
    whole("invitation", "id")
  ),
  default_org_set: ReplayMembers.defaultOrgSet,
  ...all(["team_created", "team_changed"], whole("team", "id")),
  team_deleted: ReplayMembers.teamDeleted,
  ...all(["team_member_added", "team_member_removed"], ReplayMembers.teamMember),
  ...ReplaySpaces.CHANGES,
  ...all(
    ["notification_config_set", "notification_config_deleted"],
    ReplayNotifications.configured
  ),
  ...all(
    ["environment_notification_created", "flow_notification_created"],
    ReplayNotifications.subscribed
  ),
  environment_notification_updated: ReplayNotifications.resubscribed,
  ...all(
    ["environment_notification_deleted", "flow_notification_deleted"],
    ReplayNotifications.unsubscribed
  )
}

/** Whether an entry reports an attestation. */
export const isAttestation = (kind: string): boolean => kind.includes("_attestation_")

/** The columns of an artifact. */
export const artifactOf = ({ artifact_id, report }: Columns, common: Columns): Columns => {
  const members = membersOf(report)
  const git_commit = members.git_commit ?? membersOf(members.git_commit_info).sha1 ?? null
  return {
    ...common,
    id: artifact_id,
    report,
    git_commit,
    fingerprint: members.fingerprint,
    slot: members.template_reference_name ?? "artifact"
  }
}

/** The columns of an attestation; the digest of what it says is left out where it is not wanted. */
export const attestationOf = (
  { attestation_id, ...content }: Columns,
  common: Columns,
  isDigested: boolean
): Columns => {
  const { attachments, body, isCompliant, isOverride, type } = content
  const said = { attachments, body, isCompliant, isOverride, type }
  const digest = isDigested
    ? { digest: Base64.encodeHex(Sha256.digestText(Attestation.digestedText(said))) }
    : {}
  const policy_facts = AttestationFacts.stored({
    body: membersOf(body),
    isOverride: isOverride === true,
    type: textOf(type)
  })
  return { ...common, ...content, id: attestation_id, ...digest, policy_facts }
}

/** The fingerprints of the files that an entry names. */
export const filesOf = ({ attachments }: Columns): ReadonlyArray<string> =>
  listOf(attachments).map((file) => textOf(membersOf(file).fingerprint))
