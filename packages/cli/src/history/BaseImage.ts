/**
 * References to images in questions about what was built on them, as package URLs.
 *
 * A reference with a tag asks for the type `docker`, as BuildKit writes dependencies: the name as Docker shows it, so
 * that images of Docker Hub have no registry. A reference with a digest asks for the type `oci`, whose name is the last
 * part.
 */
import { usage } from "../shared/CommandFailure.js"

const DIGEST = /^sha256:[0-9a-f]{64}$/
const BARE_DIGEST = /^(?:[a-z0-9]+:)?[0-9a-f]{64,}$/i
const TAG = /:([A-Za-z0-9_][A-Za-z0-9_.-]{0,127})$/
const REGISTRY = /^(?:localhost|(?=[^/]*[.:])[A-Za-z0-9.-]+(?::\d{1,5})?)\//
const REPOSITORY = /^[a-z0-9]+(?:[._-]+[a-z0-9]+)*(?:\/[a-z0-9]+(?:[._-]+[a-z0-9]+)*)*$/

const HINT = "such as node:20-alpine, ghcr.io/acme/base:1 or node@sha256:…"

/** A name as Docker shows it: `docker.io/library/node` is `node`. */
const familiar = (name: string): string =>
  name.replace(/^(?:index\.)?docker\.io\//, "").replace(/^library\/(?=[^/]+$)/, "")

/** The package URL of a reference: in its tag or digest, or without one in all tags. */
export const purlOf = (image: string): string => {
  if (BARE_DIGEST.test(image))
    throw usage(
      "--base-image needs the name of the image beside its digest",
      `NAME@${image.includes(":") ? image : `sha256:${image}`}`
    )
  const at = image.indexOf("@")
  const written = at === -1 ? image : image.slice(0, at)
  const digest = at === -1 ? undefined : image.slice(at + 1)
  const tag = TAG.exec(written)?.[1]
  const name = familiar(tag === undefined ? written : written.slice(0, -tag.length - 1))
  if (!REPOSITORY.test(name.replace(REGISTRY, "")))
    throw usage(`\`${image}\` is no reference to an image`, HINT)
  if (digest === undefined) return `pkg:docker/${name}${tag === undefined ? "" : `@${tag}`}`
  if (!DIGEST.test(digest))
    throw usage(`the digest of \`${image}\` is not sha256: and 64 hexadecimal characters`, HINT)
  return `pkg:oci/${name.slice(name.lastIndexOf("/") + 1)}@${digest}`
}
