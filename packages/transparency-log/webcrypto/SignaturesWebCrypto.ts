/** `Signatures` on `globalThis.crypto`, which browsers and Node share. */
import * as Bytes from "@attestry/transparency-log/Bytes"
import { Signatures } from "@attestry/transparency-log/Signatures"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

const ALGORITHM = "Ed25519"

/** The bytes before the 32 bytes of a seed in PKCS #8 (RFC 8410). */
const PKCS8_HEAD = Uint8Array.of(
  ...[0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06],
  ...[0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20]
)

const copy = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => Bytes.concat([bytes])

const privateKey = (seed: Uint8Array): Promise<CryptoKey> =>
  crypto.subtle.importKey("pkcs8", Bytes.concat([PKCS8_HEAD, seed]), ALGORITHM, true, ["sign"])

/** WHY: a key or a signature of another form makes WebCrypto throw; neither is valid. */
const verify = (signed: {
  readonly publicKey: Uint8Array
  readonly message: Uint8Array
  readonly signature: Uint8Array
}): Effect.Effect<boolean> =>
  Effect.tryPromise(async () => {
    const key = await crypto.subtle.importKey("raw", copy(signed.publicKey), ALGORITHM, false, [
      "verify"
    ])
    return crypto.subtle.verify(ALGORITHM, key, copy(signed.signature), copy(signed.message))
  }).pipe(Effect.orElseSucceed(() => false))

const sign = (seed: Uint8Array, message: Uint8Array): Effect.Effect<Uint8Array> =>
  Effect.promise(
    async () =>
      new Uint8Array(await crypto.subtle.sign(ALGORITHM, await privateKey(seed), copy(message)))
  )

const decode = (text: string): Uint8Array =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (each) =>
    each.charCodeAt(0)
  )

const publicKey = (seed: Uint8Array): Effect.Effect<Uint8Array> =>
  Effect.promise(async () => {
    const { x } = await crypto.subtle.exportKey("jwk", await privateKey(seed))
    return decode(x ?? "")
  })

/** `Signatures` on WebCrypto. */
export const layer: Layer.Layer<Signatures> = Layer.succeed(Signatures, { verify, sign, publicKey })
