/**
 * A format of evidence files: how it is recognised in a parsed file, and how it is read.
 *
 * Formats are tried in the order of their rules, and the first that fits reads the file.
 */
import type * as Either from "effect/Either"
import type { EvidenceProblem } from "../EvidenceProblem.js"
import type { ReadContent } from "./ReadContent.js"

/** An object of JSON; its members are read with `Object.hasOwn`. */
export type JsonObject = { readonly [member: string]: unknown }

/** An element of XML; attributes and children in the order of the file, without comments. */
export interface XmlElement {
  /** The name without its prefix. */
  readonly name: string
  /** The namespace; empty without one. */
  readonly namespace: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: ReadonlyArray<XmlElement>
  /** The text directly below the element. */
  readonly text: string
}

interface Recognised<Input> {
  /** The place of the format in the order of recognition, from 1. */
  readonly rule: number
  /** The name of the format in facts and messages. */
  readonly name: string
  readonly isFormat: (input: Input) => boolean
  readonly read: (input: Input) => Either.Either<ReadContent, EvidenceProblem>
}

/** A format whose files are JSON: an object, or a list of objects where the format has such files. */
export type JsonFormat = Recognised<JsonObject | ReadonlyArray<unknown>>

/** A format whose files are XML, by their root element. */
export type XmlFormat = Recognised<XmlElement>

/** A format whose files are lines of text. */
export type TextFormat = Recognised<string>

/** A reader of some predicates of in-toto statements, whose content is a kind of its own. */
export interface PredicateReader {
  readonly isPredicate: (type: string) => boolean
  /** Reads the member `predicate`; the subjects of the statement are not part of it. */
  readonly read: (predicate: JsonObject) => Either.Either<ReadContent, EvidenceProblem>
}
