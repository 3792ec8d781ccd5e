/** Recomputes the digest of an entry in this browser. */
import type { JournalEntry } from "../shared/Contract.js"
import { canonicalText, hexOf } from "./CanonicalText.js"

/** `unable`: browsers compute digests only on https and on localhost. */
export type Verified = "fits" | "differs" | "unable"

/** Whether the content of an entry matches its digest. */
export const verify = async ({
  content,
  digest
}: Pick<JournalEntry, "content" | "digest">): Promise<Verified> => {
  const subtle: SubtleCrypto | undefined = crypto.subtle
  if (subtle === undefined) return "unable"
  const bytes = new TextEncoder().encode(canonicalText(content))
  const computed = hexOf(new Uint8Array(await subtle.digest("SHA-256", bytes)))
  return computed === digest ? "fits" : "differs"
}
