/** Envelopes signed by keys of the trust policy: V-4, V-5 and the states of V-6. */
import { constants, generateKeyPairSync, type KeyObject, sign } from "node:crypto"
import * as Timestamp from "@attestry/core/Timestamp"
import type { TrustedKey, TrustRule } from "@attestry/core/TrustPolicyDocument"
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import type { Envelope, EnvelopeSignature } from "../../src/EvidenceDocument.js"
import * as EvidenceVerifier from "../../src/verification/EvidenceVerifier.js"
import * as TrustRoot from "../../src/verification/TrustRoot.js"
import * as Bundles from "./Bundles.js"
import * as Documents from "./Documents.js"
import * as SigstoreMint from "./SigstoreMint.js"

interface Pair {
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
}

const curve = (namedCurve: string): Pair => generateKeyPairSync("ec", { namedCurve })
const ed25519: Pair = generateKeyPairSync("ed25519")
const rsa: Pair = generateKeyPairSync("rsa", { modulusLength: 2_048 })
const rsaPss: Pair = generateKeyPairSync("rsa-pss", { modulusLength: 2_048 })

const pemOf = ({ publicKey }: Pair): string =>
  publicKey.export({ format: "pem", type: "spki" }).toString()

const keyOf = (id: string, pair: Pair, validUntil: number | null = null): TrustedKey => ({
  id,
  publicKey: pemOf(pair),
  validUntil
})

const PAYLOAD = Buffer.from('{"_type":"https://in-toto.io/Statement/v1"}')

/** The pre-authentication encoding, written from its definition. */
const encoded = ({ payloadType, payload }: Pick<Envelope, "payloadType" | "payload">): Buffer =>
  Buffer.concat([
    Buffer.from(`DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${payload.length} `),
    payload
  ])

const UNSIGNED = { payloadType: Documents.IN_TOTO, payload: PAYLOAD }

const signWith = (pair: Pair, keyId: string | null = null, hash?: string): EnvelopeSignature => {
  const usual = pair.privateKey.asymmetricKeyType === "ed25519" ? null : "sha256"
  return { keyId, bytes: sign(hash ?? usual, encoded(UNSIGNED), pair.privateKey) }
}

const verify = (
  signatures: ReadonlyArray<EnvelopeSignature>,
  policy: { readonly keys: ReadonlyArray<TrustedKey>; readonly rules?: ReadonlyArray<TrustRule> },
  envelope: Partial<Envelope> = {}
) =>
  EvidenceVerifier.verify(
    Documents.documentOf(
      Documents.provenance,
      Documents.dsse({ ...UNSIGNED, signatures, ...envelope })
    ),
    {
      policy: Documents.policyOf({ rules: [Documents.keyRule()], ...policy }),
      roots: new Map(),
      now: Documents.NOW
    }
  )

const stateOf = (...parameters: Parameters<typeof verify>): string => {
  const { verification } = verify(...parameters)
  return `${verification.state} ${verification.reason}`
}

const ruleOf = (keys: ReadonlyArray<string>, threshold = 1): TrustRule =>
  Documents.keyRule({ name: keys.join(), signer: { kind: "keys", keys, threshold } })

const pairs = [curve("P-256"), curve("P-256"), ed25519]
const ids = ["a", "b", "c"]
const pairAt = (index: number): Pair => pairs[index] ?? ed25519

describe("the signature of an envelope", () => {
  it("holds for every algorithm", () => {
    const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }
    const padded = sign("sha256", encoded(UNSIGNED), { key: rsa.privateKey, ...pss })
    const made: ReadonlyArray<readonly [Pair, EnvelopeSignature]> = [
      [ed25519, signWith(ed25519)],
      [rsa, signWith(rsa)],
      [rsa, signWith(rsa, null, "sha512")],
      [rsa, { keyId: null, bytes: padded }],
      [rsaPss, signWith(rsaPss)],
      ...["P-256", "P-384", "P-521"].map((name) => {
        const pair = curve(name)
        return [pair, signWith(pair)] as const
      }),
      ...(
        [
          ["P-384", "sha384"],
          ["P-521", "sha512"]
        ] as const
      ).map(([name, hash]) => {
        const pair = curve(name)
        return [pair, signWith(pair, null, hash)] as const
      })
    ]
    for (const [pair, signature] of made)
      assert.strictEqual(stateOf([signature], { keys: [keyOf("release", pair)] }), "verified null")
  })

  it.prop(
    "verifies exactly if it is by a key of the rule, over this payload and type (V-4)",
    {
      signer: FastCheck.nat(2),
      known: FastCheck.subarray([0, 1, 2]),
      named: FastCheck.subarray([0, 1, 2]),
      change: FastCheck.constantFrom("none", "payload", "type"),
      keyId: FastCheck.constantFrom(null, "a", "b", "c", "d")
    },
    ({ signer, known, named, change, keyId }) => {
      const envelope =
        change === "payload"
          ? { payload: Buffer.from("{}") }
          : change === "type"
            ? { payloadType: "application/vnd.in-toto.provenance+json" }
            : {}
      const { verification } = verify(
        [signWith(pairAt(signer), keyId)],
        {
          keys: known.map((index) => keyOf(ids[index] ?? "", pairAt(index))),
          rules: [ruleOf(named.map((index) => ids[index] ?? ""))]
        },
        envelope
      )
      const isByRule = change === "none" && known.includes(signer) && named.includes(signer)
      assert.strictEqual(verification.state === "verified", isByRule)
      if (isByRule)
        assert.deepStrictEqual(verification.signer, { kind: "key", key_id: ids[signer] ?? "" })
      if (change !== "none")
        assert.strictEqual(
          verification.state,
          known.some((index) => ids[index] === keyId) ? "failed" : "unverifiable"
        )
    }
  )

  it.prop(
    "is never verified after a change of one bit (V-4)",
    {
      signer: FastCheck.nat(2),
      part: FastCheck.constantFrom("payload", "payloadType", "signature"),
      at: FastCheck.nat(10_000)
    },
    ({ signer, part, at }) => {
      const flip = (bytes: Uint8Array): Buffer => {
        const changed = Buffer.from(bytes)
        const place = (at >> 3) % changed.length
        changed.writeUInt8(changed.readUInt8(place) ^ (1 << (at & 7)), place)
        return changed
      }
      const signature = signWith(pairAt(signer), "release")
      const keys = [keyOf("release", pairAt(signer))]
      assert.strictEqual(stateOf([signature], { keys }), "verified null")
      const state =
        part === "signature"
          ? stateOf([{ ...signature, bytes: flip(signature.bytes) }], { keys })
          : part === "payload"
            ? stateOf([signature], { keys }, { payload: flip(PAYLOAD) })
            : stateOf(
                [signature],
                { keys },
                {
                  payloadType: flip(Buffer.from(UNSIGNED.payloadType)).toString("latin1")
                }
              )
      assert.strictEqual(state, "failed bad_signature")
    }
  )

  const signature = FastCheck.record({
    signer: FastCheck.nat(2),
    keyId: FastCheck.constantFrom(null, ...ids),
    isWrong: FastCheck.boolean()
  })
  it.prop(
    "is not verified because a rule or a key was removed (V-5)",
    {
      signatures: FastCheck.array(signature, { minLength: 1, maxLength: 3 }),
      known: FastCheck.subarray([0, 1, 2], { minLength: 1 }),
      rules: FastCheck.array(
        FastCheck.record({
          named: FastCheck.subarray(ids, { minLength: 1 }),
          threshold: FastCheck.integer({ min: 1, max: 2 })
        }),
        { maxLength: 3 }
      ),
      removed: FastCheck.nat(5)
    },
    ({ signatures, known, rules, removed }) => {
      const made = signatures.map(({ signer, keyId, isWrong }) => ({
        ...signWith(pairAt(signer), keyId),
        ...(isWrong ? { bytes: Buffer.from("wrong") } : {})
      }))
      const keys = known.map((index) => keyOf(ids[index] ?? "", pairAt(index)))
      const all = rules.map(({ named, threshold }) => ruleOf(named, threshold))
      const before = verify(made, { keys, rules: all }).verification.state
      const isWithout = (at: number) => (_: unknown, index: number) => index !== at
      const after = verify(made, {
        keys: keys.filter(isWithout(removed)),
        rules: all.filter(isWithout(removed - keys.length))
      }).verification.state
      if (before !== "verified") assert.notStrictEqual(after, "verified")
    },
    { fastCheck: { numRuns: 400 } }
  )

  it("is failed if it is wrong and names a key, whatever else is signed", () => {
    const [a, b] = [pairAt(0), pairAt(1)]
    const keys = [keyOf("release", a), keyOf("b", b)]
    const right = signWith(a, "release")
    const wrong = { keyId: "b", bytes: signWith(ed25519).bytes }
    assert.strictEqual(stateOf([wrong], { keys }), "failed bad_signature")
    assert.strictEqual(stateOf([right, wrong], { keys }), "failed bad_signature")
    assert.strictEqual(stateOf([right, signWith(b, "b")], { keys }), "verified null")
    const foreign = { ...wrong, keyId: "somebody" }
    assert.strictEqual(stateOf([right, foreign], { keys }), "unverifiable unknown_key")
    assert.strictEqual(stateOf([wrong, foreign], { keys }), "failed bad_signature")
  })

  it("takes the key id for a hint alone", () => {
    const keys = [keyOf("release", pairAt(0)), keyOf("b", pairAt(1))]
    for (const keyId of [null, "", "b", "somebody"])
      assert.strictEqual(stateOf([signWith(pairAt(0), keyId)], { keys }), "verified null")
  })

  it("needs as many different keys as the rule asks for", () => {
    const [a, b] = [pairAt(0), pairAt(1)]
    const twice = { keys: [keyOf("a", a), keyOf("b", a)], rules: [ruleOf(["a", "b"], 2)] }
    assert.strictEqual(stateOf([signWith(a), signWith(a)], twice), "untrusted threshold")
    const two = { keys: [keyOf("a", a), keyOf("b", b)], rules: [ruleOf(["a", "b"], 2)] }
    assert.strictEqual(stateOf([signWith(a)], two), "untrusted threshold")
    assert.strictEqual(stateOf([signWith(a), signWith(b)], two), "verified null")
    const one = { ...two, rules: [ruleOf(["a"], 2)] }
    assert.strictEqual(stateOf([signWith(a), signWith(b)], one), "untrusted threshold")
  })

  it("does not count by a key that has ended", () => {
    const now = Timestamp.toSeconds(Documents.NOW)
    const signed = [signWith(ed25519, "release")]
    const until = (end: number) => ({ keys: [keyOf("release", ed25519, end)] })
    assert.strictEqual(stateOf(signed, until(now + 1)), "verified null")
    assert.strictEqual(stateOf(signed, until(now)), "unverifiable unknown_key")
    const next = { keys: [...until(now - 1).keys, keyOf("next", rsa)], rules: [ruleOf(["next"])] }
    assert.strictEqual(stateOf([...signed, signWith(rsa)], next), "verified null")
  })

  it("cannot be by a key that is not usable", () => {
    const weak: Pair = generateKeyPairSync("rsa", { modulusLength: 1_024 })
    const keys = [keyOf("release", weak)]
    assert.strictEqual(stateOf([signWith(weak)], { keys }), "unverifiable unknown_key")
    const junk = { ...keyOf("release", ed25519), publicKey: "junk" }
    assert.strictEqual(stateOf([signWith(ed25519)], { keys: [junk] }), "unverifiable unknown_key")
  })

  it("is one of at most 16, and none is unsigned", () => {
    const keys = [keyOf("release", ed25519)]
    const signed = signWith(ed25519)
    const many = (count: number) => new Array<EnvelopeSignature>(count).fill(signed)
    assert.strictEqual(stateOf(many(EvidenceVerifier.SIGNATURES_MAX), { keys }), "verified null")
    assert.strictEqual(
      stateOf(many(EvidenceVerifier.SIGNATURES_MAX + 1), { keys }),
      "failed malformed"
    )
    assert.strictEqual(stateOf([], { keys }), "unsigned null")
    const unsigned = EvidenceVerifier.verify(
      Documents.documentOf(Documents.sbom, { kind: "none" }),
      { policy: Documents.policyOf({}), roots: new Map(), now: Documents.NOW }
    )
    assert.strictEqual(unsigned.verification.state, "unsigned")
  })
})

describe("a bundle that a key signed", async () => {
  const clock = new Date(Date.now() + 60_000)
  const instance = await SigstoreMint.instance(clock)
  const roots = new Map([["main", Either.getOrThrow(TrustRoot.parse(instance.root))]])
  const pair = pairAt(0)

  const bundleState = (bundle: object, keys: ReadonlyArray<TrustedKey>, known = roots) => {
    const { verification } = EvidenceVerifier.verify(Bundles.documentOf(bundle), {
      policy: Documents.policyOf({ keys, rules: [Documents.keyRule()] }),
      roots: known,
      now: Documents.NOW
    })
    assert.isNull(verification.root)
    return `${verification.state} ${verification.reason}`
  }

  it("is verified by the key and a log", async () => {
    for (const file of [undefined, Buffer.from("a file")]) {
      const signed = await instance.bundle({
        ...(file === undefined ? {} : { file }),
        key: { privateKey: pair.privateKey, hint: "release" }
      })
      assert.strictEqual(bundleState(signed, [keyOf("release", pair)]), "verified null")
      assert.strictEqual(bundleState(signed, [keyOf("b", pair)]), "untrusted no_rule")
      assert.strictEqual(bundleState(signed, [keyOf("release", pairAt(1))]), "failed bad_signature")
      assert.strictEqual(bundleState(signed, []), "unverifiable unknown_key")
      const ended = [keyOf("release", pair, 1)]
      assert.strictEqual(bundleState(signed, ended), "unverifiable unknown_key")
      const without = bundleState(signed, [keyOf("release", pair)], new Map())
      assert.strictEqual(without, "unverifiable unknown_root")
    }
  })

  it("is unverifiable for a bare file and a key that needs its bytes", async () => {
    const key = { privateKey: ed25519.privateKey, hint: "release" }
    const file = await instance.bundle({ file: Buffer.from("a file"), key })
    assert.strictEqual(bundleState(file, [keyOf("release", ed25519)]), "unverifiable unknown_key")
    const envelope = await instance.bundle({ key })
    assert.strictEqual(bundleState(envelope, [keyOf("release", ed25519)]), "verified null")
  })
})
