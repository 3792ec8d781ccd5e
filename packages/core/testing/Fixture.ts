/**
 * Fixtures of suites and other tests: a fresh org for each test, so that tests can share a database, and rows
 * below it with fresh ids.
 */
import type { Actor } from "@attestry/core/Actor"
import type { ApiKey, ApiKeyOwner } from "@attestry/core/ApiKey"
import type { Artifact } from "@attestry/core/Artifact"
import { type Attestation, AttestationName } from "@attestry/core/Attestation"
import { DEFAULT_SETTINGS, type Environment } from "@attestry/core/Environment"
import { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import { Fingerprint } from "@attestry/core/Fingerprint"
import { EMPTY_TEMPLATE, type Flow } from "@attestry/core/Flow"
import { FlowStore } from "@attestry/core/FlowStore"
import {
  ApiKeyId,
  ArtifactId,
  AttestationId,
  EnvironmentId,
  EnvironmentName,
  FlowId,
  FlowName,
  Login,
  OrgId,
  OrgName,
  PolicyId,
  PolicyName,
  RepoId,
  ServiceAccountId,
  ServiceAccountName,
  SlotName,
  TemplateId,
  TrailId,
  TrailName,
  UserId
} from "@attestry/core/Identifier"
import { IdGenerator } from "@attestry/core/IdGenerator"
import type { User } from "@attestry/core/Membership"
import { MembershipStore } from "@attestry/core/MembershipStore"
import type { Org } from "@attestry/core/Org"
import { OrgStore } from "@attestry/core/OrgStore"
import type { Policy, PolicyVersionRecord } from "@attestry/core/Policy"
import * as PolicyDocument from "@attestry/core/PolicyDocument"
import { PolicyStore } from "@attestry/core/PolicyStore"
import type { Repo } from "@attestry/core/Repo"
import type { BaseRole } from "@attestry/core/Role"
import type { ServiceAccount } from "@attestry/core/ServiceAccount"
import { ServiceAccountStore } from "@attestry/core/ServiceAccountStore"
import type { StoreError } from "@attestry/core/StoreError"
import * as Timestamp from "@attestry/core/Timestamp"
import { NO_DETAILS, type Trail } from "@attestry/core/Trail"
import { TrailStore } from "@attestry/core/TrailStore"
import { layerIds } from "@attestry/core/webcrypto/SecretsWebCrypto"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"

/** An arbitrary instant for rows. */
export const AT: Timestamp.Timestamp = Timestamp.fromSeconds(1_790_000_000.25)

/** A later one. */
export const LATER: Timestamp.Timestamp = Timestamp.plusSeconds(AT, 60)

/** A fresh id. */
export const freshId: Effect.Effect<string> = Effect.flatMap(IdGenerator, ({ next }) => next).pipe(
  Effect.provide(layerIds)
)

/** An org that is not stored yet. */
export const newOrg: Effect.Effect<Org> = Effect.map(freshId, (id) => ({
  id: OrgId.make(id),
  name: OrgName.make(`org-${id}`),
  created_at: AT
}))

/** A stored org. */
export const org: Effect.Effect<Org, StoreError, OrgStore> = Effect.tap(newOrg, (made) =>
  Effect.flatMap(OrgStore, (store) => store.insert(made))
)

/** A user who is not stored yet. */
export const newUser: Effect.Effect<User> = Effect.map(freshId, (id) => ({
  id: UserId.make(id),
  login: Login.make(`user-${id}`),
  display_name: null,
  email: null,
  created_at: AT
}))

/** A stored user. */
export const user: Effect.Effect<User, StoreError, MembershipStore> = Effect.tap(newUser, (made) =>
  Effect.flatMap(MembershipStore, (store) => store.insertUser(made))
)

/** A service account of an org that is not stored yet. */
export const newServiceAccount = (
  owner: Org,
  name: ServiceAccountName = ServiceAccountName.make("ci")
): Effect.Effect<ServiceAccount> =>
  Effect.map(freshId, (id) => ({
    org_id: owner.id,
    id: ServiceAccountId.make(id),
    name,
    privilege: "member",
    description: "",
    creating_user_id: "user-1",
    created_at: AT
  }))

/** A stored service account. */
export const serviceAccount = (
  owner: Org,
  name?: ServiceAccountName
): Effect.Effect<ServiceAccount, StoreError, ServiceAccountStore> =>
  Effect.tap(newServiceAccount(owner, name), (made) =>
    Effect.flatMap(ServiceAccountStore, (store) => store.insert(made))
  )

/** A user as the owner of keys. */
export const userOwner = ({ id }: User): ApiKeyOwner => ({ kind: "user", user_id: id })

/** A service account as the owner of keys. */
export const accountOwner = ({ org_id, id }: ServiceAccount): ApiKeyOwner => ({
  kind: "service-account",
  org_id,
  service_account_id: id
})

/** A key that is not stored yet. */
export const newKey = (owner: ApiKeyOwner): Effect.Effect<ApiKey> =>
  Effect.map(freshId, (id) => ({
    id: ApiKeyId.make(id),
    owner,
    description: "laptop",
    digest: "d".repeat(64),
    created_at: AT,
    expires_at: null,
    revoked_at: null,
    grace_period_expires_at: null,
    last_used_at: null
  }))

/** A flow of an org that is not stored yet. */
export const newFlow = (owner: Org, name = "build"): Effect.Effect<Flow> =>
  Effect.map(freshId, (id) => ({
    org_id: owner.id,
    id: FlowId.make(id),
    name: FlowName.make(name),
    description: "",
    visibility: "private",
    template: EMPTY_TEMPLATE,
    template_id: TemplateId.make(`template-of-${id}`),
    tags: {},
    archived_at: null,
    created_at: AT,
    last_modified_at: AT
  }))

/** A stored flow. */
export const flow = (owner: Org, name?: string): Effect.Effect<Flow, StoreError, FlowStore> =>
  Effect.tap(newFlow(owner, name), (made) =>
    Effect.flatMap(FlowStore, (store) => store.insert(made))
  )

/** A trail of a flow that is not stored yet. */
export const newTrail = (parent: Flow, name = "run-1"): Effect.Effect<Trail> =>
  Effect.map(freshId, (id) => ({
    org_id: parent.org_id,
    id: TrailId.make(id),
    flow_id: parent.id,
    name: TrailName.make(name),
    ...NO_DETAILS,
    template: null,
    template_id: null,
    repo_ids: [],
    created_by: "anna",
    created_at: AT,
    last_modified_at: AT
  }))

/** A stored trail. */
export const trail = (parent: Flow, name?: string): Effect.Effect<Trail, StoreError, TrailStore> =>
  Effect.tap(newTrail(parent, name), (made) =>
    Effect.flatMap(TrailStore, (store) => store.insert(made))
  )

/** A record of an artifact on a trail that is not stored yet. */
export const newArtifact = (parent: Trail, sequence: number): Effect.Effect<Artifact> =>
  Effect.map(freshId, (id) => {
    const fingerprint = Fingerprint.make("a".repeat(64))
    return {
      org_id: parent.org_id,
      id: ArtifactId.make(id),
      flow_id: parent.flow_id,
      trail_id: parent.id,
      sequence,
      slot: SlotName.make("backend"),
      fingerprint,
      report: { fingerprint, filename: "shop.tar", build_url: "ci/1", commit_url: "git/1" },
      repo_id: null,
      created_by: "anna",
      created_at: AT
    }
  })

/** An attestation on a trail that is not stored yet. */
export const newAttestation = (parent: Trail, sequence: number): Effect.Effect<Attestation> =>
  Effect.map(freshId, (id) => ({
    org_id: parent.org_id,
    flow_id: parent.flow_id,
    trail_id: parent.id,
    sequence,
    id: AttestationId.make(id),
    name: AttestationName.make("unit-tests"),
    type: "generic",
    isCompliant: true,
    isOverride: false,
    fingerprint: null,
    slots: [],
    commit: null,
    digest: "d".repeat(64),
    body: { attestation_name: "unit-tests", is_compliant: true },
    policy_facts: null,
    attachments: [],
    created_by: "anna",
    created_at: AT
  }))

/** A repository of an org that is not stored yet. */
export const newRepo = (owner: Org, repoId = "17"): Effect.Effect<Repo> =>
  Effect.map(freshId, (id) => ({
    org_id: owner.id,
    id: RepoId.make(id),
    repo_id: repoId,
    name: "team/shop",
    url: "https://git.example.org/team/shop",
    provider: "github",
    provider_alias: null,
    description: null,
    namespace_path: null,
    additional_info: null,
    tags: {},
    latest_activity_at: AT,
    created_at: AT,
    last_modified_at: AT
  }))

/** The text of a policy that requires provenance. */
export const POLICY_YAML =
  "_schema: https://example.org/policy/v1\nartifacts:\n  provenance:\n    required: true\n"

const POLICY_DUMP = PolicyDocument.dump(Either.getOrThrow(PolicyDocument.parse(POLICY_YAML)))

/** A policy of an org that is not stored yet. */
export const newPolicy = (owner: Org, name = "needs-provenance"): Effect.Effect<Policy> =>
  Effect.map(freshId, (id) => ({
    org_id: owner.id,
    id: PolicyId.make(id),
    name: PolicyName.make(name),
    description: "",
    version: 1,
    policy_yaml: POLICY_YAML,
    reads: [],
    created_by: "anna",
    created_at: AT,
    last_modified_at: AT
  }))

/** The current version of a policy, with a dump that need not match its text. */
export const policyVersion = (policy: Policy): PolicyVersionRecord => ({
  org_id: policy.org_id,
  policy_id: policy.id,
  version: policy.version,
  comment: `about version ${policy.version}`,
  policy_yaml: policy.policy_yaml,
  dump: POLICY_DUMP,
  created_by: policy.created_by,
  timestamp: policy.last_modified_at
})

/** A stored policy. */
export const policy = (owner: Org, name?: string): Effect.Effect<Policy, StoreError, PolicyStore> =>
  Effect.tap(newPolicy(owner, name), (made) =>
    Effect.flatMap(PolicyStore, (store) => store.insert(made, policyVersion(made)))
  )

/** An environment of an org that is not stored yet. */
export const newEnvironment = (owner: Org, name = "prod"): Effect.Effect<Environment> =>
  Effect.map(freshId, (id) => ({
    org_id: owner.id,
    id: EnvironmentId.make(id),
    name: EnvironmentName.make(name),
    type: "K8S",
    type_alias: null,
    ...DEFAULT_SETTINGS,
    included: null,
    policies: [],
    tags: {},
    created_at: AT,
    last_modified_at: AT,
    last_reported_at: null,
    last_changed_at: null,
    verdict: null,
    archived_at: null
  }))

/** A stored environment. */
export const environment = (
  owner: Org,
  name?: string
): Effect.Effect<Environment, StoreError, EnvironmentStore> =>
  Effect.tap(newEnvironment(owner, name), (made) =>
    Effect.flatMap(EnvironmentStore, (store) => store.insert(made))
  )

/** An actor with these roles; use cases read nothing else of an actor. */
export const actor = (...memberships: ReadonlyArray<readonly [Org, BaseRole]>): Actor => ({
  kind: "user",
  id: "user-1",
  name: "anna",
  key_id: ApiKeyId.make("key-1"),
  memberships: memberships.map(([of, role]) => ({ org_id: of.id, org: of.name, role }))
})
