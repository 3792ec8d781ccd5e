/** Makes the content of a bill of materials: its components once each, the facts, and the subjects. */
import { createHash } from "node:crypto"
import { LICENSES_LISTED_MAX, PURLS_LISTED_MAX, type Subject } from "@attestry/core/EvidenceFacts"
import * as Either from "effect/Either"
import type { Component } from "../../EvidenceDocument.js"
import type { EvidenceProblem } from "../../EvidenceProblem.js"
import * as Purl from "../../Purl.js"
import type { ReadContent } from "../ReadContent.js"
import type { Bom, BomComponent, BomRoot, NamedVersion } from "./Bom.js"
import { unreadable } from "./BomMembers.js"

/** The most characters of a name or version in facts; longer ones are cut. */
export const NAME_CHARACTERS_MAX = 1_024
/** The most characters of a licence in facts; longer ones are cut, so that a hundred have room in the facts. */
export const LICENSE_CHARACTERS_MAX = 256

const SHA256 = /^[0-9a-f]{64}$/i

/** The beginning of a text; never half of a character. */
const cut = (text: string, charactersMax: number): string =>
  text.length <= charactersMax ? text : text.slice(0, charactersMax).replace(/[\uD800-\uDBFF]$/, "")

/** A name and version, short enough for facts. */
export const cutNamed = (named: NamedVersion | null): NamedVersion | null =>
  named === null
    ? null
    : {
        name: cut(named.name, NAME_CHARACTERS_MAX),
        version: named.version === null ? null : cut(named.version, NAME_CHARACTERS_MAX)
      }

/** Parses purls, each text once. A malformed purl is none, and one that is too long is a problem of the file. */
const makePurls = () => {
  const parsed = new Map<string, Either.Either<Component | null, EvidenceProblem>>()
  const parse = (text: string): Either.Either<Component | null, EvidenceProblem> =>
    Either.match(Purl.parse(text), {
      onLeft: (problem) =>
        problem === "malformed"
          ? Either.right(null)
          : Either.left(
              unreadable(`the purl of a component has more than ${Purl.CHARACTERS_MAX} characters`)
            ),
      onRight: Either.right
    })
  return (text: string | null): Either.Either<Component | null, EvidenceProblem> => {
    if (text === null) return Either.right(null)
    const known = parsed.get(text)
    if (known !== undefined) return known
    const component = parse(text)
    parsed.set(text, component)
    return component
  }
}

type ParsePurl = ReturnType<typeof makePurls>

/** What is counted over components. */
interface Tally {
  readonly byPurl: ReadonlyMap<string, Component>
  readonly withPurl: number
  readonly total: number
  readonly licenses: ReadonlyMap<string, number>
}

const tallyOf = (
  components: ReadonlyArray<BomComponent>,
  roots: ReadonlySet<string>,
  purlOf: ParsePurl
): Either.Either<Tally, EvidenceProblem> => {
  const byPurl = new Map<string, Component>()
  const licenses = new Map<string, number>()
  let withPurl = 0
  let total = 0
  for (const { purl, licenses: own } of components) {
    const parsed = purlOf(purl)
    if (Either.isLeft(parsed)) return Either.left(parsed.left)
    const component = parsed.right
    if (component !== null && roots.has(component.purl)) continue
    total += 1
    if (component !== null) {
      withPurl += 1
      byPurl.set(component.purl, component)
    }
    for (const license of new Set(own.map((text) => cut(text, LICENSE_CHARACTERS_MAX))))
      licenses.set(license, (licenses.get(license) ?? 0) + 1)
  }
  return Either.right({ byPurl, withPurl, total, licenses })
}

const byText = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)

/** The most frequent licences first; equally frequent ones by name. */
const listedLicenses = (licenses: ReadonlyMap<string, number>) =>
  [...licenses]
    .sort(([a, many], [b, more]) => more - many || byText(a, b))
    .slice(0, LICENSES_LISTED_MAX)
    .map(([license, components]) => ({ license, components }))

const purlsOf = (
  roots: ReadonlyArray<BomRoot>,
  purlOf: ParsePurl
): Either.Either<ReadonlyArray<string | null>, EvidenceProblem> =>
  Either.all(roots.map(({ purl }) => Either.map(purlOf(purl), (root) => root?.purl ?? null)))

/** The subjects: each SHA-256 digest of a root, once. */
export const subjectsOf = (roots: ReadonlyArray<BomRoot>): ReadonlyArray<Subject> => {
  const subjects = new Map<string, Subject>()
  for (const { name, sha256 } of roots)
    for (const digest of sha256
      .filter((text) => SHA256.test(text))
      .map((text) => text.toLowerCase()))
      if (!subjects.has(digest))
        subjects.set(digest, {
          name: name === null ? null : cut(name, NAME_CHARACTERS_MAX),
          digest: { sha256: digest }
        })
  return [...subjects.values()]
}

const rootFacts = (root: BomRoot | undefined, purl: string | null) =>
  root === undefined
    ? null
    : {
        name: root.name === null ? null : cut(root.name, NAME_CHARACTERS_MAX),
        version: root.version === null ? null : cut(root.version, NAME_CHARACTERS_MAX),
        purl
      }

/** Makes the content of a bill of materials; facts have the first root. */
export const make = (bom: Bom): Either.Either<ReadContent, EvidenceProblem> =>
  Either.gen(function* () {
    const purlOf = makePurls()
    const rootPurls = yield* purlsOf(bom.roots, purlOf)
    const roots = new Set(rootPurls.filter((purl) => purl !== null))
    const { byPurl, withPurl, total, licenses } = yield* tallyOf(bom.components, roots, purlOf)
    const components = [...byPurl.values()].sort((a, b) => byText(a.purl, b.purl))
    const purls = components.map(({ purl }) => purl)
    return {
      facts: {
        kind: "sbom",
        format: bom.format,
        tool: cutNamed(bom.tool),
        created_at: bom.createdAt,
        components: { total, with_purl: withPurl, without_purl: total - withPurl },
        root: rootFacts(bom.roots[0], rootPurls[0] ?? null),
        licenses: listedLicenses(licenses),
        purls: purls.slice(0, PURLS_LISTED_MAX),
        set_sha256: createHash("sha256").update(purls.join("\n")).digest("hex"),
        truncated: [
          ...(licenses.size > LICENSES_LISTED_MAX ? ["licenses"] : []),
          ...(purls.length > PURLS_LISTED_MAX ? ["purls"] : [])
        ]
      },
      subjects: subjectsOf(bom.roots),
      components
    }
  })
