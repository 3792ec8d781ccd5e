/**
 * VEX in the form of CSAF 2.0: the status of products by vulnerability, with products named by ids of a product tree.
 */
import type { VexStatement } from "@attestry/core/EvidenceFacts"
import * as Either from "effect/Either"
import type { EvidenceProblem } from "../../EvidenceProblem.js"
import type { JsonFormat, JsonObject } from "../Format.js"
import * as Members from "../Members.js"
import * as Problem from "../Problem.js"
import type { ReadContent } from "../ReadContent.js"
import * as CsafProducts from "./CsafProducts.js"
import * as VexStatements from "./VexStatements.js"

const NAME = "csaf-vex"
/**
 * The most products that all flags of a file name, with those of groups counted each time.
 *
 * WHY: a million flags could name a group of a million products.
 */
export const FLAGGED_MAX = 1_000_000

const VERSION = /^\d{1,3}\.\d{1,3}$/

/** The lists of `product_status`, and the status of VEX that each means. */
const STATUSES: ReadonlyArray<readonly [string, VexStatement["status"]]> = [
  ["known_not_affected", "not_affected"],
  ["first_affected", "affected"],
  ["known_affected", "affected"],
  ["last_affected", "affected"],
  ["first_fixed", "fixed"],
  ["fixed", "fixed"],
  ["under_investigation", "under_investigation"]
]

const nameOf = (vulnerability: JsonObject): string | null =>
  Members.text(vulnerability, "cve") ??
  Members.objects(vulnerability, "ids")
    .map((id) => Members.text(id, "text"))
    .find((text) => text !== null) ??
  null

/** The justification of each product: the label of its flag; null for flags of too many products. */
const justificationsOf = (
  vulnerability: JsonObject,
  groups: CsafProducts.Groups,
  budget: { left: number }
): ReadonlyMap<string, string> | null => {
  const found = new Map<string, string>()
  for (const flag of Members.objects(vulnerability, "flags")) {
    const label = Members.text(flag, "label")
    const named = [
      Members.texts(flag, "product_ids"),
      ...Members.texts(flag, "group_ids").map((id) => groups.get(id) ?? [])
    ]
    for (const ids of named) {
      budget.left -= ids.length + 1
      if (budget.left < 0) return null
      if (label !== null) for (const id of ids) found.set(id, label)
    }
  }
  return found
}

function* statementsOf(
  value: JsonObject,
  products: CsafProducts.Products
): Generator<Either.Either<VexStatement, EvidenceProblem>> {
  const tree = Members.object(value, "product_tree")
  const groups = CsafProducts.groupsOf(tree)
  const tracking = Members.object(Members.object(value, "document"), "tracking")
  const at = Members.instant(tracking, "current_release_date")
  const budget = { left: FLAGGED_MAX }
  for (const [index, vulnerability] of Members.objects(value, "vulnerabilities").entries()) {
    const name = nameOf(vulnerability)
    if (name === null)
      return yield Either.left(Problem.unreadable(`vulnerabilities[${index}] has no cve and no id`))
    const justifications = justificationsOf(vulnerability, groups, budget)
    if (justifications === null)
      return yield Either.left(Problem.unreadable(`flags name more than ${FLAGGED_MAX} products`))
    const lists = Members.object(vulnerability, "product_status")
    for (const [list, status] of STATUSES)
      for (const id of Members.texts(lists, list))
        for (const product of products.get(id) ?? [])
          yield Either.right({
            vulnerability: name,
            product,
            status,
            justification: justifications.get(id) ?? null,
            at
          })
  }
}

const checkDocument = (document: JsonObject): Either.Either<void, EvidenceProblem> => {
  const version = Members.text(document, "csaf_version") ?? ""
  if (version !== "2.0")
    return Either.left(
      Problem.unreadable(
        `This looks like CSAF${VERSION.test(version) ? ` ${version}` : ""}, which is not read yet; 2.0 is`
      )
    )
  return Members.text(document, "category") === "csaf_vex"
    ? Either.void
    : Either.left(Problem.unreadable("document.category is not csaf_vex; of CSAF only VEX is read"))
}

const read = (value: JsonObject): Either.Either<ReadContent, EvidenceProblem> =>
  Either.gen(function* () {
    const document = Members.object(value, "document")
    yield* checkDocument(document)
    const products = yield* CsafProducts.read(Members.object(value, "product_tree"))
    const statements = yield* VexStatements.collect(statementsOf(value, products))
    const tracking = Members.object(document, "tracking")
    const engine = Members.object(Members.object(tracking, "generator"), "engine")
    const tool = Members.text(engine, "name")
    return VexStatements.contentOf(
      {
        format: { name: NAME, version: "2.0" },
        tool: tool === null ? null : { name: tool, version: Members.text(engine, "version") },
        created_at: Members.instant(tracking, "current_release_date")
      },
      statements
    )
  })

/** The formats of CSAF. */
export const FORMATS: ReadonlyArray<JsonFormat> = [
  {
    rule: 13,
    name: NAME,
    isFormat: (input) =>
      Members.isObject(input) && Members.has(Members.object(input, "document"), "csaf_version"),
    read: (input) =>
      Members.isObject(input)
        ? read(input)
        : Either.left(Problem.unreadable("CSAF is not an object"))
  }
]
