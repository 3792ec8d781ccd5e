/** Reads the image that a scan is about from references with a digest, such as `shop@sha256:…`. */
import type { Subject } from "@attestry/core/EvidenceFacts"
import * as Fields from "./Fields.js"

const DIGEST = /^sha256:([0-9a-f]{64})$/

/** The subjects of references, each digest once with the first of its names; others name no image. */
export const of = (
  references: ReadonlyArray<string>,
  fallbackName: string | null
): ReadonlyArray<Subject> => {
  const subjects = new Map<string, Subject>()
  for (const reference of references) {
    const at = reference.lastIndexOf("@")
    const sha256 = DIGEST.exec(reference.slice(at + 1).toLowerCase())?.[1]
    if (sha256 === undefined || subjects.has(sha256)) continue
    const name = at > 0 ? Fields.storable(reference.slice(0, at)) : fallbackName
    subjects.set(sha256, { name, digest: { sha256 } })
  }
  return [...subjects.values()]
}
