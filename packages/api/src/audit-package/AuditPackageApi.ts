/** The operations that download everything about a trail, an artifact or a snapshot as one file. SPEC §4.21 */
import { ATTESTATIONS_MAX, FILES_MAX, ROWS_MAX } from "@attestry/core/SnapshotPackage"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import { noBody, Operation, rule } from "../shared/Operation.js"
import {
  envName,
  fingerprint,
  flowName,
  org,
  snapshotExpression,
  trailName
} from "../shared/PathParam.js"

/** The media type of a package. */
export const TAR = "application/x-tar"

const archive = HttpApiSchema.Uint8Array({ contentType: TAR })

/** The operations of audit packages. */
export class AuditPackageApi extends HttpApiGroup.make("auditPackage")
  .add(
    HttpApiEndpoint.get("trail")`/trails/${org}/${flowName}/${trailName}/audit_package`
      .addSuccess(archive)
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "Download everything about a trail")
      .annotate(
        OpenApi.Description,
        "Answers a tar file, as a download, with the trail, its flow, artifacts and attestations " +
          "as JSON, every evidence file, a page to read and print, and last a manifest with the " +
          "SHA-256 of each file. Everything is as of one moment, and the same state gives the " +
          "same bytes."
      )
  )
  .add(
    HttpApiEndpoint.get("artifact")`/artifacts/${org}/${flowName}/${fingerprint}/audit_package`
      .addSuccess(archive)
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "Download everything about an artifact")
      .annotate(
        OpenApi.Description,
        "Answers a tar file, as a download, about the newest record of the artifact in the flow: " +
          "the record, the attestations that count for it with their files, its trail, a page to " +
          "read and print, and a manifest. A beginning that several fingerprints have is 400."
      )
  )
  .add(
    HttpApiEndpoint.get(
      "snapshot"
    )`/snapshots/${org}/${envName}/${snapshotExpression}/audit_package`
      .addSuccess(archive)
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "Download everything about a snapshot")
      .annotate(
        OpenApi.Description,
        "Answers a tar file, as a download, about a whole snapshot: its rows with verdicts and " +
          "reasons, the texts of the policies that decided, the evidence of each row with its " +
          "files, the events since the snapshot before, the signed receipts of the snapshot and " +
          "of each artifact, a page to read and print, and a manifest. A snapshot that is too " +
          `large is 400: at most ${ROWS_MAX} rows, ${ATTESTATIONS_MAX} attestations and ` +
          `${FILES_MAX} files.`
      )
  )
  .annotate(OpenApi.Title, "Audit packages")
  .annotate(
    OpenApi.Description,
    "Archives of everything that is recorded about a trail, an artifact or a snapshot, for auditors."
  ) {}
