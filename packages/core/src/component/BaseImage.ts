/**
 * References to images in questions about what was built on them, as package URLs.
 *
 * A reference with a tag asks for the type `docker`, as BuildKit writes dependencies: the name as Docker shows it, so
 * that images of Docker Hub have no registry. A reference with a digest asks for the type `oci`, whose name is the last
 * part.
 */

/** Why a text has no package URL: a digest alone, no reference to an image, or a digest that is not of SHA-256. */
export type BaseImageProblem = "without_name" | "no_reference" | "no_sha256"

/** The package URL of a reference, or why there is none. WHY no `Either`: pages load this module, and no Effect. */
export type BaseImagePurl = { readonly purl: string } | { readonly problem: BaseImageProblem }

const DIGEST = /^sha256:[0-9a-f]{64}$/
const BARE_DIGEST = /^(?:[a-z0-9]+:)?[0-9a-f]{64,}$/i
const TAG = /:([A-Za-z0-9_][A-Za-z0-9_.-]{0,127})$/
const REGISTRY = /^(?:localhost|(?=[^/]*[.:])[A-Za-z0-9.-]+(?::\d{1,5})?)\//
const REPOSITORY = /^[a-z0-9]+(?:[._-]+[a-z0-9]+)*(?:\/[a-z0-9]+(?:[._-]+[a-z0-9]+)*)*$/

/** A name as Docker shows it: `docker.io/library/node` is `node`. */
const familiar = (name: string): string =>
  name.replace(/^(?:index\.)?docker\.io\//, "").replace(/^library\/(?=[^/]+$)/, "")

/** The package URL of a reference: in its tag or digest, or without one in all tags. */
export const purlOf = (image: string): BaseImagePurl => {
  if (BARE_DIGEST.test(image)) return { problem: "without_name" }
  const at = image.indexOf("@")
  const written = at === -1 ? image : image.slice(0, at)
  const digest = at === -1 ? undefined : image.slice(at + 1)
  const tag = TAG.exec(written)?.[1]
  const name = familiar(tag === undefined ? written : written.slice(0, -tag.length - 1))
  if (!REPOSITORY.test(name.replace(REGISTRY, ""))) return { problem: "no_reference" }
  if (digest === undefined)
    return { purl: `pkg:docker/${name}${tag === undefined ? "" : `@${tag}`}` }
  return DIGEST.test(digest)
    ? { purl: `pkg:oci/${name.slice(name.lastIndexOf("/") + 1)}@${digest}` }
    : { problem: "no_sha256" }
}
