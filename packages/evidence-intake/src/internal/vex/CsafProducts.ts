/**
 * The products of a CSAF document by id, as purls and SHA-256 digests. A product that is a component of another one is
 * identified by the component.
 */
import * as Either from "effect/Either"
import type { EvidenceProblem } from "../../EvidenceProblem.js"
import type { JsonObject } from "../Format.js"
import * as Members from "../Members.js"
import * as VexStatements from "./VexStatements.js"

/** The identifiers of products by product id. */
export type Products = ReadonlyMap<string, ReadonlyArray<string>>
/** The ids of the products of groups by group id. */
export type Groups = ReadonlyMap<string, ReadonlyArray<string>>

/** All products of a tree. WHY a stack of our own: the tree is as deep as its author likes. */
function* productsIn(tree: JsonObject): Generator<JsonObject> {
  yield* Members.objects(tree, "full_product_names")
  const open = [...Members.objects(tree, "branches")]
  for (let branch = open.pop(); branch !== undefined; branch = open.pop()) {
    yield Members.object(branch, "product")
    for (const each of Members.objects(branch, "branches")) open.push(each)
  }
  for (const relationship of Members.objects(tree, "relationships"))
    yield Members.object(relationship, "full_product_name")
}

const identifiersOf = (
  product: JsonObject
): Either.Either<ReadonlyArray<string>, EvidenceProblem> => {
  const identification = Members.object(product, "product_identification_helper")
  const digests = Members.objects(identification, "hashes")
    .flatMap((hash) => Members.objects(hash, "file_hashes"))
    .filter((hash) => Members.text(hash, "algorithm") === "sha256")
    .map((hash) => Members.of(hash, "value"))
  return VexStatements.productsOf([Members.of(identification, "purl"), ...digests])
}

/** The products of a tree. Fails for a purl over its limit. */
export const read = (tree: JsonObject): Either.Either<Products, EvidenceProblem> => {
  const products = new Map<string, ReadonlyArray<string>>()
  for (const product of productsIn(tree)) {
    const id = Members.text(product, "product_id")
    if (id === null) continue
    const identifiers = identifiersOf(product)
    if (Either.isLeft(identifiers)) return Either.left(identifiers.left)
    products.set(id, identifiers.right)
  }
  for (const relationship of Members.objects(tree, "relationships")) {
    const id = Members.text(Members.object(relationship, "full_product_name"), "product_id")
    const component = products.get(Members.text(relationship, "product_reference") ?? "")
    if (id !== null && component !== undefined && products.get(id)?.length === 0)
      products.set(id, component)
  }
  return Either.right(products)
}

/** The groups of a tree. */
export const groupsOf = (tree: JsonObject): Groups =>
  new Map(
    Members.objects(tree, "product_groups").map((group) => [
      Members.text(group, "group_id") ?? "",
      Members.texts(group, "product_ids")
    ])
  )
