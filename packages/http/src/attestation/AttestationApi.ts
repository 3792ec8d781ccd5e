/** The operations of attestations: one to report each type, and those that find them. SPEC §4.8, §4.12 */
import * as AttestationReport from "@attestry/core/AttestationReport"
import { AttestationId, FlowName, OrgName, TrailName } from "@attestry/core/Identifier"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { CreatedBody, OkBody } from "../shared/OkBody.js"
import { jsonBody, noBody, Operation, rule, uploadBody } from "../shared/Operation.js"
import { dataEnvelope, pageFields } from "../shared/Paging.js"
import {
  attestationId,
  attestationName,
  fingerprint,
  flowName,
  org,
  trailName
} from "../shared/PathParam.js"
import * as QueryParam from "../shared/QueryParam.js"
import { AttestationResponse } from "./AttestationResponse.js"

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

/** At most this many attestations are on a page, and this many unless asked. DECISION A-34 */
export const PER_PAGE_MAX = 100
/** This many attestations are on a page unless asked. */
export const PER_PAGE_DEFAULT = 15

const path = Schema.Struct({ org: OrgName, flow_name: FlowName, trail_name: TrailName })

const uploads = uploadBody("data_json", "attachment_file")

const report = <const Name extends string, A, I>(
  name: Name,
  payload: Schema.Schema<A, I>,
  summary: string
) =>
  HttpApiEndpoint.post(name, `/attestations/:org/:flow_name/trail/:trail_name/${name}`)
    .setPath(path)
    .setPayload(payload)
    .addSuccess(CreatedBody)
    .annotate(Operation, rule("attestation.write", uploads))
    .annotate(OpenApi.Summary, summary)

/** How attestations are listed. DECISION A-37 */
export const ListAttestations = Schema.Struct({
  ...pageFields(PER_PAGE_MAX),
  attestation_id: optional(AttestationId),
  attestation_type: optional(Schema.String),
  attestation_name: optional(Schema.String),
  flow_name: optional(FlowName),
  trail_name: optional(TrailName),
  is_compliant: optional(QueryParam.boolean)
})

/** The operations of attestations. */
export class AttestationApi extends HttpApiGroup.make("attestation")
  .add(report("generic", AttestationReport.GenericReport, "Report a generic attestation"))
  .add(report("junit", AttestationReport.JunitReport, "Report the results of test suites"))
  .add(report("snyk", AttestationReport.SnykReport, "Report a scan for vulnerabilities"))
  .add(report("sonar", AttestationReport.SonarReport, "Report an analysis of code"))
  .add(report("jira", AttestationReport.JiraReport, "Report references to issues"))
  .add(report("pull_request", AttestationReport.PullRequestReport, "Report pull requests"))
  .add(report("custom", AttestationReport.CustomReport, "Report data of a custom type"))
  .add(
    report(
      "system",
      AttestationReport.DecisionReport,
      "Report a decision about a control"
    ).annotate(Operation, rule("attestation.write", uploads, { gate: "controls" }))
  )
  .add(
    HttpApiEndpoint.post("override")`/attestations/${org}/${flowName}/trail/${trailName}/override`
      .setPayload(AttestationReport.OverrideReport)
      .addSuccess(OkBody)
      .annotate(Operation, rule("attestation.write", jsonBody))
      .annotate(OpenApi.Summary, "Replace the outcome of an attestation")
  )
  .add(
    HttpApiEndpoint.get("list")`/attestations/${org}`
      .setUrlParams(ListAttestations)
      .addSuccess(dataEnvelope(AttestationResponse))
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "List the attestations of an org, newest first")
  )
  .add(
    HttpApiEndpoint.get(
      "listOnTrail"
    )`/attestations/${org}/${flowName}/trail/${trailName}/${attestationName}`
      .addSuccess(Schema.Array(AttestationResponse))
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "Get the attestations of one name on a trail, oldest first")
  )
  .add(
    HttpApiEndpoint.get(
      "listOnArtifact"
    )`/attestations/${org}/${flowName}/artifact/${fingerprint}/${attestationName}`
      .addSuccess(Schema.Array(AttestationResponse))
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "Get the attestations of one name that count for an artifact")
  )
  .add(
    HttpApiEndpoint.get(
      "evidence"
    )`/attestations/${org}/${flowName}/trail/${trailName}/attestation/${attestationId}/evidence`
      .setUrlParams(Schema.Struct({ fingerprint: optional(Schema.String) }))
      .addSuccess(HttpApiSchema.Uint8Array())
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "Download a file that came with an attestation")
  )
  .annotate(OpenApi.Title, "Attestations") {}
