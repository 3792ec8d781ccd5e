/**
 * Reads CycloneDX 1.2 to 1.7 in its JSON form. XML becomes the same form first.
 *
 * Only members that a bill of materials or VEX needs are read; dependencies between components are not.
 */
import * as Either from "effect/Either"
import type { EvidenceProblem } from "../../EvidenceProblem.js"
import type { JsonObject } from "../Format.js"
import type { ReadContent } from "../ReadContent.js"
import {
  type Bom,
  type BomComponent,
  type BomRoot,
  COMPONENTS_MAX,
  type NamedVersion,
  objectsOf,
  tooMany
} from "./Bom.js"
import * as BomContent from "./BomContent.js"
import { instant, isObject, object, objects, of, text, unreadable } from "./BomMembers.js"
import * as CycloneDxVex from "./CycloneDxVex.js"

const VERSIONS: ReadonlySet<string> = new Set(["1.2", "1.3", "1.4", "1.5", "1.6", "1.7"])

/** The problem of a version, if it is not read. */
export const checkVersion = (version: string | null): Either.Either<string, EvidenceProblem> => {
  if (version === null || !/^\d{1,3}(?:\.\d{1,3}){0,3}$/.test(version))
    return Either.left(unreadable("the version of this CycloneDX document is not a version"))
  return VERSIONS.has(version)
    ? Either.right(version)
    : Either.left(
        unreadable(`This looks like CycloneDX ${version}, which is not read yet; 1.2 to 1.7 are`)
      )
}

const namedVersion = (tool: JsonObject): NamedVersion | null => {
  const name = text(tool, "name")
  return name === null ? null : { name, version: text(tool, "version") }
}

/** The first tool: an entry of the list of before 1.5, or a component or service. */
const toolOf = (metadata: JsonObject): NamedVersion | null => {
  const tools = object(metadata, "tools")
  const first =
    objects(metadata, "tools")[0] ??
    objects(tools, "components")[0] ??
    objects(tools, "services")[0]
  return first === undefined ? null : namedVersion(first)
}

const licensesOf = (component: JsonObject): ReadonlyArray<string> =>
  objects(component, "licenses").flatMap((choice) => {
    const license = object(choice, "license")
    const name = text(choice, "expression") ?? text(license, "id") ?? text(license, "name")
    return name === null ? [] : [name]
  })

const rootOf = (component: JsonObject): BomRoot => {
  const name = text(component, "name")
  const group = text(component, "group")
  return {
    name: group === null || name === null ? name : `${group}/${name}`,
    version: text(component, "version"),
    purl: text(component, "purl"),
    sha256: objects(component, "hashes")
      .filter((hash) => text(hash, "alg") === "SHA-256")
      .flatMap((hash) => text(hash, "content") ?? [])
  }
}

/** Components with those below them, and those below the root. Walks with a list of its own, to any depth. */
const componentsOf = (
  bom: JsonObject,
  root: JsonObject
): Either.Either<ReadonlyArray<BomComponent>, EvidenceProblem> => {
  const components: Array<BomComponent> = []
  const parents = [root, bom]
  for (let parent = parents.pop(); parent !== undefined; parent = parents.pop()) {
    const children = objectsOf(parent, "components")
    if (Either.isLeft(children)) return Either.left(children.left)
    if (components.length + children.right.length > COMPONENTS_MAX) return Either.left(tooMany())
    for (const child of children.right) {
      components.push({ purl: text(child, "purl"), licenses: licensesOf(child) })
      if (Object.hasOwn(child, "components")) parents.push(child)
    }
  }
  return Either.right(components)
}

/** Reads a document; `name` is the name of its format. VEX is a document with analyses and without components. */
export const read = (
  document: JsonObject,
  name: string
): Either.Either<ReadContent, EvidenceProblem> =>
  Either.gen(function* () {
    const version = yield* checkVersion(text(document, "specVersion"))
    const metadata = object(document, "metadata")
    const described = of(metadata, "component")
    const root = object(metadata, "component")
    const components = yield* componentsOf(document, root)
    const bom: Bom = {
      format: { name, version },
      tool: toolOf(metadata),
      createdAt: instant(metadata, "timestamp"),
      roots: isObject(described) ? [rootOf(described)] : [],
      components
    }
    const isVex = components.length === 0 && CycloneDxVex.hasAnalysis(document)
    return yield* isVex ? CycloneDxVex.make(document, bom) : BomContent.make(bom)
  })
