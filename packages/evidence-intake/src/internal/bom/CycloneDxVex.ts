/** Reads the analyses of vulnerabilities in a document of CycloneDX as statements of VEX about products. */
import { BYTES_MAX, STATEMENTS_LISTED_MAX, type VexStatement } from "@attestry/core/EvidenceFacts"
import * as Either from "effect/Either"
import type { Component } from "../../EvidenceDocument.js"
import type { EvidenceProblem } from "../../EvidenceProblem.js"
import * as Purl from "../../Purl.js"
import type { JsonObject } from "../Format.js"
import type { ReadContent } from "../ReadContent.js"
import type { Bom } from "./Bom.js"
import { cutNamed, subjectsOf } from "./BomContent.js"
import { instant, isObject, object, objects, of, text, unreadable } from "./BomMembers.js"

/** The most statements of a document. */
export const STATEMENTS_MAX = 50_000

/** The most bytes of the statements that facts list, as JSON; the rest is for the other members. */
const LISTED_BYTES_MAX = (BYTES_MAX / 4) * 3

const STATUS: ReadonlyMap<string | null, VexStatement["status"]> = new Map([
  ["not_affected", "not_affected"],
  ["false_positive", "not_affected"],
  ["resolved", "fixed"],
  ["resolved_with_pedigree", "fixed"],
  ["exploitable", "affected"],
  ["in_triage", "under_investigation"]
])

/** Whether a document analyses a vulnerability. */
export const hasAnalysis = (document: JsonObject): boolean =>
  objects(document, "vulnerabilities").some((vulnerability) =>
    isObject(of(vulnerability, "analysis"))
  )

const decoded = (text: string): string | null =>
  Either.getOrNull(
    Either.try({
      try: () => decodeURIComponent(text),
      // WHY: a wrong escape is the only reason, and a reference with one names no product.
      catch: () => null
    })
  )

/** The reference within another document: what follows `#` in `urn:cdx:…#ref`. */
const linkedRef = (ref: string): string | null => {
  const at = ref.indexOf("#")
  return ref.startsWith("urn:cdx:") && at !== -1 ? decoded(ref.slice(at + 1)) : null
}

/** The purl with each exact version that an entry names, unless the purl has one; ranges name no product. */
const withVersions = (product: Component, affected: JsonObject): ReadonlyArray<string> => {
  const versions = objects(affected, "versions")
  if (product.version !== null || versions.length === 0) return [product.purl]
  return versions.flatMap((entry) => {
    const version = text(entry, "version")
    const exact = version === null ? null : Either.getOrNull(Purl.withVersion(product, version))
    return exact === null ? [] : [exact.purl]
  })
}

/** Finds the products of references: purls, references to the root, and links to components by their purl. */
const makeProducts = (document: JsonObject, bom: Bom) => {
  const rootRef = text(object(object(document, "metadata"), "component"), "bom-ref")
  const [root] = bom.roots
  const digest = subjectsOf(bom.roots)[0]?.digest.sha256
  return (affected: JsonObject): ReadonlyArray<string> => {
    const written = text(affected, "ref")
    if (written === null) return []
    const ref = linkedRef(written) ?? written
    const isRoot = rootRef !== null && ref === rootRef
    const product = Purl.parse(isRoot ? (root?.purl ?? ref) : ref)
    if (Either.isRight(product)) return withVersions(product.right, affected)
    return isRoot && digest !== undefined ? [digest] : []
  }
}

type ProductsOf = ReturnType<typeof makeProducts>

const statementsOf = (
  vulnerability: JsonObject,
  createdAt: number | null,
  productsOf: ProductsOf
): ReadonlyArray<VexStatement> => {
  const id = text(vulnerability, "id")
  const analysis = object(vulnerability, "analysis")
  const status = STATUS.get(text(analysis, "state"))
  if (id === null || status === undefined) return []
  const products = new Set(objects(vulnerability, "affects").flatMap(productsOf))
  const at =
    instant(analysis, "lastUpdated") ??
    instant(analysis, "firstIssued") ??
    instant(vulnerability, "updated") ??
    createdAt
  const justification = text(analysis, "justification") ?? text(analysis, "detail")
  return Array.from(products, (product) => ({
    vulnerability: id,
    product,
    status,
    justification,
    at
  }))
}

/** The first statements, as many as facts have room for. */
const listed = (statements: ReadonlyArray<VexStatement>): ReadonlyArray<VexStatement> => {
  const first = statements.slice(0, STATEMENTS_LISTED_MAX)
  let bytes = 0
  const over = first.findIndex((statement) => {
    bytes += Buffer.byteLength(JSON.stringify(statement)) + 1
    return bytes > LISTED_BYTES_MAX
  })
  return over === -1 ? first : first.slice(0, over)
}

/** Makes the content of VEX. Analyses without a known state, an id or a product make no statement. */
export const make = (
  document: JsonObject,
  bom: Bom
): Either.Either<ReadContent, EvidenceProblem> => {
  const productsOf = makeProducts(document, bom)
  const statements: Array<VexStatement> = []
  for (const vulnerability of objects(document, "vulnerabilities")) {
    const own = statementsOf(vulnerability, bom.createdAt, productsOf)
    if (statements.length + own.length > STATEMENTS_MAX)
      return Either.left(
        unreadable(`a document with more than ${STATEMENTS_MAX} statements of VEX is not read`)
      )
    for (const statement of own) statements.push(statement)
  }
  const inFacts = listed(statements)
  return Either.right({
    facts: {
      kind: "vex",
      format: bom.format,
      tool: cutNamed(bom.tool),
      created_at: bom.createdAt,
      statements: inFacts,
      statement_count: statements.length,
      truncated: inFacts.length < statements.length ? ["statements"] : []
    },
    subjects: subjectsOf(bom.roots),
    statements
  })
}
