/** The operations that download everything about a trail or an artifact as one file. SPEC §4.21 */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import { noBody, Operation, rule } from "../shared/Operation.js"
import { fingerprint, flowName, org, trailName } from "../shared/PathParam.js"

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
  .annotate(OpenApi.Title, "Audit packages")
  .annotate(
    OpenApi.Description,
    "Archives of everything that is recorded about a trail or an artifact, for auditors."
  ) {}
