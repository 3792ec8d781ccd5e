/** Verifies the bytes of a capsule with what browsers have, in a page or in a worker. */
import { REFUSALS } from "@attestry/core/CapsuleReport"
import { CapsuleVerifier, type Progress } from "@attestry/core/CapsuleVerifier"
import * as SignaturesWebCrypto from "@attestry/transparency-log/webcrypto/SignaturesWebCrypto"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as CapsuleWords from "./CapsuleWords.js"

/** What was found, in words, or why the capsule is refused. */
export type Checked = { readonly refusal: string } | CapsuleWords.Words

const layer = Layer.provide(CapsuleVerifier.Default, SignaturesWebCrypto.layer)

/** Unpacks bytes, which must be of this size; undefined for others. */
const inflate = async (packed: Uint8Array, size: number): Promise<Uint8Array | undefined> => {
  try {
    const unpacked = new Blob([new Uint8Array(packed)])
      .stream()
      .pipeThrough(new DecompressionStream("deflate-raw"))
      .getReader()
    const whole = new Uint8Array(size)
    let at = 0
    for (;;) {
      const { done, value } = await unpacked.read()
      if (done) return at === size ? whole : undefined
      if (at + value.byteLength > size) return undefined
      whole.set(value, at)
      at += value.byteLength
    }
  } catch {
    return undefined
  }
}

const digest = async (bytes: Uint8Array): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", new Uint8Array(bytes)))

/** Verifies a capsule. */
export const check = async (file: Uint8Array, progress: Progress): Promise<Checked> => {
  const found = await Effect.runPromise(
    Effect.provide(
      Effect.flatMap(CapsuleVerifier, (verifier) =>
        verifier.verify(file, { inflate, digest }, { keys: [], progress })
      ),
      layer
    )
  )
  return Either.isLeft(found) ? { refusal: REFUSALS[found.left] } : CapsuleWords.of(found.right)
}
