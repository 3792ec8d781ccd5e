/**
 * A bill of materials in one form for all formats, which is made from a document before facts are.
 *
 * The root is what the document describes. It is never a component of itself.
 */
import * as Either from "effect/Either"
import type { EvidenceProblem } from "../../EvidenceProblem.js"
import type { JsonObject } from "../Format.js"
import { isObject, of, unreadable } from "./BomMembers.js"

/** The most components of a bill of materials, without its root. */
export const COMPONENTS_MAX = 200_000

/** A component as its document says it; the purl as written. */
export interface BomComponent {
  readonly purl: string | null
  /** Licences and expressions of licences. */
  readonly licenses: ReadonlyArray<string>
}

/** Something that a bill of materials describes. */
export interface BomRoot {
  readonly name: string | null
  readonly version: string | null
  readonly purl: string | null
  /** The SHA-256 digests, as written. */
  readonly sha256: ReadonlyArray<string>
}

/** A name of a tool with its version. */
export interface NamedVersion {
  readonly name: string
  readonly version: string | null
}

/** A bill of materials. */
export interface Bom {
  readonly format: NamedVersion
  readonly tool: NamedVersion | null
  /** In epoch seconds. */
  readonly createdAt: number | null
  readonly roots: ReadonlyArray<BomRoot>
  readonly components: ReadonlyArray<BomComponent>
}

/** The problem of a document with more components than are read. */
export const tooMany = (): EvidenceProblem =>
  unreadable(`a bill of materials with more than ${COMPONENTS_MAX} components is not read`)

/**
 * The objects of a list of components, packages or elements. Fails if the member is no list of objects, because a list
 * that is passed over would look like a short one.
 */
export const objectsOf = (
  parent: JsonObject,
  name: string
): Either.Either<ReadonlyArray<JsonObject>, EvidenceProblem> => {
  const value = of(parent, name) ?? []
  return Array.isArray(value) && value.every(isObject)
    ? Either.right(value)
    : Either.left(unreadable(`${name} is not a list of objects`))
}

/** A name and a version of a tool that are written in one word, such as `syft-1.4.0`. */
export const splitTool = (written: string): NamedVersion => {
  const match = /^(.*?)[-/ ](v?\d[^/ ]*)$/s.exec(written)
  return { name: match?.[1] ?? written, version: match?.[2] ?? null }
}
