/** Private keys of clients: what can sign, and what is refused without being shown. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { exportPKCS8, generateKeyPair } from "jose"
import * as ClientCredentials from "../src/ClientCredentials.js"

const pemOf = (algorithm: string, modulusLength?: number) =>
  Effect.promise(async () => {
    const { privateKey } = await generateKeyPair(algorithm, {
      extractable: true,
      ...(modulusLength === undefined ? {} : { modulusLength })
    })
    return await exportPKCS8(privateKey)
  })

const read = (pem: string) => ClientCredentials.ofPrivateKey(Redacted.make(pem))

describe("a private key of a client", () => {
  it.effect("is of RSA, of a curve, or of Ed25519", () =>
    Effect.gen(function* () {
      for (const algorithm of ["RS256", "ES256", "ES384", "EdDSA"]) {
        const credentials = yield* read(yield* pemOf(algorithm))
        assert.strictEqual(credentials._tag, "PrivateKey", algorithm)
      }
    })
  )

  it.effect("is refused where it is none, and not shown", () =>
    Effect.gen(function* () {
      const pem = yield* pemOf("ES256")
      for (const text of [
        "",
        "secret",
        pem.replaceAll("PRIVATE KEY", "ENCRYPTED PRIVATE KEY"),
        pem.replaceAll("PRIVATE KEY", "PUBLIC KEY"),
        "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----\n\n-----END PRIVATE KEY-----"
      ]) {
        const failed = yield* Effect.flip(read(text))
        assert.strictEqual(failed._tag, "UnusableKey")
        assert.notInclude(failed.message, "AAAA")
      }
    })
  )

  it.effect("of RSA has 2,048 bits at least", () =>
    Effect.gen(function* () {
      yield* read(yield* pemOf("RS256", 2_048))
      const { subtle } = globalThis.crypto
      const weak = yield* Effect.promise(async () => {
        const { privateKey } = await subtle.generateKey(
          {
            name: "RSASSA-PKCS1-v1_5",
            modulusLength: 1_024,
            publicExponent: new Uint8Array([1, 0, 1]),
            hash: "SHA-256"
          },
          true,
          ["sign", "verify"]
        )
        return await exportPKCS8(privateKey)
      })
      assert.strictEqual((yield* Effect.flip(read(weak)))._tag, "UnusableKey")
    })
  )
})
