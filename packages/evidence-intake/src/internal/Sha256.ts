/** SHA-256 in lower case hexadecimal. */
import { createHash } from "node:crypto"
import * as CanonicalJson from "@attestry/core/CanonicalJson"

/** The digest of bytes. */
export const ofBytes = (bytes: Uint8Array): string =>
  createHash("sha256").update(bytes).digest("hex")

/** The digest of a JSON value in canonical form, which no order of members changes. */
export const ofJson = (value: unknown): string =>
  createHash("sha256").update(CanonicalJson.print(value), "utf8").digest("hex")
