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
 * Purls that normalising only cuts: of types whose rules change letters to lower case or nothing, with lower case
 * already. Most purls have this form, and the library takes ten times as long for them.
 */
const PLAIN =
  /^(pkg:(npm|cargo|gem|deb|apk|composer|github)\/((?:(?:%40)?[a-z0-9][a-z0-9.-]*\/)?[a-z0-9][a-z0-9._-]*)(?:@([a-zA-Z0-9][a-zA-Z0-9.+~:_-]*))?)(?:\?[a-z]+=[a-zA-Z0-9._~:-]+(?:&[a-z]+=[a-zA-Z0-9._~:-]+)*)?$/

const parsePlain = (text: string): Component | null => {
  const [, purl, type, path, version = null] = PLAIN.exec(text) ?? []
  return purl === undefined || type === undefined || path === undefined
    ? null
    : { purl, type, name: path.replace("%40", "@"), version }
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
