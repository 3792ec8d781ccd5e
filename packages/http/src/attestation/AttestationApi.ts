/** The operations of attestations: one to report each type, and those that read them. SPEC §4.8, §4.12 */
import * as AttestationReport from "@attestry/core/AttestationReport"
import { AttestationId, FlowName, TrailName } from "@attestry/core/Identifier"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { CreatedBody, OkBody } from "../shared/internal/OkBody.js"
import { jsonBody, noBody, Operation, rule, uploadBody } from "../shared/internal/Operation.js"
import { dataEnvelope, pageFields } from "../shared/internal/Paging.js"
import {
  attestationId,
  attestationName,
  fields,
  fingerprint,
  flowName,
  org,
  trailName
} from "../shared/internal/PathParam.js"
import * as QueryParam from "../shared/internal/QueryParam.js"
import { AttestationResponse } from "./internal/AttestationResponse.js"

/** The largest number of attestations on a page, and the default. DECISION A-34 */
export const PER_PAGE_MAX = 100
/** The default number of attestations on a page. */
export const PER_PAGE_DEFAULT = 15

const path = Schema.Struct({
  org: fields.org,
  flow_name: fields.flow_name,
  trail_name: fields.trail_name
})

const uploads = uploadBody("data_json", "attachment_file")

const report = <const Name extends string, A, I>(
  name: Name,
  payload: Schema.Schema<A, I>,
  { summary, description }: { readonly summary: string; readonly description: string }
) =>
  HttpApiEndpoint.post(name, `/attestations/:org/:flow_name/trail/:trail_name/${name}`)
    .setPath(path)
    .setPayload(payload)
    .addSuccess(CreatedBody)
    .annotate(Operation, rule("attestation.write", uploads))
    .annotate(OpenApi.Summary, summary)
    .annotate(OpenApi.Description, description)

/** Filters of the list of attestations. DECISION A-37 */
export const ListAttestations = Schema.Struct({
  ...pageFields(PER_PAGE_MAX),
  attestation_id: QueryParam.optional(AttestationId, "Only the attestation of this id."),
  attestation_type: QueryParam.optional(
    Schema.String,
    "Only attestations of this type, such as `junit` or `custom:load-test`."
  ),
  attestation_name: QueryParam.optional(Schema.String, "Only attestations of this name."),
  flow_name: QueryParam.optional(FlowName, "Only attestations in the flow of this name."),
  trail_name: QueryParam.optional(TrailName, "Only attestations on trails of this name."),
  is_compliant: QueryParam.optional(
    QueryParam.boolean,
    "Only attestations that are compliant, or only those that are not."
  )
})

/** The operations of attestations. */
export class AttestationApi extends HttpApiGroup.make("attestation")
  .add(
    report("generic", AttestationReport.GenericReport, {
      summary: "Report a generic attestation",
      description:
        "Records an attestation that is compliant when the caller says so. It is about the " +
        "trail, or about an artifact that is named by its fingerprint or by a slot of the " +
        "template."
    })
  )
  .add(
    report("junit", AttestationReport.JunitReport, {
      summary: "Report the results of test suites",
      description:
        "Records the results of test suites as counts. It is compliant when no suite has " +
        "failures or errors; skipped tests do not matter."
    })
  )
  .add(
    report("snyk", AttestationReport.SnykReport, {
      summary: "Report a scan for vulnerabilities",
      description:
        "Records the results of a scan for vulnerabilities as counts by severity. It is " +
        "compliant when every count is 0."
    })
  )
  .add(
    report("sonar", AttestationReport.SonarReport, {
      summary: "Report an analysis of code",
      description:
        "Records the results of an analysis of code. It is compliant when there is a quality " +
        "gate and its status is `OK`."
    })
  )
  .add(
    report("jira", AttestationReport.JiraReport, {
      summary: "Report references to issues",
      description:
        "Records the issues that a change refers to. It is compliant when there is at least " +
        "one and every one of them exists."
    })
  )
  .add(
    report("pull_request", AttestationReport.PullRequestReport, {
      summary: "Report pull requests",
      description:
        "Records the pull requests of a commit. It is compliant when there is at least one; " +
        "their state does not matter."
    })
  )
  .add(
    report("custom", AttestationReport.CustomReport, {
      summary: "Report data of a custom type",
      description:
        "Records data of a custom attestation type. The schema and the rules of the latest " +
        "version of the type decide whether it is compliant."
    })
  )
  .add(
    report("system", AttestationReport.SystemReport, {
      summary: "Report a decision about a control, or a bill of materials",
      description:
        "Records evidence of a type that the service defines; `type_name` says which. A " +
        "`decision` says whether a control holds for the trail or for an artifact of it, and " +
        "is compliant when it says so; it is part of the beta feature `controls`. An `sbom` " +
        "says what an artifact is made of, with the document as a file, and is compliant " +
        "unless the digest of its subject is another one than that of the artifact."
    }).annotate(Operation, rule("attestation.write", uploads, { bodyGate: "controls" }))
  )
  .add(
    HttpApiEndpoint.post("override")`/attestations/${org}/${flowName}/trail/${trailName}/override`
      .setPayload(AttestationReport.OverrideReport)
      .addSuccess(OkBody)
      .annotate(Operation, rule("attestation.write", jsonBody))
      .annotate(OpenApi.Summary, "Replace the outcome of an attestation")
      .annotate(
        OpenApi.Description,
        "Replaces, for compliance, the outcome of the latest attestation of the same scope, " +
          "name and type. The attestation itself is kept; a later one of the name counts " +
          "again."
      )
  )
  .add(
    HttpApiEndpoint.get("list")`/attestations/${org}`
      .setUrlParams(ListAttestations)
      .addSuccess(dataEnvelope(AttestationResponse))
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "List the attestations of an org, newest first")
      .annotate(
        OpenApi.Description,
        "Answers one page of the attestations of all flows; filters combine with AND. An " +
          "unknown id is an empty list."
      )
  )
  .add(
    HttpApiEndpoint.get(
      "listOnTrail"
    )`/attestations/${org}/${flowName}/trail/${trailName}/${attestationName}`
      .addSuccess(Schema.Array(AttestationResponse))
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "Get the attestations of one name on a trail, oldest first")
      .annotate(
        OpenApi.Description,
        "Answers every attestation of that name on the trail; an empty array for an unknown name."
      )
  )
  .add(
    HttpApiEndpoint.get(
      "listOnArtifact"
    )`/attestations/${org}/${flowName}/artifact/${fingerprint}/${attestationName}`
      .addSuccess(Schema.Array(AttestationResponse))
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "Get the attestations of one name that count for an artifact")
      .annotate(
        OpenApi.Description,
        "Answers every attestation of that name that counts for the artifact, in the flow."
      )
  )
  .add(
    HttpApiEndpoint.get(
      "evidence"
    )`/attestations/${org}/${flowName}/trail/${trailName}/attestation/${attestationId}/evidence`
      .setUrlParams(
        Schema.Struct({
          fingerprint: QueryParam.optional(
            Schema.String,
            "The SHA-256 of the file, where the attestation has several; the first one otherwise."
          )
        })
      )
      .addSuccess(HttpApiSchema.Uint8Array())
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "Download a file that came with an attestation")
      .annotate(
        OpenApi.Description,
        "Answers a file that was attached to the attestation, as a download; 404 where there " +
          "is none."
      )
  )
  .annotate(OpenApi.Title, "Attestations") {}
