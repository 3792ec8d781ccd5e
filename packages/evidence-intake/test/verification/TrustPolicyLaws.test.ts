/**
 * V-5 and V-6 with generated trust policies, over envelopes of keys and bundles of Sigstore: what is taken out of a
 * policy or a trust root makes nothing verified, and nothing but a rule that fits makes evidence count as verified.
 */
import { generateKeyPairSync, sign } from "node:crypto"
import type { EvidenceFacts } from "@attestry/core/EvidenceFacts"
import * as EvidenceKind from "@attestry/core/EvidenceKind"
import * as EvidenceOutcome from "@attestry/core/EvidenceOutcome"
import type { TrustedKey, TrustRule } from "@attestry/core/TrustPolicyDocument"
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import { lengthForRun } from "../../../core/test/shared/Effort.js"
import type { EvidenceDocument } from "../../src/EvidenceDocument.js"
import * as EvidenceVerifier from "../../src/verification/EvidenceVerifier.js"
import * as TrustRoot from "../../src/verification/TrustRoot.js"
import * as Bundles from "./Bundles.js"
import * as Documents from "./Documents.js"
import * as SigstoreMint from "./SigstoreMint.js"

const RUNS = lengthForRun({ quick: 25, full: 60, deep: 1_000 })
const CLOCK = new Date(Math.floor(Date.now() / 1_000) * 1_000 + 60_000)
const [main, other] = await Promise.all([
  SigstoreMint.instance(CLOCK),
  SigstoreMint.instance(CLOCK)
])
const ROOTS = new Map(
  Object.entries({ main, other }).map(([name, { root }]) => [
    name,
    Either.getOrThrow(TrustRoot.parse(root))
  ])
)

const IDS = ["a", "b", "c"] as const
const PAIRS = IDS.map(() => generateKeyPairSync("ed25519"))
const KEYS: ReadonlyArray<TrustedKey> = PAIRS.map(({ publicKey }, at) => ({
  id: IDS[at] ?? "",
  publicKey: publicKey.export({ format: "pem", type: "spki" }).toString(),
  validUntil: null
}))

const PAYLOAD = Buffer.from("{}")
const SIGNED = Buffer.from(`DSSEv1 ${Documents.IN_TOTO.length} ${Documents.IN_TOTO} 2 {}`)

/** A condition that mostly holds, so that many rules fit. */
const mostly = <A>(usual: A, ...others: ReadonlyArray<A>): FastCheck.Arbitrary<A> =>
  FastCheck.oneof(
    { arbitrary: FastCheck.constant(usual), weight: 4 },
    { arbitrary: FastCheck.constantFrom(usual, ...others), weight: 1 }
  )

interface Signature {
  readonly signer: number
  readonly named: string | null
  readonly isWrong: boolean
}

const envelope = (facts: EvidenceFacts, signatures: ReadonlyArray<Signature>): EvidenceDocument =>
  Documents.documentOf(
    facts,
    Documents.dsse({
      payloadType: Documents.IN_TOTO,
      payload: PAYLOAD,
      signatures: signatures.map(({ isWrong, named, signer }) => {
        const { privateKey } = PAIRS[signer] ?? generateKeyPairSync("ed25519")
        return { keyId: named, bytes: isWrong ? Buffer.alloc(64) : sign(null, SIGNED, privateKey) }
      })
    })
  )

const BUNDLES = await Promise.all([
  main.bundle(),
  main.bundle({ san: `${SigstoreMint.SAN}.evil` }),
  other.bundle(),
  main.bundle({ file: Buffer.from("a file") }),
  main.bundle({ key: { privateKey: PAIRS[0]?.privateKey ?? assert.fail(), hint: "a" } })
])

const FACTS = [Documents.provenance, Documents.sbom, Documents.verification] as const

const envelopes: FastCheck.Arbitrary<EvidenceDocument> = FastCheck.record({
  facts: FastCheck.constantFrom(...FACTS),
  signatures: FastCheck.array(
    FastCheck.record({
      signer: FastCheck.nat(IDS.length - 1),
      named: FastCheck.constantFrom(null, ...IDS),
      isWrong: FastCheck.constantFrom(false, false, true)
    }),
    { maxLength: 3 }
  )
}).map(({ facts, signatures }) => envelope(facts, signatures))

const bundles: FastCheck.Arbitrary<EvidenceDocument> = FastCheck.constantFrom(...BUNDLES).map(
  (bundle) => Bundles.documentOf(bundle)
)

const documents = FastCheck.oneof(
  envelopes,
  bundles,
  FastCheck.constantFrom(...FACTS).map((facts) => Documents.documentOf(facts, { kind: "none" }))
)

const signers: FastCheck.Arbitrary<TrustRule["signer"]> = FastCheck.oneof(
  FastCheck.record({
    kind: FastCheck.constant("keys" as const),
    keys: FastCheck.subarray([...IDS], { minLength: 1 }),
    threshold: FastCheck.integer({ min: 1, max: 2 })
  }),
  FastCheck.record({
    kind: FastCheck.constant("sigstore" as const),
    roots: FastCheck.subarray(["main", "other"], { minLength: 1 }),
    issuer: FastCheck.constantFrom(SigstoreMint.ISSUER, SigstoreMint.ISSUER, "https://other"),
    san: FastCheck.constantFrom("https://github.com/acme/**", SigstoreMint.SAN, "https://no/*"),
    sourceRepositoryId: FastCheck.constantFrom(null, "4711", "471")
  })
)

const rule: FastCheck.Arbitrary<TrustRule> = FastCheck.record({
  name: FastCheck.constantFrom("one", "two"),
  kinds: mostly<TrustRule["kinds"]>(
    ["provenance", "sbom", "verification", "signature"],
    [],
    ["vex"]
  ),
  predicates: mostly<TrustRule["predicates"]>([], ["https://slsa.dev/**"]),
  signer: signers,
  builder: mostly<string | null>(null, Documents.BUILDER, "https://evil/**"),
  buildLevel: FastCheck.constantFrom(null, 1, 3),
  source: mostly<TrustRule["source"]>(null, { repository: "https://github.com/acme/*", ref: null }),
  buildType: mostly<string | null>(null, "https://a/*"),
  strictParameters: mostly<boolean>(false, true),
  parameters: mostly<TrustRule["parameters"]>(null, { target: "release" }),
  flows: mostly<TrustRule["flows"]>(null, ["shop"]),
  verifiers: mostly<TrustRule["verifiers"]>(null, [], ["https://verify.example.org/**"]),
  properties: mostly<TrustRule["properties"]>([], ["ORG_RELEASE_APPROVED"], ["MORE"])
})

const trust = FastCheck.record({
  keys: FastCheck.subarray([...KEYS], { minLength: 2 }),
  rules: FastCheck.array(rule, { minLength: 1, maxLength: 4 }),
  roots: FastCheck.subarray([...ROOTS.keys()], { minLength: 1 }),
  flows: FastCheck.constantFrom(undefined, ["shop"], ["pay"])
})

interface Trust {
  readonly keys: ReadonlyArray<TrustedKey>
  readonly rules: ReadonlyArray<TrustRule>
  readonly roots: ReadonlyArray<string>
  readonly flows: ReadonlyArray<string> | undefined
}

const verify = (document: EvidenceDocument, { flows, keys, roots, rules }: Trust) =>
  EvidenceVerifier.verify(document, {
    policy: Documents.policyOf({ keys, rules }),
    roots: new Map([...ROOTS].filter(([name]) => roots.includes(name))),
    now: Documents.NOW,
    ...(flows === undefined ? {} : { flows })
  })

const isVerified = (document: EvidenceDocument, given: Trust): boolean =>
  verify(document, given).verification.state === "verified"

const without = <A>(all: ReadonlyArray<A>, at: number): Array<A> =>
  all.filter((_, index) => index !== at)

/** The policy and roots with one rule, key, key of a rule or root less, or a higher threshold. */
const weaker = (given: Trust): ReadonlyArray<Trust> => [
  ...given.rules.map((_, at) => ({ ...given, rules: without(given.rules, at) })),
  ...given.keys.map((_, at) => ({ ...given, keys: without(given.keys, at) })),
  ...given.roots.map((_, at) => ({ ...given, roots: without(given.roots, at) })),
  ...given.rules.map((one, at) => ({
    ...given,
    rules: given.rules.map((each, index) =>
      index !== at
        ? each
        : one.signer.kind === "keys"
          ? { ...one, signer: { ...one.signer, threshold: one.signer.threshold + 1 } }
          : { ...one, signer: { ...one.signer, roots: without(one.signer.roots, 0) } }
    )
  }))
]

describe("V-5", () => {
  it("the generated policies verify some documents, and others not", () => {
    const found = FastCheck.sample(FastCheck.tuple(documents, trust), { numRuns: 100, seed: 5 })
    const verified = found.filter(([document, given]) => isVerified(document, given))
    assert.isAbove(verified.length, 5)
    assert.isBelow(verified.length, 90)
    const kinds = new Set(verified.map(([{ signed }]) => signed.kind))
    assert.deepStrictEqual([...kinds].sort(), ["dsse", "sigstore"])
  })

  // Bundles take many times as long as envelopes.
  for (const [what, signed, numRuns] of [
    ["an envelope", envelopes, 6 * RUNS],
    ["a bundle", bundles, RUNS]
  ] as const)
    it.prop(
      `removing a rule, a key or a root, or asking for more signatures, never verifies ${what}`,
      { document: signed, trust },
      ({ document, trust: given }) => {
        if (isVerified(document, given)) return
        for (const each of weaker(given)) assert.isFalse(isVerified(document, each))
      },
      { fastCheck: { numRuns } }
    )

  it.prop(
    "the order of keys decides nothing, and the order of rules decides nothing about the state",
    { document: documents, trust },
    ({ document, trust: given }) => {
      const reversed = {
        ...given,
        keys: [...given.keys].reverse(),
        rules: [...given.rules].reverse()
      }
      assert.strictEqual(
        verify(document, reversed).verification.state,
        verify(document, given).verification.state
      )
    },
    { fastCheck: { numRuns: RUNS } }
  )
})

describe("V-6", () => {
  it.prop(
    "only what a rule verifies has a rule and a build level, and counts where verification is needed",
    { document: documents, trust },
    ({ document, trust: given }) => {
      const { buildLevel, verification } = verify(document, given)
      const demanding = { failOn: "any", minLines: null, mustBeVerified: EvidenceKind.ALL } as const
      const { facts } = document
      const isCompliant = EvidenceOutcome.isCompliant(facts, verification, demanding)
      if (verification.state === "verified") {
        assert.include(
          given.rules.map(({ name }) => name),
          verification.rule
        )
        return
      }
      assert.deepStrictEqual([verification.rule, buildLevel, isCompliant], [null, null, false])
      const lenient = { ...demanding, mustBeVerified: [] }
      if (EvidenceKind.needsVerification(facts.kind))
        assert.isFalse(EvidenceOutcome.isCompliant(facts, verification, lenient))
    },
    { fastCheck: { numRuns: RUNS } }
  )

  it.prop(
    "a document that is not signed is verified by no policy, whatever it says about itself",
    { facts: FastCheck.constantFrom(...FACTS), trust },
    ({ facts, trust: given }) => {
      const lying = { ...facts, verification: { state: "verified" }, build_level: 4 }
      const document = Documents.documentOf(lying, { kind: "none" })
      assert.deepInclude(verify(document, given).verification, { state: "unsigned", rule: null })
    }
  )
})
