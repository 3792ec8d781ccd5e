/**
 * Detects the kind of an evidence file by its content: test or scan results, a bill of materials, or a signed
 * statement.
 *
 * It verifies nothing: signatures are recorded, not checked. Pure.
 */

import * as Json from "../shared/Json.js"
import * as BillOfMaterials from "./BillOfMaterials.js"
import * as Sarif from "./Sarif.js"
import * as SnykResults from "./SnykResults.js"

/** The attestation kind for a file. */
export type FileKind = "junit" | "sarif" | "snyk" | "sbom" | "generic"

/** The data and the summary that describe a file of kind `generic`. */
export interface Description {
  readonly data: Json.Fields
  readonly summary: string
  /** The SHA-256 digests of a signed statement's subjects; undefined for other files. */
  readonly subjects?: ReadonlyArray<string>
}

/** The JSON of a file; undefined if it is not JSON. */
export const parsed = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes))
  } catch {
    // WHY: a file that is not JSON is of another kind, not an error.
    return undefined
  }
}

const isJunit = (bytes: Uint8Array): boolean => {
  const head = new TextDecoder().decode(bytes.subarray(0, 4_096))
  return /^\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--[\s\S]*?-->\s*)*<testsuites?[\s/>]/.test(head)
}

const isOfSnyk = (value: unknown): boolean =>
  Json.objects(Json.object(value).runs).some((each) =>
    /^snyk\b/i.test(Json.text(Json.object(Json.object(each.tool).driver).name) ?? "")
  )

/** The kind of a file. */
export const kindOf = (bytes: Uint8Array): FileKind => {
  if (isJunit(bytes)) return "junit"
  const value = parsed(bytes)
  if (Sarif.is(value)) return isOfSnyk(value) ? "snyk" : "sarif"
  if (SnykResults.is(value)) return "snyk"
  return BillOfMaterials.read(value) === undefined ? "generic" : "sbom"
}

const decoded = (text: string): unknown => parsed(Buffer.from(text, "base64"))

/** The in-toto statement of a file, which may be inside an envelope or a bundle. */
const statementOf = (value: unknown): Json.Fields | undefined => {
  const fields = Json.object(value)
  if (Json.text(fields._type)?.startsWith("https://in-toto.io/Statement") === true) return fields
  const envelope = Json.isObject(fields.dsseEnvelope) ? fields.dsseEnvelope : fields
  const payload = Json.text(envelope.payload)
  if (payload === undefined || typeof envelope.payloadType !== "string") return undefined
  return Json.object(decoded(payload))
}

const subjectsOf = (statement: Json.Fields): ReadonlyArray<string> =>
  Json.objects(statement.subject).flatMap((subject) => {
    const digest = Json.text(Json.object(subject.digest).sha256)
    return digest === undefined ? [] : [digest.toLowerCase()]
  })

const ofStatement = (statement: Json.Fields): Description => {
  const predicate = Json.text(statement.predicateType) ?? ""
  const subjects = subjectsOf(statement)
  return {
    data: { format: "in-toto", predicate_type: predicate, subjects },
    summary: `in-toto statement ${predicate}, ${subjects.length} subjects; its signature is not checked`,
    subjects
  }
}

/** Describes a file of kind `generic`. */
export const describe = (bytes: Uint8Array): Description => {
  const value = parsed(bytes)
  const statement = statementOf(value)
  if (statement !== undefined) return ofStatement(statement)
  return {
    data: { format: value === undefined ? "file" : "json", bytes: bytes.byteLength },
    summary: `${bytes.byteLength} bytes`
  }
}
