/**
 * The images that provenance names among the dependencies of a build: package URLs of the types `docker` and `oci`.
 *
 * An image with a SHA-256 is also named by its digest: the package URL of type `oci` has the last part of the name,
 * without the registry, and the digest as its version.
 */
import * as Either from "effect/Either"
import type { Component } from "../../EvidenceDocument.js"
import * as Purl from "../../Purl.js"
import type { JsonObject } from "../Format.js"
import * as Members from "../Members.js"

/** The most dependencies of a document that are read as images, in the order of the document. */
export const IMAGES_MAX = 1_000

const IMAGE = /^pkg:\/*(?:docker|oci)\//i
const SHA256 = /^[0-9a-f]{64}$/i

const parse = (text: string): ReadonlyArray<Component> =>
  Either.match(Purl.parse(text), {
    // WHY none: a dependency is no reason to refuse the provenance of a build.
    onLeft: () => [],
    onRight: (component) => [component]
  })

/** An image by its digest. */
const byDigest = ({ name }: Component, sha256: string | null): ReadonlyArray<Component> =>
  sha256 === null || !SHA256.test(sha256)
    ? []
    : parse(
        `pkg:oci/${encodeURIComponent(name.split("/").at(-1) ?? "")}@sha256:${sha256.toLowerCase()}`
      )

const namesOf = (resource: JsonObject): ReadonlyArray<Component> =>
  parse(Members.text(resource, "uri") ?? "").flatMap((image) => [
    image,
    ...byDigest(image, Members.text(Members.object(resource, "digest"), "sha256"))
  ])

const byText = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)

/** The images among dependencies as components, each once, sorted by purl. */
export const of = (resources: ReadonlyArray<JsonObject>): ReadonlyArray<Component> => {
  const images = resources
    .filter((resource) => IMAGE.test(Members.text(resource, "uri") ?? ""))
    .slice(0, IMAGES_MAX)
    .flatMap(namesOf)
  return [...new Map(images.map((image) => [image.purl, image])).values()].sort((left, right) =>
    byText(left.purl, right.purl)
  )
}
