/**
 * Package URLs: the name of a package in any ecosystem, such as `pkg:npm/left-pad@1.3.0`.
 *
 * They are normalised by the rules of their type and cut to type, name and version: qualifiers and subpath say where a
 * package comes from or a place in it, not which package it is.
 */
import * as Either from "effect/Either"
import { PackageURL } from "packageurl-js"
import type { Component } from "./EvidenceDocument.js"

/** The most characters of a purl, as written and when it is normalised. */
export const CHARACTERS_MAX = 4_096

/** Why a text is no purl that is read. */
export type PurlProblem = "malformed" | "too_long"

/**
 * The names, with namespace, that the rules of a type leave as they are. Most purls have such a name, and the library
 * takes ten times as long for them.
 */
const LOWER = /^(?:(?:%40)?[a-z0-9][a-z0-9.-]*\/)?[a-z0-9][a-z0-9._-]*$/
const PLAIN_NAMES: ReadonlyMap<string, RegExp> = new Map([
  ["npm", LOWER],
  ["cargo", LOWER],
  ["gem", LOWER],
  ["deb", LOWER],
  ["apk", LOWER],
  ["composer", LOWER],
  ["github", LOWER],
  ["pypi", /^[a-z0-9][a-z0-9.-]*$/],
  ["nuget", /^[A-Za-z0-9][A-Za-z0-9._-]*$/],
  ["maven", /^[A-Za-z0-9][A-Za-z0-9._-]*\/[A-Za-z0-9][A-Za-z0-9._-]*$/],
  ["golang", /^(?:[A-Za-z0-9][A-Za-z0-9._-]*\/)*[A-Za-z0-9][A-Za-z0-9._-]*$/]
])
const PLAIN_VERSION = /^[a-zA-Z0-9][a-zA-Z0-9.+~:_-]*$/
/** Versions of Go begin with `v`, and the library refuses those that are not semantic versions. */
const GO_VERSION =
  /^v(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-\d*[a-zA-Z-][0-9a-zA-Z-]*)?$/
const PLAIN_QUALIFIERS = /^\?[a-z]+=[a-zA-Z0-9._~:-]+(?:&[a-z]+=[a-zA-Z0-9._~:-]+)*$/

const SCHEME = "pkg:"

/** Reads a purl that normalising only cuts; null for any other text. */
const parsePlain = (text: string): Component | null => {
  const question = text.indexOf("?")
  const purl = question === -1 ? text : text.slice(0, question)
  const slash = purl.indexOf("/")
  const at = purl.lastIndexOf("@")
  const type = purl.slice(SCHEME.length, slash)
  const name = purl.slice(slash + 1, at === -1 ? purl.length : at)
  const version = at === -1 ? null : purl.slice(at + 1)
  const isPlain =
    purl.startsWith(SCHEME) &&
    (question === -1 || PLAIN_QUALIFIERS.test(text.slice(question))) &&
    PLAIN_NAMES.get(type)?.test(name) === true &&
    (version === null || (type === "golang" ? GO_VERSION : PLAIN_VERSION).test(version))
  return isPlain ? { purl, type, name: name.replace("%40", "@"), version } : null
}

/** What the library says about a purl, without qualifiers and subpath. */
const read = (text: string, version?: string): Either.Either<Component, PurlProblem> =>
  Either.try({
    try: () => {
      const purl = PackageURL.fromString(text)
      purl.qualifiers = undefined
      purl.subpath = undefined
      if (version !== undefined) purl.version = version
      const { type, namespace, name } = purl
      return {
        purl: purl.toString(),
        type,
        name: namespace ? `${namespace}/${name}` : name,
        version: purl.version || null
      }
    },
    // WHY: the library reports by throwing alone, with errors of several classes.
    catch: (): PurlProblem => "malformed"
  }).pipe(
    Either.filterOrLeft(
      ({ purl }) => purl.length <= CHARACTERS_MAX,
      (): PurlProblem => "too_long"
    )
  )

/** Parses a purl. Never throws. */
export const parse = (text: string): Either.Either<Component, PurlProblem> => {
  if (text.length > CHARACTERS_MAX) return Either.left("too_long")
  const plain = parsePlain(text)
  return plain === null ? read(text) : Either.right(plain)
}

/** The same package in another version. */
export const withVersion = (
  { purl }: Component,
  version: string
): Either.Either<Component, PurlProblem> =>
  version.length > CHARACTERS_MAX
    ? Either.left("too_long")
    : Either.flatMap(read(purl, version.trim()), (changed) => parse(changed.purl))
