/**
 * The reports of environments: one operation for each physical kind, because each has a body of its own.
 * SPEC §4.4
 */
import { type PhysicalKind, wordsOf } from "@attestry/core/EnvironmentKind"
import * as EnvironmentReport from "@attestry/core/EnvironmentReport"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { OkBody } from "../shared/OkBody.js"
import { Operation, REPORT_BYTES_MAX, rawBody, rule } from "../shared/Operation.js"
import { fields } from "../shared/PathParam.js"

// WHY raw: a report that is equal to the last one is answered from the digest of its bytes.
const body = rawBody(REPORT_BYTES_MAX)

const path = Schema.Struct({ org: fields.org, env_name: fields.env_name })

const report = <const K extends PhysicalKind>(kind: K) =>
  HttpApiEndpoint.put(kind, `/environments/:org/:env_name/report/${kind}`)
    .setPath(path)
    .setPayload(EnvironmentReport.schemaOf(kind))
    .addSuccess(OkBody)
    .annotate(Operation, rule("environment.report", body, { aliases: wordsOf(kind).slice(1) }))
    .annotate(OpenApi.Summary, `Report what runs in an environment of type ${kind}`)
    .annotate(
      OpenApi.Description,
      `Reports all artifacts that run in the environment, which must be of type ${kind}. ` +
        `They are evaluated by the policies of the environment; a snapshot is made if they ` +
        `differ from the latest one.`
    )

/** The reports of environments; each operation is named after its kind. */
export class ReportApi extends HttpApiGroup.make("report")
  .add(report("K8S"))
  .add(report("container-tasks"))
  .add(report("object-store"))
  .add(report("functions"))
  .add(report("server"))
  .add(report("docker"))
  .add(report("cloudx-apps"))
  .add(report("serverless-run"))
  .annotate(OpenApi.Title, "Environment reports")
  .annotate(
    OpenApi.Description,
    "Reports of the artifacts that run in an environment; a report with a change appends " +
      "a snapshot."
  ) {}
