/**
 * Reads SPDX 2.2 and 2.3 in JSON. Packages are components; files and snippets are not.
 *
 * The root is the package that the document describes. A document that describes several packages and has no others is
 * a plain list: it is about none of them.
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
import { instant, list, object, objects, text } from "./BomMembers.js"

const TOOL = "Tool:"
/** Words for a missing value. */
const MISSING: ReadonlySet<string | null> = new Set([null, "NOASSERTION", "NONE"])

const toolOf = (creation: JsonObject): NamedVersion | null => {
  const tool = list(creation, "creators").find(
    (creator): creator is string => typeof creator === "string" && creator.startsWith(TOOL)
  )
  return tool === undefined ? null : splitTool(tool.slice(TOOL.length).trim())
}

const purlOf = (item: JsonObject): string | null => {
  const reference = objects(item, "externalRefs").find(
    (reference) => text(reference, "referenceType") === "purl"
  )
  return reference === undefined ? null : text(reference, "referenceLocator")
}

const componentOf = (item: JsonObject): BomComponent => {
  const license = [text(item, "licenseConcluded"), text(item, "licenseDeclared")].find(
    (written) => !MISSING.has(written)
  )
  return { purl: purlOf(item), licenses: license ? [license] : [] }
}

const rootOf = (item: JsonObject): BomRoot => ({
  name: text(item, "name"),
  version: text(item, "versionInfo"),
  purl: purlOf(item),
  sha256: objects(item, "checksums")
    .filter((checksum) => text(checksum, "algorithm") === "SHA256")
    .flatMap((checksum) => text(checksum, "checksumValue") ?? [])
})

/** The ids that the document describes, by its own list and by relationships of both directions. */
const describedIds = (document: JsonObject): ReadonlySet<unknown> => {
  const id = text(document, "SPDXID")
  const described = new Set<unknown>(list(document, "documentDescribes"))
  for (const relationship of objects(document, "relationships")) {
    const from = text(relationship, "spdxElementId")
    const to = text(relationship, "relatedSpdxElement")
    const type = text(relationship, "relationshipType")
    if (type === "DESCRIBES" && from === id) described.add(to)
    if (type === "DESCRIBED_BY" && to === id) described.add(from)
  }
  return described
}

/** Reads a document. */
export const read = (
  document: JsonObject,
  format: NamedVersion
): Either.Either<Bom, EvidenceProblem> =>
  Either.gen(function* () {
    const packages = yield* objectsOf(document, "packages")
    const described = describedIds(document)
    const isRoot = (item: JsonObject) => described.has(text(item, "SPDXID"))
    const isList = packages.length > 1 && packages.every(isRoot)
    const roots = isList ? [] : packages.filter(isRoot)
    const components = isList ? packages : packages.filter((item) => !isRoot(item))
    if (components.length > COMPONENTS_MAX) return yield* Either.left(tooMany())
    const creation = object(document, "creationInfo")
    return {
      format,
      tool: toolOf(creation),
      createdAt: instant(creation, "created"),
      roots: roots.map(rootOf),
      components: components.map(componentOf)
    }
  })
