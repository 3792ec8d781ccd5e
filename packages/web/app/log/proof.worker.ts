/**
 * The worker that verifies proofs: core's functions, and signatures by WebCrypto. DECISIONS.md, "Pages load neither
 * core nor Effect"
 */
import type { SignedMessage } from "@attestry/transparency-log/SignedNote"
import { check } from "./ProofCheck.js"
import type { ProofQuestion } from "./ProofMessages.js"

const ALGORITHM = "Ed25519"

const copy = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes)

/** WHY undefined: browsers have WebCrypto only on https, and older ones have no Ed25519. */
const verify = async (signed: SignedMessage): Promise<boolean | undefined> => {
  const subtle: SubtleCrypto | undefined = crypto.subtle
  if (subtle === undefined) return undefined
  try {
    const key = await subtle.importKey("raw", copy(signed.publicKey), ALGORITHM, false, ["verify"])
    return await subtle.verify(ALGORITHM, key, copy(signed.signature), copy(signed.message))
  } catch (error) {
    return error instanceof DOMException && error.name === "NotSupportedError" ? undefined : false
  }
}

addEventListener("message", ({ data }: MessageEvent<ProofQuestion>) => {
  check(data, verify).then(
    (answer) => postMessage({ answer }),
    (error: unknown) => postMessage({ failure: String(error) })
  )
})
