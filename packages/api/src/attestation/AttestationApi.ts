/** The operations of attestations: one to report each type, and those that read them. SPEC §4.8, §4.12 */
import * as AttestationReport from "@attestry/core/AttestationReport"
import { UserData } from "@attestry/core/Evidence"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { answeredAsOf, asOf } from "../history/AsOfFields.js"
import { CreatedBody, OkBody } from "../shared/OkBody.js"
import { jsonBody, noBody, Operation, rule, uploadBody } from "../shared/Operation.js"
import { CursorLinks, dataEnvelope } from "../shared/Paging.js"
import {
  attestationId,
  attestationName,
  fields,
  fingerprint,
  flowName,
  org,
  trailName
} from "../shared/PathParam.js"
import * as QueryParam from "../shared/QueryParam.js"
import { ListAttestations, ListForCriteria, ListOfFlow } from "./AttestationQuery.js"
import { AttestationResponse } from "./AttestationResponse.js"

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

/** One page of attestations, and where the list goes on. */
const AttestationsPage = Schema.Struct({
  ...dataEnvelope(AttestationResponse).fields,
  _links: CursorLinks,
  pagination: Schema.NullOr(dataEnvelope(AttestationResponse).fields.pagination),
  ...answeredAsOf
}).annotations({ identifier: "AttestationsPage" })

/** A system type, with the schema of its data in each version. */
const SystemType = Schema.Struct({
  name: Schema.String,
  versions: Schema.Array(Schema.Struct({ version: Schema.Int, attestation_data_schema: UserData }))
}).annotations({ identifier: "SystemAttestationType" })

/** The operations of attestations. */
export class AttestationApi extends HttpApiGroup.make("attestation")
  .add(
    report("generic", AttestationReport.GenericReport, {
      summary: "Report a generic attestation",
      description:
        "Records an attestation whose compliance the caller gives. It is about the trail, or " +
        "about an artifact that is named by its fingerprint or by a slot of the template."
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
      summary: "Report a decision about a control, a bill of materials, or a session of an agent",
      description:
        "Records evidence of a type that the service defines, `type_name`. A `decision` " +
        "states whether a control holds for the trail or for an artifact of it, and has that " +
        "outcome; it is part of the beta feature `controls`. An `sbom` lists the components " +
        "of an artifact, with the document as a file, and is compliant unless the digest of " +
        "its subject differs from that of the artifact. An `agent_session` states what a coding " +
        "agent changed, with which tool and model, and is always compliant."
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
          "name and type. The attestation itself stays; a later one of the name counts again."
      )
  )
  .add(
    HttpApiEndpoint.get("listSystemTypes", "/attestations/system-attestation-types")
      .addSuccess(Schema.Array(SystemType))
      .annotate(Operation, rule("authenticated", noBody))
      .annotate(OpenApi.Summary, "List the types of system attestations")
      .annotate(
        OpenApi.Description,
        "Answers the types that `…/system` takes, with the JSON Schema of the data of each " +
          "version. They are the same in every org."
      )
  )
  .add(
    HttpApiEndpoint.get("list")`/attestations/${org}`
      .setUrlParams(ListAttestations)
      .addSuccess(AttestationsPage)
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "List the attestations of an org, newest first")
      .annotate(
        OpenApi.Description,
        "Answers one page of the attestations of all flows; filters combine with AND, the " +
          "values of one with OR. An unknown id is an empty list. `_links.next` continues " +
          "after the last attestation of the page, regardless of attestations that were " +
          "recorded meanwhile; `pagination` is null if `after` is sent. With `as_of`, only " +
          "attestations that were accepted by that instant."
      )
  )
  .add(
    HttpApiEndpoint.get("listForCriteria")`/attestations/${org}/list_attestations_for_criteria`
      .setUrlParams(ListForCriteria)
      .addSuccess(
        Schema.Record({
          key: Schema.String,
          value: Schema.Array(AttestationResponse)
        }).annotations({ identifier: "AttestationsByCommit" })
      )
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "List the attestations of commits, oldest first")
      .annotate(
        OpenApi.Description,
        "Answers the attestations of each commit; an empty array for a commit without any. An " +
          "attestation belongs to the commit that it reports, or else to that of its artifact, " +
          "or else to that of its trail."
      )
  )
  .add(
    HttpApiEndpoint.get("listOfFlow")`/attestations/${org}/${flowName}`
      .setUrlParams(ListOfFlow)
      .addSuccess(dataEnvelope(AttestationResponse))
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "List the attestations of a flow, newest first")
      .annotate(
        OpenApi.Description,
        "Answers one page of the attestations on all trails of one flow."
      )
  )
  .add(
    HttpApiEndpoint.get(
      "listOnTrail"
    )`/attestations/${org}/${flowName}/trail/${trailName}/${attestationName}`
      .setUrlParams(Schema.Struct({ as_of: asOf }))
      .addSuccess(Schema.Array(AttestationResponse))
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "Get the attestations of one name on a trail, newest first")
      .annotate(
        OpenApi.Description,
        "Answers every attestation of that name on the trail; an empty array for an unknown name. With `as_of`, " +
          "those that were accepted by then; 404 where the trail was begun later."
      )
  )
  .add(
    HttpApiEndpoint.get(
      "listOnArtifact"
    )`/attestations/${org}/${flowName}/artifact/${fingerprint}/${attestationName}`
      .setUrlParams(Schema.Struct({ as_of: asOf }))
      .addSuccess(Schema.Array(AttestationResponse))
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "Get the attestations of one name for an artifact, newest first")
      .annotate(
        OpenApi.Description,
        "Answers every attestation of that name that counts for the artifact, in the flow. With `as_of`, those that " +
          "counted then; 404 where the artifact was reported later."
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
  .annotate(OpenApi.Title, "Attestations")
  .annotate(
    OpenApi.Description,
    "Evidence about a trail or an artifact: its type, its outcome, its data and its files."
  ) {}
