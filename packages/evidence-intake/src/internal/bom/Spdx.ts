/** Recognises versions of SPDX in JSON, and reads those that are read. */
import * as Either from "effect/Either"
import type { EvidenceProblem } from "../../EvidenceProblem.js"
import type { JsonObject } from "../Format.js"
import type { ReadContent } from "../ReadContent.js"
import * as BomContent from "./BomContent.js"
import { text, unreadable } from "./BomMembers.js"
import * as Spdx2 from "./Spdx2.js"
import * as Spdx3 from "./Spdx3.js"

const CONTEXT = "https://spdx.org/rdf/3."
const CONTEXT_FILE = "/spdx-context.jsonld"
const TAG = "SPDX-2."
const VERSION = /^[23]\.\d{1,3}(?:\.\d{1,3})?$/

/** The version that a document names: `2.3`, or `3.0.1` by its context; null if it is not SPDX. */
const versionOf = (document: JsonObject): string | null => {
  const tag = text(document, "spdxVersion")
  if (tag?.startsWith(TAG)) return tag.slice("SPDX-".length)
  const context = text(document, "@context")
  return context?.startsWith(CONTEXT)
    ? context.slice("https://spdx.org/rdf/".length).replace(CONTEXT_FILE, "")
    : null
}

/** Whether a document is SPDX of any version 2 or 3. */
export const is = (document: JsonObject): boolean => versionOf(document) !== null

/** Reads a document; `name` is the name of its format. */
export const read = (
  document: JsonObject,
  name: string
): Either.Either<ReadContent, EvidenceProblem> => {
  const version = versionOf(document)
  if (version === null || !VERSION.test(version))
    return Either.left(unreadable("the version of this SPDX document is not a version"))
  const format = { name, version }
  if (version === "2.2" || version === "2.3")
    return Either.flatMap(Spdx2.read(document, format), BomContent.make)
  if (/^3\.0(?:\.|$)/.test(version))
    return Either.flatMap(Spdx3.read(document, format), BomContent.make)
  return Either.left(
    unreadable(`This looks like SPDX ${version}, which is not read yet; 2.2, 2.3 and 3.0 are`)
  )
}
