/**
 * Reads SPDX 3.0 in JSON with the published context, which makes its members plain JSON: no other context is read, and
 * none is fetched.
 *
 * Packages are components, and the root is the package to which the root elements of the document lead.
 */
import * as Either from "effect/Either"
import type { EvidenceProblem } from "../../EvidenceProblem.js"
import type { JsonObject } from "../Format.js"
import {
  type Bom,
  type BomComponent,
  type BomRoot,
  COMPONENTS_MAX,
  type NamedVersion,
  objectsOf,
  splitTool,
  tooMany
} from "./Bom.js"
import { instant, isObject, of, text } from "./BomMembers.js"

const PACKAGES: ReadonlySet<string | null> = new Set([
  "software_Package",
  "ai_AIPackage",
  "dataset_DatasetPackage"
])
const LICENSE_RELATIONS: ReadonlySet<string | null> = new Set([
  "hasConcludedLicense",
  "hasDeclaredLicense"
])

/** A member that may be one value or a list. */
const many = (element: JsonObject, name: string): ReadonlyArray<unknown> => {
  const value = of(element, name)
  return Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]
}

const idOf = (element: JsonObject): string | null => text(element, "spdxId") ?? text(element, "@id")

const typeOf = (element: JsonObject): string | null =>
  text(element, "type") ?? text(element, "@type")

type Elements = ReadonlyMap<unknown, JsonObject>

const elementsOf = (
  document: JsonObject
): Either.Either<ReadonlyArray<JsonObject>, EvidenceProblem> =>
  Object.hasOwn(document, "@graph") ? objectsOf(document, "@graph") : Either.right([document])

const purlOf = (element: JsonObject): string | null => {
  const identifier = many(element, "externalIdentifier")
    .filter(isObject)
    .find((identifier) => text(identifier, "externalIdentifierType") === "packageUrl")
  const listed = identifier === undefined ? null : text(identifier, "identifier")
  return text(element, "software_packageUrl") ?? listed
}

const rootOf = (element: JsonObject): BomRoot => ({
  name: text(element, "name"),
  version: text(element, "software_packageVersion"),
  purl: purlOf(element),
  sha256: many(element, "verifiedUsing")
    .filter(isObject)
    .filter((hash) => text(hash, "algorithm") === "sha256")
    .flatMap((hash) => text(hash, "hashValue") ?? [])
})

/** The expressions of licences of each package, by its id. */
const licensesOf = (
  elements: ReadonlyArray<JsonObject>,
  byId: Elements
): ReadonlyMap<unknown, ReadonlyArray<string>> => {
  const licenses = new Map<unknown, Array<string>>()
  for (const relation of elements) {
    if (!LICENSE_RELATIONS.has(text(relation, "relationshipType"))) continue
    const own = licenses.get(of(relation, "from")) ?? []
    licenses.set(of(relation, "from"), own)
    for (const id of many(relation, "to")) {
      const license = byId.get(id)
      const expression =
        license === undefined ? null : text(license, "simplelicensing_licenseExpression")
      if (expression !== null) own.push(expression)
    }
  }
  return licenses
}

/** The packages to which the root elements of documents lead, through bills of materials. */
const rootIdsOf = (elements: ReadonlyArray<JsonObject>, byId: Elements): ReadonlySet<unknown> => {
  const documents = elements.filter((element) => typeOf(element) === "SpdxDocument")
  const boms = elements.filter((element) => typeOf(element) === "software_Sbom")
  const pending = (documents.length > 0 ? documents : boms).flatMap((element) =>
    many(element, "rootElement")
  )
  const seen = new Set<unknown>()
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (seen.has(id)) continue
    seen.add(id)
    const element = byId.get(id)
    if (element !== undefined) for (const below of many(element, "rootElement")) pending.push(below)
  }
  return seen
}

/** The information about the creation of the document, which is an element or inside of one. */
const creationOf = (elements: ReadonlyArray<JsonObject>, byId: Elements): JsonObject => {
  const document = elements.find((element) => typeOf(element) === "SpdxDocument")
  const named = document === undefined ? undefined : of(document, "creationInfo")
  const referred = isObject(named) ? named : byId.get(named)
  return referred ?? elements.find((element) => typeOf(element) === "CreationInfo") ?? {}
}

const toolOf = (creation: JsonObject, byId: Elements): NamedVersion | null => {
  const tool = byId.get(many(creation, "createdUsing")[0])
  const name = tool === undefined ? null : text(tool, "name")
  return name === null ? null : splitTool(name)
}

/** Reads a document. */
export const read = (
  document: JsonObject,
  format: NamedVersion
): Either.Either<Bom, EvidenceProblem> =>
  Either.gen(function* () {
    const elements = yield* elementsOf(document)
    const byId: Elements = new Map(elements.map((element) => [idOf(element), element]))
    const rootIds = rootIdsOf(elements, byId)
    const isRoot = (element: JsonObject) => rootIds.has(idOf(element))
    const packages = elements.filter((element) => PACKAGES.has(typeOf(element)))
    const isList = packages.length > 1 && packages.every(isRoot)
    const components = isList ? packages : packages.filter((element) => !isRoot(element))
    if (components.length > COMPONENTS_MAX) return yield* Either.left(tooMany())
    const licenses = licensesOf(elements, byId)
    const creation = creationOf(elements, byId)
    return {
      format,
      tool: toolOf(creation, byId),
      createdAt: instant(creation, "created"),
      roots: isList ? [] : packages.filter(isRoot).map(rootOf),
      components: components.map(
        (element): BomComponent => ({
          purl: purlOf(element),
          licenses: licenses.get(idOf(element)) ?? []
        })
      )
    }
  })
