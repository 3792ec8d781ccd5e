/** The operations of evidence files: accepted, judged again, listed, shown and read back. */
import { AttestationName } from "@attestry/core/Attestation"
import { AttestationTypeName } from "@attestry/core/AttestationType"
import { WebUrl } from "@attestry/core/Evidence"
import { EvidenceFacts, Subject } from "@attestry/core/EvidenceFacts"
import { EvidenceKind } from "@attestry/core/EvidenceKind"
import { EvidenceFilename } from "@attestry/core/EvidenceRecord"
import { EvidenceVerification, VerificationState } from "@attestry/core/EvidenceVerification"
import { Fingerprint } from "@attestry/core/Fingerprint"
import { FlowName, TrailName } from "@attestry/core/Identifier"
import { EpochSeconds } from "@attestry/core/Timestamp"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { Conflict, PayloadTooLarge, UnsupportedMediaType } from "../shared/HttpError.js"
import { fileBody, noBody, Operation, rule } from "../shared/Operation.js"
import { counterFields, pageFields } from "../shared/Paging.js"
import { org } from "../shared/PathParam.js"
import * as QueryParam from "../shared/QueryParam.js"

/** The most documents of a file. */
const POSITION_MAX = 1_000

/** What a caller says about a file. */
export const SubmitEvidence = Schema.Struct({
  flow_name: QueryParam.optional(FlowName, "The flow of the trail; it is created if it is absent."),
  trail_name: QueryParam.optional(
    TrailName,
    "The trail that the file is about, with its flow; the subjects of the file decide without it."
  ),
  fingerprint: QueryParam.optional(Fingerprint, "The artifact that the file is about."),
  name: QueryParam.optional(AttestationName, "The name of the attestation; by default its kind."),
  type_name: QueryParam.optional(
    AttestationTypeName,
    "A custom attestation type of the org that judges the facts."
  ),
  filename: QueryParam.optional(EvidenceFilename, "A name of the file, which is only shown."),
  // WHY through a text: a parameter with a description cannot refer to a named schema.
  origin_url: QueryParam.optional(
    Schema.String.pipe(
      Schema.filter((text) => Schema.is(WebUrl)(text) || "Input should be a valid URL")
    ).annotations({
      jsonSchema: { type: "string", format: "uri" }
    }),
    "Where the evidence comes from."
  ),
  description: QueryParam.optional(Schema.String, "A description of the attestation."),
  require: QueryParam.optional(
    Schema.Literal("verified"),
    "With `verified` a file that is not verified is refused."
  )
})

const Format = Schema.Struct({ name: Schema.String, version: Schema.NullOr(Schema.String) })

const linkFields = {
  flow_name: Schema.String,
  trail_name: Schema.String,
  artifact_fingerprint: Schema.NullOr(Fingerprint),
  attestation_id: Schema.String,
  attestation_name: Schema.String,
  attestation_type: Schema.String,
  is_compliant: Schema.Boolean
}

const EvidenceLink = Schema.Struct(linkFields).annotations({ identifier: "EvidenceLink" })

const documentFields = {
  digest: Fingerprint,
  position: Schema.Int.annotations({
    description: "The place of the document in its file, from 1."
  }),
  kind: EvidenceKind,
  format: Format,
  verification: EvidenceVerification,
  subject_count: Schema.Int
}

const CreatedEvidenceLink = Schema.Struct({
  ...linkFields,
  created: Schema.Boolean.annotations({
    description: "Whether this request made the attestation."
  })
}).annotations({ identifier: "CreatedEvidenceLink" })

/** A file that was judged again. */
export const JudgedEvidence = Schema.Struct({
  links: Schema.Array(CreatedEvidenceLink).annotations({
    description: "The newest attestation of each trail, artifact, name and type."
  }),
  changed: Schema.Int.annotations({ description: "How many attestations were added." })
}).annotations({ identifier: "JudgedEvidence" })

/** An accepted file. */
export const AcceptedEvidence = Schema.Struct({
  documents: Schema.Array(
    Schema.Struct({
      ...documentFields,
      waiting: Schema.Array(Schema.String).annotations({
        description: "The SHA-256 subjects that no artifact has yet."
      }),
      links: Schema.Array(CreatedEvidenceLink)
    }).annotations({ identifier: "AcceptedDocument" })
  ),
  ignored: Schema.Array(Schema.Struct({ line: Schema.Int, reason: Schema.String })).annotations({
    description: "The lines of JSON lines that were passed over."
  })
}).annotations({ identifier: "AcceptedEvidence" })

const Link = Schema.Struct({ href: Schema.String })

const listedFields = {
  ...documentFields,
  predicate_type: Schema.NullOr(Schema.String),
  size: Schema.Int,
  filename: Schema.String,
  accepted_at: EpochSeconds,
  accepted_by: Schema.String,
  subjects: Schema.Array(
    Schema.Struct({
      ...Subject.fields,
      linked: Schema.Boolean.annotations({
        description: "Whether the document has an attestation about it."
      })
    }).annotations({ identifier: "LinkedSubject" })
  ).annotations({ description: "The first 100; `subject_count` counts all." }),
  links: Schema.Array(EvidenceLink),
  _links: Schema.Struct({ self: Link, raw: Link })
}

/** An accepted document in a list. */
export const ListedEvidence = Schema.Struct(listedFields).annotations({
  identifier: "ListedEvidence"
})

/** An accepted document with its facts. */
export const EvidenceResponse = Schema.Struct({
  ...listedFields,
  facts: EvidenceFacts
}).annotations({ identifier: "EvidenceDocument" })

/** Filters of the list of documents. */
export const ListEvidence = Schema.Struct({
  ...pageFields(),
  kind: QueryParam.optional(
    Schema.Literal(...EvidenceKind.literals),
    "Only documents of this kind."
  ),
  state: QueryParam.optional(
    Schema.Literal(...VerificationState.literals),
    "Only documents with this result of verification."
  ),
  fingerprint: QueryParam.optional(
    Fingerprint,
    "Only documents with an attestation about this artifact, or that wait for it."
  ),
  predicate_type: QueryParam.optional(Schema.String, "Only statements with this predicate type."),
  waiting: QueryParam.optional(
    QueryParam.boolean,
    "Whether a subject waits for an artifact that was not reported yet."
  )
})

const digest = HttpApiSchema.param(
  "digest",
  Fingerprint.annotations({ description: "The SHA-256 of the file." })
)

/** The operations of evidence files. */
export class EvidenceApi extends HttpApiGroup.make("evidence")
  .add(
    HttpApiEndpoint.post("submit")`/evidence/${org}`
      .setUrlParams(SubmitEvidence)
      .addSuccess(AcceptedEvidence, { status: 201 })
      .addSuccess(AcceptedEvidence)
      .addError(Conflict.Body)
      .addError(PayloadTooLarge.Body)
      .addError(UnsupportedMediaType.Body)
      .annotate(Operation, rule("evidence.write", fileBody("file")))
      .annotate(OpenApi.Summary, "Accept an evidence file")
      .annotate(
        OpenApi.Description,
        "Recognises a file by its content, verifies its signatures, keeps its bytes, and makes an attestation for " +
          "each artifact that it is about. The file is the body, or the part `file` of a form whose other parts are " +
          "parameters. Answers 201 if something was recorded, and 200 if all of it was known already."
      )
  )
  .add(
    HttpApiEndpoint.get("list")`/evidence/${org}`
      .setUrlParams(ListEvidence)
      .addSuccess(
        Schema.Struct({ ...counterFields, documents: Schema.Array(ListedEvidence) }).annotations({
          identifier: "EvidenceDocuments"
        })
      )
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "List accepted evidence, newest first")
      .annotate(OpenApi.Description, "Answers one page of the documents that pass the filters.")
  )
  .add(
    HttpApiEndpoint.get("get")`/evidence/${org}/${digest}`
      .setUrlParams(
        Schema.Struct({
          position: QueryParam.optional(
            QueryParam.integer(1, POSITION_MAX),
            "The place of the document in a file with several, from 1."
          )
        })
      )
      .addSuccess(EvidenceResponse)
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "Get an accepted document")
      .annotate(
        OpenApi.Description,
        "Answers a document with its facts, its verification and its attestations."
      )
  )
  .add(
    HttpApiEndpoint.get("raw")`/evidence/${org}/${digest}/raw`
      .addSuccess(HttpApiSchema.Uint8Array())
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "Download an evidence file")
      .annotate(OpenApi.Description, "Answers the bytes of the file as they were sent.")
  )
  .add(
    HttpApiEndpoint.post("judge")`/evidence/${org}/${digest}/judge`
      .addSuccess(JudgedEvidence)
      .annotate(Operation, rule("evidence.write", noBody))
      .annotate(OpenApi.Summary, "Judge an evidence file again")
      .annotate(
        OpenApi.Description,
        "Verifies and judges the kept file by the trust policy of today. An attestation that comes out otherwise is " +
          "followed by a new one of the same trail, artifact, name and type; recorded ones never change, and one " +
          "that another attestation has followed is left as it is."
      )
  )
  .annotate(OpenApi.Title, "Evidence")
  .annotate(
    OpenApi.Description,
    "Evidence files: recognised by their content, verified, kept byte for byte, and linked to artifacts."
  ) {}
