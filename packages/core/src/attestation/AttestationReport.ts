/**
 * The request bodies of each type of attestation, and the type and outcome of a body.
 *
 * A body has the common fields and those of its type; other fields are refused. SPEC §2.5
 */
import * as Schema from "effect/Schema"
import { Fingerprint } from "../artifact/Fingerprint.js"
import { AttestationTypeName } from "../attestation-type/AttestationType.js"
import * as AttestationTypePattern from "../flow/AttestationTypePattern.js"
import { Annotations, ExternalUrls, UserData, WebUrl } from "../shared/Evidence.js"
import { GitCommitInfo, RepoInfo } from "../shared/GitCommit.js"
import { TargetSlotName } from "../shared/Identifier.js"
import { optional } from "../shared/OptionalField.js"
import { AttestationName } from "./Attestation.js"
import * as Payload from "./AttestationPayload.js"
import * as Outcome from "./internal/AttestationOutcome.js"
import { orText } from "./internal/TextOfJson.js"

const common = {
  attestation_name: AttestationName,
  artifact_fingerprint: optional(Fingerprint),
  target_artifacts: optional(Schema.Array(TargetSlotName)),
  git_commit_info: optional(GitCommitInfo),
  repo_info: optional(RepoInfo),
  external_urls: optional(ExternalUrls),
  origin_url: optional(WebUrl),
  user_data: optional(UserData),
  description: optional(Schema.String),
  annotations: optional(Annotations)
}

/** The fields that every attestation may have. */
export const CommonFields = Schema.Struct(common)
/** The fields that every attestation may have. */
export type CommonFields = typeof CommonFields.Type

/** Body of a `generic` attestation. */
export const GenericReport = Schema.Struct({
  ...common,
  ...Payload.GenericPayload.fields
}).annotations({ identifier: "GenericAttestation" })
/** Body of a `junit` attestation. */
export const JunitReport = Schema.Struct({
  ...common,
  ...Payload.JunitPayload.fields
}).annotations({ identifier: "JunitAttestation" })
/** Body of a `snyk` attestation. */
export const SnykReport = Schema.Struct({ ...common, ...Payload.SnykPayload.fields }).annotations({
  identifier: "SnykAttestation"
})
/** Body of a `sonar` attestation. */
export const SonarReport = Schema.Struct({
  ...common,
  ...Payload.SonarPayload.fields
}).annotations({ identifier: "SonarAttestation" })
/** Body of a `jira` attestation. */
export const JiraReport = Schema.Struct({ ...common, ...Payload.JiraPayload.fields }).annotations({
  identifier: "JiraAttestation"
})
/** Body of a `pull_request` attestation. */
export const PullRequestReport = Schema.Struct({
  ...common,
  ...Payload.PullRequestPayload.fields
}).annotations({ identifier: "PullRequestAttestation" })
/** Body of a decision. */
export const DecisionReport = Schema.Struct({
  ...common,
  ...Payload.DecisionPayload.fields
}).annotations({ identifier: "DecisionAttestation" })
/** Body of a list of what an artifact is made of. */
export const SbomReport = Schema.Struct({
  ...common,
  ...Payload.SbomPayload.fields
}).annotations({ identifier: "SbomAttestation" })
/** Body of a session of a coding agent. */
export const AgentSessionReport = Schema.Struct({
  ...common,
  ...Payload.AgentSessionPayload.fields
}).annotations({ identifier: "AgentSessionAttestation" })
/** Body of an attestation of a type that the service defines: `type_name` says which. */
export const SystemReport = Schema.Union(DecisionReport, SbomReport, AgentSessionReport)
/** Body of an attestation of a custom type; its data may be any JSON value. */
export const CustomReport = Schema.Struct({
  ...common,
  type_name: AttestationTypeName,
  attestation_data: orText(Schema.Unknown)
}).annotations({ identifier: "CustomAttestation" })
/** Body of an override. */
export const OverrideReport = Schema.Struct({
  ...common,
  ...Payload.OverridePayload.fields
}).annotations({ identifier: "OverrideAttestation" })

/** A body with its type and outcome. */
export interface AttestationReport {
  /** The domain's word; of an override, the original type as given. */
  readonly type: string
  readonly isOverride: boolean
  readonly isCompliant: boolean
  readonly body: CommonFields & { readonly [field: string]: unknown }
}

const reported =
  <Body extends CommonFields>(type: string, outcome: (body: Body) => boolean) =>
  (body: Body): AttestationReport => ({
    type,
    isOverride: false,
    isCompliant: outcome(body),
    body: { ...body }
  })

/** A generic attestation. */
export const generic = reported<typeof GenericReport.Type>("generic", Outcome.generic)
/** The results of test suites. */
export const junit = reported<typeof JunitReport.Type>("junit", Outcome.junit)
/** A scan for vulnerabilities. */
export const snyk = reported<typeof SnykReport.Type>("snyk", Outcome.snyk)
/** An analysis of code. */
export const sonar = reported<typeof SonarReport.Type>("sonar", Outcome.sonar)
/** References to issues. */
export const jira = reported<typeof JiraReport.Type>("jira", Outcome.jira)
/** Pull requests. */
export const pullRequest = reported<typeof PullRequestReport.Type>(
  "pull_request",
  Outcome.pullRequest
)
/** A list of what an artifact is made of. */
export const sbom = reported<typeof SbomReport.Type>("sbom", Outcome.sbom)
/** A session of a coding agent. */
export const agentSession = reported<typeof AgentSessionReport.Type>(
  "agent_session",
  Outcome.agentSession
)
/** Whether a body is a session of a coding agent. */
export const isAgentSession = (
  body: typeof SystemReport.Type
): body is typeof AgentSessionReport.Type =>
  body.type_name === "agent_session" || body.type_name === "system:agent_session"
/** A list of what an artifact is made of, or a session, as its `type_name` says. */
export const described = (
  body: typeof SbomReport.Type | typeof AgentSessionReport.Type
): AttestationReport => (isAgentSession(body) ? agentSession(body) : sbom(body))
/** Whether a body is a decision about a control. */
export const isDecision = (body: typeof SystemReport.Type): body is typeof DecisionReport.Type =>
  body.type_name === "decision" || body.type_name === "system:decision"
/**
 * A decision about a control, with the control's version at the report. An archived control still takes decisions: the
 * decision was made.
 */
export const decision = (
  body: typeof DecisionReport.Type,
  version: number | null
): AttestationReport => ({
  type: "decision",
  isOverride: false,
  isCompliant: Outcome.decision(body),
  body: { ...body, control_version: version }
})

/** An attestation of a custom type, with the outcome that its type has decided. */
export const custom = (
  body: typeof CustomReport.Type,
  evaluated: { readonly version: number; readonly isCompliant: boolean }
): AttestationReport => ({
  type: `${AttestationTypePattern.CUSTOM_PREFIX}${body.type_name}`,
  isOverride: false,
  isCompliant: evaluated.isCompliant,
  body: { ...body, type_version: evaluated.version }
})

/** An override of another attestation. */
export const override = (body: typeof OverrideReport.Type): AttestationReport => ({
  type: AttestationTypePattern.fromWire(body.original_attestation_type),
  isOverride: true,
  isCompliant: Outcome.override(body),
  body: { ...body }
})
