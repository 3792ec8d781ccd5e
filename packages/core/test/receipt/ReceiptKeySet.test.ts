/** Trusted keys are read from a JWK set and from verifier keys; a text with a key of another form is refused. */
import * as PublicKeySet from "@attestry/core/PublicKeySet"
import * as ReceiptKeySet from "@attestry/core/ReceiptKeySet"
import * as Timestamp from "@attestry/core/Timestamp"
import * as Base64 from "@attestry/transparency-log/Base64"
import * as SignedNote from "@attestry/transparency-log/SignedNote"
import { assert, describe, it } from "@effect/vitest"
import { FastCheck, Option } from "effect"

const ORIGIN = "one.example.com/api/v2/log/acme"

const keyOf = (byte: number, type = SignedNote.ED25519): SignedNote.VerifierKey => ({
  name: ORIGIN,
  type,
  publicKey: new Uint8Array(32).fill(byte)
})

const jwkOf = (byte: number, retiredAt: number | null = null) => {
  const x = Base64.encodeUrl(keyOf(byte).publicKey)
  return {
    kty: "OKP",
    crv: "Ed25519",
    x,
    kid: PublicKeySet.thumbprint(x),
    "attestry:vkey": SignedNote.printKey(keyOf(byte)),
    "attestry:retired_at": retiredAt
  }
}

const setOf = (...keys: ReadonlyArray<object>) => ReceiptKeySet.parse(JSON.stringify({ keys }))

describe("the keys of a holder", () => {
  it("are read from a JWK set, with their ends", () => {
    const found = Option.getOrThrow(setOf(jwkOf(1), jwkOf(2, 1_790_000_000.25)))
    assert.deepStrictEqual(
      found.map(({ kid, origin, retiredAt }) => ({ kid, origin, retiredAt })),
      [
        { kid: jwkOf(1).kid, origin: ORIGIN, retiredAt: null },
        { kid: jwkOf(2).kid, origin: ORIGIN, retiredAt: Timestamp.fromSeconds(1_790_000_000.25) }
      ]
    )
    assert.deepStrictEqual(found[1]?.publicKey, keyOf(2).publicKey)
  })

  it("are read from lines of verifier keys", () => {
    const vkeys = [1, 2].map((byte) => SignedNote.printKey(keyOf(byte)))
    const found = Option.getOrThrow(ReceiptKeySet.parse(`# ours\n\n${vkeys.join("\r\n")}\n`))
    assert.deepStrictEqual(
      found.map(({ kid }) => kid),
      [jwkOf(1).kid, jwkOf(2).kid]
    )
  })

  it.each([
    ["no key", setOf()],
    ["another kid", setOf({ ...jwkOf(1), kid: jwkOf(2).kid })],
    ["another x", setOf({ ...jwkOf(1), x: jwkOf(2).x })],
    ["no verifier key", setOf({ ...jwkOf(1), "attestry:vkey": undefined })],
    ["an end of another form", setOf({ ...jwkOf(1), "attestry:retired_at": "soon" })],
    ["one of two of another form", setOf(jwkOf(1), {})],
    ["an empty text", ReceiptKeySet.parse("\n# nothing\n")],
    ["a cosigner", ReceiptKeySet.parse(SignedNote.printKey(keyOf(1, SignedNote.COSIGNATURE)))]
  ])("are refused with %s", (_, found) => {
    assert.isTrue(Option.isNone(found))
  })

  it("are at most 1,000", () => {
    const keys = (count: number) => setOf(...Array.from({ length: count }, () => jwkOf(1)))
    assert.isTrue(Option.isSome(keys(ReceiptKeySet.KEYS_MAX)))
    assert.isTrue(Option.isNone(keys(ReceiptKeySet.KEYS_MAX + 1)))
  })

  it("are read from any text without an exception", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.oneof(FastCheck.string(), FastCheck.json()), (text) => {
        assert.isTrue(Option.isNone(ReceiptKeySet.parse(text)))
      })
    )
  })
})
