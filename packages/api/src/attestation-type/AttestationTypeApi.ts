/** The operations of custom attestation types. */
import * as AttestationType from "@attestry/core/AttestationType"
import { optional } from "@attestry/core/OptionalField"
import { EpochSeconds } from "@attestry/core/Timestamp"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { CreatedBody, OkBody } from "../shared/OkBody.js"
import { formBody, noBody, Operation, rule } from "../shared/Operation.js"
import { org } from "../shared/PathParam.js"
import * as QueryParam from "../shared/QueryParam.js"

/** A field that some responses leave out. */
const perhaps = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

/** A type to save; its schema is a file of JSON text or a value. */
export const PutAttestationType = Schema.Struct({
  name: AttestationType.AttestationTypeName,
  description: optional(Schema.String),
  evaluator: optional(AttestationType.EvaluatorInput),
  summary: optional(AttestationType.Summary),
  type_schema: optional(Schema.Unknown)
}).annotations({ identifier: "PutAttestationType" })

/** One version in a response. */
export const TypeVersionResponse = Schema.Struct({
  ...AttestationType.TypeVersion.fields,
  timestamp: EpochSeconds
}).annotations({ identifier: "AttestationTypeVersion" })

/** A type in a response; a request for one version leaves fields out. */
export const AttestationTypeResponse = Schema.Struct({
  name: Schema.String,
  description: perhaps(Schema.String),
  org: Schema.String,
  archived: Schema.Boolean,
  built_in: perhaps(Schema.Literal(true)).annotations({
    description: "Whether the type is built in: made for a kind of evidence files."
  }),
  created_by: perhaps(Schema.String),
  created_at: perhaps(EpochSeconds),
  last_modified_at: perhaps(EpochSeconds),
  versions: Schema.Array(TypeVersionResponse)
}).annotations({ identifier: "AttestationType" })

const typeName = HttpApiSchema.param(
  "type_name",
  AttestationType.AttestationTypeName.annotations({
    description: "The name of the attestation type, without `custom:`."
  })
)

/** The operations of custom attestation types. */
export class AttestationTypeApi extends HttpApiGroup.make("attestationType")
  .add(
    HttpApiEndpoint.post("put")`/custom-attestation-types/${org}`
      .setPayload(PutAttestationType)
      .addSuccess(CreatedBody)
      .annotate(Operation, rule("attestation-type.write", formBody("data_json", "type_schema")))
      .annotate(OpenApi.Summary, "Define an attestation type, or add a version of it")
      .annotate(
        OpenApi.Description,
        "Defines a custom attestation type. If the name exists, adds a version, which " +
          "applies to new attestations; earlier ones keep theirs."
      )
  )
  .add(
    HttpApiEndpoint.get("list")`/custom-attestation-types/${org}`
      .setUrlParams(
        Schema.Struct({
          archived: QueryParam.optional(
            QueryParam.boolean,
            "Whether archived types are listed in place of the others."
          )
        })
      )
      .addSuccess(Schema.Array(AttestationTypeResponse))
      .annotate(Operation, rule("member", noBody))
      .annotate(OpenApi.Summary, "List attestation types, by name")
      .annotate(OpenApi.Description, "Answers the types that are not archived, or those that are.")
  )
  .add(
    HttpApiEndpoint.get("get")`/custom-attestation-types/${org}/${typeName}`
      .setUrlParams(
        Schema.Struct({
          version: QueryParam.optional(
            Schema.String,
            "The number of the only version to show; a text that is not a whole number is " +
              "ignored."
          )
        })
      )
      .addSuccess(AttestationTypeResponse)
      .annotate(Operation, rule("member", noBody))
      .annotate(OpenApi.Summary, "Get an attestation type, newest version first")
      .annotate(OpenApi.Description, "Answers a type, archived or not, with its versions.")
  )
  .add(
    HttpApiEndpoint.put("archive")`/custom-attestation-types/${org}/${typeName}/archive`
      .addSuccess(OkBody)
      .annotate(Operation, rule("attestation-type.write", noBody))
      .annotate(OpenApi.Summary, "Archive an attestation type")
      .annotate(
        OpenApi.Description,
        "Archives the type: new attestations of it are refused, and recorded ones are kept."
      )
  )
  .annotate(OpenApi.Title, "Custom attestation types")
  .annotate(
    OpenApi.Description,
    "Types of evidence that an org defines: a JSON Schema, and rules that decide about compliance."
  ) {}
