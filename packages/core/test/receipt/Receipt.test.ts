/** Decision receipts are accepted exactly when everything that their holder expects holds, and never after a change. */
import * as DecisionReceipt from "@attestry/core/DecisionReceipt"
import * as Dsse from "@attestry/core/Dsse"
import * as PublicKeySet from "@attestry/core/PublicKeySet"
import * as Receipt from "@attestry/core/Receipt"
import type { ReceiptPredicate } from "@attestry/core/ReceiptPredicate"
import { ReceiptVerifier } from "@attestry/core/ReceiptVerifier"
import * as Timestamp from "@attestry/core/Timestamp"
import * as Base64 from "@attestry/transparency-log/Base64"
import * as Sha256 from "@attestry/transparency-log/Sha256"
import { Signatures } from "@attestry/transparency-log/Signatures"
import * as SignaturesWebCrypto from "@attestry/transparency-log/webcrypto/SignaturesWebCrypto"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Either, FastCheck, Layer, ManagedRuntime, Option } from "effect"
import * as ReceiptModel from "../../testing/ReceiptModel.js"

const runtime = ManagedRuntime.make(
  Layer.provideMerge(ReceiptVerifier.Default, SignaturesWebCrypto.layer)
)

afterAll(() => runtime.dispose())

const seedOf = (origin: string): Uint8Array => Sha256.digestText(origin)

const run = <A>(effect: Effect.Effect<A, never, Signatures | ReceiptVerifier>): Promise<A> =>
  runtime.runPromise(effect)

const keys = new Map<string, Receipt.ReceiptKey>()

const keyOf = (origin: string): Receipt.ReceiptKey => {
  const key = keys.get(origin)
  assert.isDefined(key)
  return key ?? { kid: "", publicKey: new Uint8Array(32), origin, retiredAt: null }
}

beforeAll(async () => {
  for (const origin of ReceiptModel.ORIGINS) {
    const publicKey = await run(
      Effect.flatMap(Signatures, (signatures) => signatures.publicKey(seedOf(origin)))
    )
    const kid = PublicKeySet.thumbprint(Base64.encodeUrl(publicKey))
    keys.set(origin, { kid, publicKey, origin, retiredAt: null })
  }
})

const sign = (signer: string, signed: Pick<Dsse.Envelope, "payload" | "payloadType">) =>
  run(
    Effect.flatMap(Signatures, (signatures) =>
      signatures.sign(seedOf(signer), Sha256.utf8(Dsse.signedText(signed)))
    )
  )

const seal = async (
  { receipt, signer }: ReceiptModel.SignedReceipt,
  predicate: ReceiptPredicate
): Promise<string> => {
  const payload = DecisionReceipt.print(receipt, predicate)
  const signed = { payloadType: Dsse.IN_TOTO, payload }
  return Dsse.print({
    ...signed,
    signatures: [{ keyid: keyOf(signer).kid, sig: await sign(signer, signed) }]
  })
}

const verify = (text: string, expected: Receipt.Expected) =>
  run(Effect.flatMap(ReceiptVerifier, (verifier) => verifier.verify(text, expected)))

const expectedBy = ({ trusted, ...rest }: ReceiptModel.Holder): Receipt.Expected => ({
  ...rest,
  keys: trusted.map(({ origin, retiredAt }) => ({ ...keyOf(origin), retiredAt }))
})

const ORIGIN = ReceiptModel.ORIGINS[0]

const AT = Timestamp.fromMicros(1_790_000_000_123_456)

const sample: DecisionReceipt.DecisionReceipt = {
  org: "acme",
  base: "https://one.example.com",
  subjects: [{ name: "shop:1.0", sha256: "a".repeat(64) }],
  scope: { type: "environment", name: "prod" },
  at: AT,
  verdict: "Compliant",
  policies: [{ name: "known", version: 3, sha256: "b".repeat(64) }],
  facts: "c".repeat(64),
  allow_listed: [],
  waivers: [],
  inputs: [{ entry: "0123456789abcdef", sha256: "d".repeat(64) }],
  chain: [{ subject: { type: "trail", id: "t" }, entry: "0123456789abcdef", index: 3 }],
  place: {
    expires_at: Timestamp.plusSeconds(AT, 900),
    log: { origin: ORIGIN, size: 4, root: "AA==" }
  },
  evaluator: 1
}

const holder = (): Receipt.Expected => ({
  keys: [keyOf(ORIGIN)],
  now: AT,
  subject: "a".repeat(64),
  org: "acme",
  environment: "prod"
})

const refusal = async (text: string, expected: Receipt.Expected) =>
  Either.match(await verify(text, expected), {
    onLeft: (refused): string => refused,
    onRight: () => "accepted"
  })

const predicates = ["vsa", "svr"] as const

describe("a decision receipt", () => {
  it("LOG-22: is accepted exactly if all that its holder expects holds", async () => {
    const outcomes = { accepted: 0, refused: 0 }
    const cases = ReceiptModel.signedReceipt.chain((signed) =>
      FastCheck.tuple(
        FastCheck.constant(signed),
        ReceiptModel.holderOf(signed),
        FastCheck.constantFrom(...predicates)
      )
    )
    await FastCheck.assert(
      FastCheck.asyncProperty(cases, async ([signed, who, predicate]) => {
        const verified = await verify(await seal(signed, predicate), expectedBy(who))
        const isAccepted = ReceiptModel.isAccepted(signed, who)
        outcomes[isAccepted ? "accepted" : "refused"] += 1
        assert.strictEqual(Either.isRight(verified), isAccepted, JSON.stringify(verified))
      }),
      { numRuns: 200 }
    )
    assert.isAbove(outcomes.accepted, 10)
    assert.isAbove(outcomes.refused, 10)
  })

  it("says what was decided", async () => {
    for (const predicate of predicates) {
      const text = await seal({ receipt: sample, signer: ORIGIN }, predicate)
      const { keys: by, receipt } = Either.getOrThrow(await verify(text, holder()))
      assert.deepStrictEqual(by, [keyOf(ORIGIN).kid])
      assert.deepInclude(receipt, {
        predicate,
        org: "acme",
        environment: "prod",
        snapshot: null,
        at: AT,
        expiresAt: Timestamp.plusSeconds(AT, 900),
        verdict: "Compliant",
        verifier: "https://one.example.com/orgs/acme",
        resource: "https://one.example.com/acme/environments/prod",
        subjects: sample.subjects,
        chain: sample.chain,
        policies: sample.policies,
        log: { origin: ORIGIN, size: 4, root: "AA==" }
      })
    }
  })

  it("LOG-22: is refused with any byte changed", async () => {
    for (const predicate of predicates) {
      const text = await seal({ receipt: sample, signer: ORIGIN }, predicate)
      assert.strictEqual(await refusal(text, holder()), "accepted")
      for (let at = 0; at < text.length; at++) {
        const changed = `${text.slice(0, at)}${String.fromCharCode(text.charCodeAt(at) ^ 1)}${text.slice(at + 1)}`
        assert.notStrictEqual(await refusal(changed, holder()), "accepted", `${at}: ${text[at]}`)
      }
    }
  })

  it.each([
    ["subject", { subject: "b".repeat(64) }],
    ["org", { org: "globex" }],
    ["environment", { environment: "staging" }],
    ["resource", { resource: "https://one.example.com/acme/policies" }],
    ["policies", { policies: "e".repeat(64) }],
    ["log", { logSize: 5 }],
    ["expired", { now: Timestamp.plusSeconds(AT, 900) }],
    ["too-old", { now: Timestamp.plusSeconds(AT, 61), maxAge: 60_000_000 }],
    ["not-yet", { now: Timestamp.fromMicros(AT - Receipt.SKEW - 1) }],
    ["unknown-key", { keys: [] }]
  ] as const)("is refused with the reason %s", async (reason, other) => {
    const text = await seal({ receipt: sample, signer: ORIGIN }, "vsa")
    assert.strictEqual(await refusal(text, { ...holder(), ...other }), reason)
  })

  it.each([
    ["log", { logSize: 4 }],
    ["expiry", { now: Timestamp.fromMicros(Timestamp.plusSeconds(AT, 900) - 1) }],
    ["age", { now: Timestamp.plusSeconds(AT, 60), maxAge: 60_000_000 }],
    ["skew", { now: Timestamp.fromMicros(AT - Receipt.SKEW) }]
  ] as const)("is accepted at the limit of its %s", async (_, other) => {
    const text = await seal({ receipt: sample, signer: ORIGIN }, "vsa")
    assert.strictEqual(await refusal(text, { ...holder(), ...other }), "accepted")
  })

  it("is refused unless it is compliant in every place that says so", async () => {
    const signer = ORIGIN
    for (const verdict of ["Unknown", "NonCompliant"] as const) {
      const text = await seal({ receipt: { ...sample, verdict }, signer }, "vsa")
      assert.strictEqual(await refusal(text, holder()), "failed")
    }
    const printed = DecisionReceipt.print(sample, "vsa")
    for (const [from, to] of [
      ['"PASSED"', '"FAILED"'],
      ['"ATTESTRY_COMPLIANT"', '"FAILED"'],
      ['"verdict":"Compliant"', '"verdict":"Unknown"']
    ] as const) {
      const payload = printed.replace(from, to)
      assert.notStrictEqual(payload, printed)
      const signed = { payloadType: Dsse.IN_TOTO, payload }
      const sig = await sign(signer, signed)
      const text = Dsse.print({ ...signed, signatures: [{ keyid: keyOf(signer).kid, sig }] })
      assert.strictEqual(await refusal(text, holder()), "failed")
    }
  })

  it("is refused when the key of another org of the deployment signed it", async () => {
    const [, signer] = ReceiptModel.ORIGINS
    const text = await seal({ receipt: sample, signer }, "vsa")
    const expected = { ...holder(), keys: [keyOf(ORIGIN), keyOf(signer)] }
    assert.strictEqual(await refusal(text, expected), "verifier")
  })

  it("is refused when it was made after its key was retired, and accepted at that time", async () => {
    const text = await seal({ receipt: sample, signer: ORIGIN }, "vsa")
    const retiredAt = (micros: number) => ({
      ...holder(),
      keys: [{ ...keyOf(ORIGIN), retiredAt: Timestamp.fromMicros(AT + micros) }]
    })
    assert.strictEqual(await refusal(text, retiredAt(0)), "accepted")
    assert.strictEqual(await refusal(text, retiredAt(-1)), "retired-key")
  })

  it("is refused if one of two trusted signatures is false", async () => {
    const payload = DecisionReceipt.print(sample, "vsa")
    const signed = { payloadType: Dsse.IN_TOTO, payload }
    const good = { keyid: keyOf(ORIGIN).kid, sig: await sign(ORIGIN, signed) }
    const bad = { ...good, sig: good.sig.map((byte, at) => (at === 5 ? byte ^ 1 : byte)) }
    const unknown = { keyid: "unknown", sig: bad.sig }
    const of = (...signatures: ReadonlyArray<Dsse.Signature>) =>
      refusal(Dsse.print({ ...signed, signatures }), holder())
    assert.strictEqual(await of(good, bad), "signature")
    assert.strictEqual(await of(bad), "signature")
    assert.strictEqual(await of(good, unknown), "accepted")
  })

  it("reads any text, and nothing but receipts", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.oneof(FastCheck.string(), FastCheck.json()), (text) => {
        assert.isTrue(Option.isNone(Receipt.read(text)))
      })
    )
  })

  it("reads 16 signatures, and not 17", () => {
    const payload = DecisionReceipt.print(sample, "vsa")
    const of = (count: number) =>
      Receipt.read(
        Dsse.print({
          payloadType: Dsse.IN_TOTO,
          payload,
          signatures: Array.from({ length: count }, () => ({
            keyid: "k",
            sig: new Uint8Array(64)
          }))
        })
      )
    assert.isTrue(Option.isSome(of(Dsse.SIGNATURES_MAX)))
    assert.isTrue(Option.isNone(of(Dsse.SIGNATURES_MAX + 1)))
    assert.isTrue(Option.isNone(of(0)))
  })
})
