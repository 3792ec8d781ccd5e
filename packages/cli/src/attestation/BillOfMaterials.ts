/**
 * Summarises a bill of materials (CycloneDX or SPDX as JSON) as the attestation type `sbom`. Pure.
 *
 * It verifies nothing: the server compares the digest of the subject with the artifact.
 */
import * as Json from "../shared/Json.js"
import { present } from "./EvidenceFields.js"

/** The data of an `sbom` attestation, without the digest of the file. */
export interface BillOfMaterials {
  readonly format: string
  readonly document: Json.Fields
}

const SHA256 = /^[0-9a-f]{64}$/i

/** The SHA-256 in a list of algorithms and values. */
const sha256In = (
  digests: unknown,
  { algorithm, value }: { readonly algorithm: string; readonly value: string }
): string | undefined =>
  Json.objects(digests)
    .filter((each) => /^sha-?256$/i.test(Json.text(each[algorithm]) ?? ""))
    .map((each) => Json.text(each[value]))
    .find((digest) => digest !== undefined && SHA256.test(digest))

/** The fields with a value; undefined if none has one. */
const filled = (fields: Json.Fields): Json.Fields | undefined => {
  const found = present(fields)
  return Object.keys(found).length === 0 ? undefined : found
}

const toolText = ({ name, version }: Json.Fields): string =>
  [Json.text(name), Json.text(version)].filter((part) => part !== undefined).join(" ")

const ofCycloneDx = (value: Json.Fields): BillOfMaterials => {
  const metadata = Json.object(value.metadata)
  const component = Json.object(metadata.component)
  // WHY two: version 1.5 moved the list of tools into an object.
  const tools = [
    ...Json.objects(metadata.tools),
    ...Json.objects(Json.object(metadata.tools).components)
  ]
  return {
    format: "cyclonedx-json",
    document: present({
      created_at: Json.text(metadata.timestamp),
      tools: tools.length === 0 ? undefined : tools.map(toolText),
      subject: filled({
        name: Json.text(component.name),
        version: Json.text(component.version),
        purl: Json.text(component.purl),
        sha256: sha256In(component.hashes, { algorithm: "alg", value: "content" })
      }),
      package_count: Json.list(value.components).length
    })
  }
}

const TOOL = /^Tool:\s*/

const ofSpdx = (value: Json.Fields): BillOfMaterials => {
  const creation = Json.object(value.creationInfo)
  const packages = Json.objects(value.packages)
  const [described] = Json.list(value.documentDescribes)
  const subject = packages.find(({ SPDXID }) => described !== undefined && SPDXID === described)
  const tools = Json.list(creation.creators).flatMap((creator) =>
    typeof creator === "string" && TOOL.test(creator) ? [creator.replace(TOOL, "")] : []
  )
  const purl = Json.objects(subject?.externalRefs).find(
    ({ referenceType }) => referenceType === "purl"
  )
  return {
    format: "spdx-json",
    document: present({
      created_at: Json.text(creation.created),
      tools: tools.length === 0 ? undefined : tools,
      subject: filled({
        name: Json.text(subject?.name),
        version: Json.text(subject?.versionInfo),
        purl: Json.text(purl?.referenceLocator),
        sha256: sha256In(subject?.checksums, { algorithm: "algorithm", value: "checksumValue" })
      }),
      package_count: packages.length
    })
  }
}

/** The summary of a document; undefined if it is not a bill of materials. */
export const read = (value: unknown): BillOfMaterials | undefined => {
  const fields = Json.object(value)
  if (fields.bomFormat === "CycloneDX") return ofCycloneDx(fields)
  return typeof fields.spdxVersion === "string" ? ofSpdx(fields) : undefined
}
