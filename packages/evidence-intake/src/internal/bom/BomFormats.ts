/** The formats of bills of materials: CycloneDX in JSON and XML, SPDX in JSON, and the predicates that hold one. */
import * as Either from "effect/Either"
import type { EvidenceProblem } from "../../EvidenceProblem.js"
import type { JsonFormat, JsonObject, PredicateReader, XmlFormat } from "../Format.js"
import type { ReadContent } from "../ReadContent.js"
import { isObject, of, unreadable } from "./BomMembers.js"
import * as CycloneDx from "./CycloneDx.js"
import * as CycloneDxXml from "./CycloneDxXml.js"
import * as Spdx from "./Spdx.js"

type Read = Either.Either<ReadContent, EvidenceProblem>

const isCycloneDx = (document: JsonObject): boolean => of(document, "bomFormat") === "CycloneDX"

const readCycloneDx = (document: JsonObject): Read => CycloneDx.read(document, "cyclonedx")

const readSpdx = (document: JsonObject): Read => Spdx.read(document, "spdx")

interface ObjectFormat extends Pick<JsonFormat, "rule" | "name"> {
  readonly isDocument: (document: JsonObject) => boolean
  readonly readDocument: (document: JsonObject) => Read
}

/** A format whose files are one object, never a list. */
const ofObjects = ({ rule, name, isDocument, readDocument }: ObjectFormat): JsonFormat => ({
  rule,
  name,
  isFormat: (input) => isObject(input) && isDocument(input),
  read: (input) =>
    isObject(input)
      ? readDocument(input)
      : Either.left(unreadable(`a document of ${name} is an object`))
})

const JSON_FORMATS: ReadonlyArray<JsonFormat> = [
  ofObjects({ rule: 5, name: "cyclonedx", isDocument: isCycloneDx, readDocument: readCycloneDx }),
  ofObjects({ rule: 6, name: "spdx", isDocument: Spdx.is, readDocument: readSpdx })
]

/** The formats whose files are XML. */
export const XML: ReadonlyArray<XmlFormat> = [
  {
    rule: 15,
    name: "cyclonedx-xml",
    isFormat: ({ name, namespace }) =>
      name === "bom" && namespace.startsWith(CycloneDxXml.NAMESPACE),
    read: (root) => CycloneDx.read(CycloneDxXml.toJson(root), "cyclonedx-xml")
  }
]

/** The predicates whose content is a bill of materials, with or without a version after their type. */
export const PREDICATES: ReadonlyArray<PredicateReader> = [
  {
    isPredicate: (type) => type.startsWith("https://cyclonedx.org/bom"),
    read: (predicate) =>
      isCycloneDx(predicate)
        ? readCycloneDx(predicate)
        : Either.left(unreadable("the predicate is not a CycloneDX document"))
  },
  {
    isPredicate: (type) => type.startsWith("https://spdx.dev/Document"),
    read: (predicate) =>
      Spdx.is(predicate)
        ? readSpdx(predicate)
        : Either.left(unreadable("the predicate is not an SPDX document"))
  }
]

/** The formats whose files are an object of JSON, under the name of their form. */
export { JSON_FORMATS as JSON }
