/** Fingerprints and commits that look like real ones and follow from a text. */
import { createHash } from "node:crypto"

/** The fingerprint of an artifact. */
export const fingerprintOf = (artifact: string): string =>
  createHash("sha256").update(artifact).digest("hex")

/** The commit of a build. */
export const commitOf = (build: string): string => createHash("sha1").update(build).digest("hex")
