/** The operations that make receipts of decisions. SPEC §4.29 */
import { Fingerprint } from "@attestry/core/Fingerprint"
import { FlowName } from "@attestry/core/Identifier"
import {
  EXPIRES_IN,
  EXPIRES_IN_MAX,
  EXPIRES_IN_MIN,
  SUBJECTS_MAX
} from "@attestry/core/ReceiptLimits"
import { MEDIA_TYPES } from "@attestry/core/ReceiptPredicate"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { asOf } from "../history/AsOfFields.js"
import { noBody, Operation, rule } from "../shared/Operation.js"
import { envName, org, snapshotExpression, wholeFingerprint } from "../shared/PathParam.js"
import * as QueryParam from "../shared/QueryParam.js"

/** A receipt: an envelope of DSSE around an in-toto statement. */
export const ReceiptEnvelope = Schema.Struct({
  payloadType: Schema.String,
  payload: Schema.String,
  signatures: Schema.Array(Schema.Struct({ keyid: Schema.String, sig: Schema.String }))
})
  .annotations({ identifier: "ReceiptEnvelope" })
  .pipe(HttpApiSchema.withEncoding({ kind: "Json", contentType: MEDIA_TYPES.vsa }))

const predicate = QueryParam.optional(
  Schema.Literal("vsa", "svr"),
  "`vsa` (the default) for a Verification Summary of SLSA, or `svr` for a Simple Verification Result of in-toto."
)

/** Which receipt of a snapshot is wanted. */
export const SnapshotReceiptQuery = Schema.Struct({
  fingerprint: QueryParam.optional(
    Fingerprint,
    "Only this artifact; the receipt also names the attestations that were looked at."
  ),
  predicate
})

/** Which decision about an artifact is wanted. */
export const AssertionReceiptQuery = Schema.Struct({
  flow_name: QueryParam.optional(FlowName, "Only evidence of the flow of this name counts."),
  environment_name: QueryParam.optional(
    Schema.String,
    "Judge by the policies that are attached to this environment."
  ),
  policy_name: QueryParam.optional(
    QueryParam.repeatable(Schema.String),
    "Judge by this policy. May be repeated; not together with `environment_name`."
  ),
  expires_in: QueryParam.optional(
    QueryParam.integer(EXPIRES_IN_MIN, EXPIRES_IN_MAX),
    `For how many seconds the receipt is valid, ${EXPIRES_IN_MIN} to ${EXPIRES_IN_MAX}; ${EXPIRES_IN} by default.`
  ),
  as_of: asOf,
  predicate
})

/** The operations of receipts. */
export class ReceiptApi extends HttpApiGroup.make("receipt")
  .add(
    HttpApiEndpoint.get("snapshot")`/receipts/${org}/snapshots/${envName}/${snapshotExpression}`
      .setUrlParams(SnapshotReceiptQuery)
      .addSuccess(ReceiptEnvelope)
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "Make a receipt of a snapshot's verdict")
      .annotate(
        OpenApi.Description,
        "Answers a statement of in-toto in an envelope of DSSE, signed by the keys of the log, that others can check " +
          "without the server: the artifacts that run, the policies, the verdict and the place of the snapshot in " +
          "the log. An unknown verdict is `FAILED`. 503 until the log has the snapshot; 400 for more than " +
          `${SUBJECTS_MAX} artifacts, which need \`fingerprint\`.`
      )
  )
  .add(
    HttpApiEndpoint.get("assertion")`/receipts/${org}/asserts/${wholeFingerprint}`
      .setUrlParams(AssertionReceiptQuery)
      .addSuccess(ReceiptEnvelope)
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "Make a receipt of the verdict about an artifact")
      .annotate(
        OpenApi.Description,
        "Asserts the artifact as `assert` does and answers the verdict, `PASSED` or `FAILED`, as a statement of " +
          "in-toto in an envelope of DSSE. It names the log that was published, the newest entry of each trail that " +
          "was looked at, and when it ends. 503 until the log has these entries."
      )
  )
  .annotate(OpenApi.Title, "Decision receipts")
  .annotate(
    OpenApi.Description,
    "Verdicts, signed, in formats that other tools read. The keys are those of `/keys`."
  ) {}
