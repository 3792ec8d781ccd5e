/**
 * Every branded name and id of the domain, with its pattern and its length.
 *
 * Users choose names, and paths contain them; the service generates ids and never parses them. Patterns have
 * the spelling of error messages, which is why they look redundantly escaped.
 */
import * as Schema from "effect/Schema"

/** The pattern of flow names: letters and digits first, then also `.-_~`. */
export const FLOW_NAME_PATTERN = "^[a-zA-Z0-9][a-zA-Z0-9\\.\\-_~]*$"
/** The pattern of environment names: as flows, without the tilde that snapshot expressions use. */
export const ENVIRONMENT_NAME_PATTERN = "^[a-zA-Z0-9][a-zA-Z0-9\\.\\-_]*$"
/** The pattern of a slot in a trail, `template_reference_name` on the wire. */
export const SLOT_NAME_PATTERN = "^[a-zA-Z0-9\\-_]+$"
/** The pattern of a slot that an attestation targets. */
export const TARGET_SLOT_NAME_PATTERN = "^[a-zA-Z0-9\\-_,]+$"
/**
 * The pattern of an org name; 64 characters at most. Pages are below `/{org}/` and must not collide with fixed paths.
 */
export const ORG_NAME_PATTERN = "^[a-zA-Z0-9][a-zA-Z0-9-]{0,63}$"
/** The pattern of a fingerprint: a SHA-256 in lower-case hexadecimal. SPEC §8 */
export const FINGERPRINT_PATTERN = "^[a-f0-9]{64}$"
/** The pattern of a full git commit id. SPEC §8 */
export const COMMIT_SHA_PATTERN = "^[a-f0-9]{40}$"

/** The pattern of a service account's name. SPEC §2.8 */
export const SERVICE_ACCOUNT_NAME_PATTERN = "^[a-zA-Z0-9\\-]+$"
/** A service account's name has at most this many characters. SPEC §8 */
export const SERVICE_ACCOUNT_NAME_LENGTH_MAX = 64

/** The pattern of the identifier of a control. `.` and `..` can never be path segments then. */
export const CONTROL_IDENTIFIER_PATTERN = "^[a-zA-Z0-9][a-zA-Z0-9\\-._~]*$"
/** The identifier of a control has at most this many characters. */
export const CONTROL_IDENTIFIER_LENGTH_MAX = 256

/** The pattern of the name of a team. */
export const TEAM_NAME_PATTERN = "^[a-z0-9][a-z0-9._-]{0,62}$"

/** The pattern of the name of a space. */
export const SPACE_NAME_PATTERN = "^[a-z0-9][a-z0-9._-]{0,62}$"

/** Environment, flow, trail and policy names have at most this many characters. */
export const NAME_LENGTH_MAX = 255
/** Artifact names and file names have at most this many characters. */
export const ARTIFACT_NAME_LENGTH_MAX = 1024
/** Logins have at most this many characters. */
export const LOGIN_LENGTH_MAX = 255

const named = <const Brand extends string>(brand: Brand, pattern: string) =>
  Schema.String.pipe(
    Schema.maxLength(NAME_LENGTH_MAX),
    Schema.pattern(new RegExp(pattern)),
    Schema.brand(brand)
  )

const minted = <const Brand extends string>(brand: Brand) => Schema.String.pipe(Schema.brand(brand))

/** Names with another meaning in paths, which no org may have. */
export const RESERVED_ORG_NAMES: ReadonlyArray<string> = [
  "api",
  "docs",
  "live",
  "ready",
  "metrics",
  "session",
  "default-org",
  "system-attestation-types"
]

/** The name of an org. */
export const OrgName = Schema.String.pipe(
  Schema.pattern(new RegExp(ORG_NAME_PATTERN)),
  Schema.filter((name) => !RESERVED_ORG_NAMES.includes(name) || `\`${name}\` is a reserved name`),
  Schema.brand("OrgName")
)
/** The name of an org. */
export type OrgName = typeof OrgName.Type

/** The name of a flow. */
export const FlowName = named("FlowName", FLOW_NAME_PATTERN)
/** The name of a flow. */
export type FlowName = typeof FlowName.Type

/** The name of a trail, unique within its flow. */
export const TrailName = named("TrailName", FLOW_NAME_PATTERN)
/** The name of a trail, unique within its flow. */
export type TrailName = typeof TrailName.Type

/** The identifier of a control. */
export const ControlIdentifier = Schema.String.pipe(
  Schema.maxLength(CONTROL_IDENTIFIER_LENGTH_MAX),
  Schema.pattern(new RegExp(CONTROL_IDENTIFIER_PATTERN)),
  Schema.brand("ControlIdentifier")
)
/** The identifier of a control. */
export type ControlIdentifier = typeof ControlIdentifier.Type

/** The name of a policy. */
export const PolicyName = named("PolicyName", FLOW_NAME_PATTERN)
/** The name of a policy. */
export type PolicyName = typeof PolicyName.Type

/** The name of an environment. */
export const EnvironmentName = named("EnvironmentName", ENVIRONMENT_NAME_PATTERN)
/** The name of an environment. */
export type EnvironmentName = typeof EnvironmentName.Type

/** The name of a slot for an artifact in a trail. */
export const SlotName = named("SlotName", SLOT_NAME_PATTERN)
/** The name of a slot for an artifact in a trail. */
export type SlotName = typeof SlotName.Type

/** The name of a slot that an attestation targets, which may be one that no artifact can have. SPEC §1.4 */
export const TargetSlotName = named("SlotName", TARGET_SLOT_NAME_PATTERN)

/** A full git commit id. */
export const CommitSha = Schema.String.pipe(
  Schema.pattern(new RegExp(COMMIT_SHA_PATTERN)),
  Schema.brand("CommitSha")
)
/** A full git commit id. */
export type CommitSha = typeof CommitSha.Type

/** The name of a service account. */
export const ServiceAccountName = Schema.String.pipe(
  Schema.maxLength(SERVICE_ACCOUNT_NAME_LENGTH_MAX),
  Schema.pattern(new RegExp(SERVICE_ACCOUNT_NAME_PATTERN)),
  Schema.brand("ServiceAccountName")
)
/** The name of a service account. */
export type ServiceAccountName = typeof ServiceAccountName.Type

/** The name of a team. */
export const TeamName = Schema.String.pipe(
  Schema.pattern(new RegExp(TEAM_NAME_PATTERN)),
  Schema.brand("TeamName")
)
/** The name of a team. */
export type TeamName = typeof TeamName.Type

/** The name of a space. */
export const SpaceName = Schema.String.pipe(
  Schema.pattern(new RegExp(SPACE_NAME_PATTERN)),
  Schema.brand("SpaceName")
)
/** The name of a space. */
export type SpaceName = typeof SpaceName.Type

/** The name with which a user signs in. */
export const Login = Schema.String.pipe(
  Schema.minLength(1),
  Schema.maxLength(LOGIN_LENGTH_MAX),
  Schema.brand("Login")
)
/** The name with which a user signs in. */
export type Login = typeof Login.Type

/** Id of an org. */
export const OrgId = minted("OrgId")
/** Id of an org. */
export type OrgId = typeof OrgId.Type

/** Id of a user. */
export const UserId = minted("UserId")
/** Id of a user. */
export type UserId = typeof UserId.Type

/** Id of a team. */
export const TeamId = minted("TeamId")
/** Id of a team. */
export type TeamId = typeof TeamId.Type

/** Id of a space; that of the root is the id of the org. */
export const SpaceId = minted("SpaceId")
/** Id of a space. */
export type SpaceId = typeof SpaceId.Type

/** Id under which the SCIM client of an org knows a person. */
export const ScimId = minted("ScimId")
/** Id under which the SCIM client of an org knows a person. */
export type ScimId = typeof ScimId.Type

/** Id of an API key: the part of the key's text that is not secret. */
export const ApiKeyId = minted("ApiKeyId")
/** Id of an API key: the part of the key's text that is not secret. */
export type ApiKeyId = typeof ApiKeyId.Type

/** Id of a service account. */
export const ServiceAccountId = minted("ServiceAccountId")
/** Id of a service account. */
export type ServiceAccountId = typeof ServiceAccountId.Type

/** Id of a browser session: the part of its cookie that is not secret. */
export const SessionId = minted("SessionId")
/** Id of a browser session. */
export type SessionId = typeof SessionId.Type

/** What a request is authenticated by: a key, or the browser session of a person who signed in with a provider. */
export const CredentialId = Schema.Union(ApiKeyId, SessionId)
/** What a request is authenticated by. */
export type CredentialId = typeof CredentialId.Type

/** Id of one change of a membership. */
export const MembershipEventId = minted("MembershipEventId")
/** Id of one change of a membership. */
export type MembershipEventId = typeof MembershipEventId.Type

/** Id of an invitation. */
export const InvitationId = minted("InvitationId")
/** Id of an invitation. */
export type InvitationId = typeof InvitationId.Type

/** Id of a flow. */
export const FlowId = minted("FlowId")
/** Id of a flow. */
export type FlowId = typeof FlowId.Type

/** Id of a trail. */
export const TrailId = minted("TrailId")
/** Id of a trail. */
export type TrailId = typeof TrailId.Type

/** Id of one version of a template. */
export const TemplateId = minted("TemplateId")
/** Id of one version of a template. */
export type TemplateId = typeof TemplateId.Type

/** Id of a repository: ours, not its provider's. */
export const RepoId = minted("RepoId")
/** Id of a repository: ours, not its provider's. */
export type RepoId = typeof RepoId.Type

/** Id of an attestation. */
export const AttestationId = minted("AttestationId")
/** Id of an attestation. */
export type AttestationId = typeof AttestationId.Type

/** Id of one artifact record. */
export const ArtifactId = minted("ArtifactId")
/** Id of one artifact record. */
export type ArtifactId = typeof ArtifactId.Type

/** Id of an environment. */
export const EnvironmentId = minted("EnvironmentId")
/** Id of an environment. */
export type EnvironmentId = typeof EnvironmentId.Type

/** Id of a policy. */
export const PolicyId = minted("PolicyId")
/** Id of a policy. */
export type PolicyId = typeof PolicyId.Type

/** Id of one stored target of notifications; a target that is saved again unchanged keeps it. */
export const NotificationTargetId = minted("NotificationTargetId")
/** Id of one stored target of notifications. */
export type NotificationTargetId = typeof NotificationTargetId.Type

/** Id of one delivery of one notification to one target. */
export const DeliveryId = minted("DeliveryId")
/** Id of one delivery. */
export type DeliveryId = typeof DeliveryId.Type
