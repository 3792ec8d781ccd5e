/** Bundles of an instance of Sigstore in memory: what verifies, whom rules name, and hostile bundles. */
import { generateKeyPairSync } from "node:crypto"
import type { TrustedSigner, TrustRule } from "@attestry/core/TrustPolicyDocument"
import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import type { EvidenceDocument } from "../../src/EvidenceDocument.js"
import * as EvidenceVerifier from "../../src/verification/EvidenceVerifier.js"
import * as TrustRoot from "../../src/verification/TrustRoot.js"
import * as Bundles from "./Bundles.js"
import * as Documents from "./Documents.js"
import * as SigstoreMint from "./SigstoreMint.js"

const CLOCK = new Date(Math.floor(Date.now() / 1_000) * 1_000 + 60_000)
const MINUTE = 60_000
const [main, other, late] = await Promise.all([
  SigstoreMint.instance(CLOCK),
  SigstoreMint.instance(CLOCK),
  SigstoreMint.instance(CLOCK, { stampedAt: new Date(CLOCK.getTime() + 20 * MINUTE) })
])
const rootOf = (text: string) => Either.getOrThrow(TrustRoot.parse(text))
const ROOTS = new Map([["main", rootOf(main.root)]])

const signerOf = (rest: Partial<Extract<TrustedSigner, { kind: "sigstore" }>> = {}) =>
  ({
    kind: "sigstore",
    roots: ["main"],
    issuer: SigstoreMint.ISSUER,
    san: "https://github.com/acme/shop/.github/workflows/release.yml@refs/tags/*",
    sourceRepositoryId: "4711",
    ...rest
  }) as const

const ruleOf = (rest: Partial<TrustRule> = {}) =>
  Documents.keyRule({ name: "shop", signer: signerOf(), buildLevel: 3, ...rest })

const verify = (
  bundle: object,
  {
    rule = ruleOf(),
    roots = ROOTS,
    document = {}
  }: {
    readonly rule?: TrustRule
    readonly roots?: ReadonlyMap<string, TrustRoot.TrustRoot>
    readonly document?: Partial<EvidenceDocument>
  } = {}
) =>
  EvidenceVerifier.verify(Bundles.documentOf(bundle, document), {
    policy: Documents.policyOf({ rules: [rule] }),
    roots,
    now: Documents.NOW
  })

const stateOf = (...parameters: Parameters<typeof verify>): string => {
  const { verification, buildLevel } = verify(...parameters)
  if (verification.state !== "verified") {
    assert.isNull(verification.rule)
    assert.isNull(buildLevel)
  }
  return `${verification.state} ${verification.reason}`
}

const bundle = await main.bundle()
const otherBundle = await main.bundle({ payload: Buffer.from('{"subject":[]}') })
const [entry] = bundle.verificationMaterial.tlogEntries
assert(entry?.inclusionProof?.checkpoint !== undefined && entry.inclusionPromise !== undefined)
const { inclusionProof, ...unproved } = entry
const { inclusionPromise, ...unpromised } = entry

const withMaterial = (material: object, base: SigstoreMint.MintedBundle = bundle) => ({
  ...base,
  verificationMaterial: { ...base.verificationMaterial, ...material }
})

describe("a bundle of Sigstore", () => {
  it("is verified by the rule that names its signer", () => {
    const { verification, buildLevel } = verify(bundle)
    assert.strictEqual(buildLevel, 3)
    assert.deepStrictEqual(verification, {
      state: "verified",
      reason: null,
      rule: "shop",
      signer: {
        kind: "sigstore",
        issuer: SigstoreMint.ISSUER,
        san: SigstoreMint.SAN,
        source_repository: "https://github.com/acme/shop",
        source_repository_id: "4711",
        source_ref: "refs/tags/v1",
        build_signer: SigstoreMint.SAN,
        trigger: "push",
        runner: "github-hosted"
      },
      signed_at: CLOCK.getTime() / 1_000,
      root: "main",
      log: {
        origin: inclusionProof.checkpoint?.envelope.split("\n")[0] ?? "",
        index: entry.logIndex
      }
    })
  })

  it("is verified with an entry without time, and a timestamp", async () => {
    const stamped = await main.bundle({ log: 2, isStamped: true })
    assert.strictEqual(stateOf(stamped), "verified null")
    assert.strictEqual(stateOf(await main.bundle({ log: 2 })), "unverifiable no_timestamp")
  })

  it("is verified for a bare file by the digest", async () => {
    const signed = await main.bundle({ file: Buffer.from("a file") })
    assert.strictEqual(stateOf(signed), "verified null")
    const digest = Buffer.alloc(32, 7)
    const messageDigest = { algorithm: "SHA2_256", digest: digest.toString("base64") }
    const changed = {
      ...signed,
      messageSignature: { signature: signed.messageSignature?.signature ?? "", messageDigest }
    }
    assert.strictEqual(stateOf(changed), "failed log_mismatch")
    const subjects = [{ name: null, digest: { sha256: digest.toString("hex") } }]
    assert.strictEqual(stateOf(signed, { document: { subjects } }), "failed malformed")
  })

  it("takes the issuer of an older certificate", async () => {
    const oid = "1.3.6.1.4.1.57264.1.1"
    const older = await main.bundle({
      extensions: [{ oid, value: SigstoreMint.ISSUER, legacy: true }]
    })
    const rule = ruleOf({ signer: signerOf({ sourceRepositoryId: null }) })
    assert.strictEqual(stateOf(older, { rule }), "verified null")
  })

  it("is untrusted if no rule names the signer whole", async () => {
    const exact = signerOf({
      san: "https://github.com/acme/shop/.github/workflows/release.yml@refs/heads/main"
    })
    for (const san of [`${exact.san}.evil`, `https://evil.example/?${exact.san}`]) {
      const evil = await main.bundle({ san })
      assert.strictEqual(stateOf(evil, { rule: ruleOf({ signer: exact }) }), "untrusted no_rule")
    }
    const named = await main.bundle({ san: exact.san })
    assert.strictEqual(stateOf(named, { rule: ruleOf({ signer: exact }) }), "verified null")
    for (const signer of [
      signerOf({ issuer: `${SigstoreMint.ISSUER}/` }),
      signerOf({ issuer: "https://token.actions.*" }),
      signerOf({ sourceRepositoryId: "471" }),
      signerOf({ roots: ["other"] }),
      { kind: "keys", keys: ["release"], threshold: 1 } as const
    ])
      assert.strictEqual(stateOf(bundle, { rule: ruleOf({ signer }) }), "untrusted no_rule")
  })

  it("has no name if the bytes of the name are no ASCII", async () => {
    const at = SigstoreMint.SAN.indexOf("shop")
    const high = String.fromCharCode(SigstoreMint.SAN.charCodeAt(at) + 0x80)
    const san = `${SigstoreMint.SAN.slice(0, at)}${high}${SigstoreMint.SAN.slice(at + 1)}`
    const { verification } = verify(await main.bundle({ san }))
    assert.strictEqual(verification.state, "untrusted")
    assert(verification.signer?.kind === "sigstore")
    assert.isNull(verification.signer.san)
  })

  it("takes builder and source of other kinds from the certificate", () => {
    const source = { repository: "https://github.com/acme/*", ref: "refs/tags/*" }
    const rule = ruleOf({ builder: `${SigstoreMint.SAN.slice(0, -2)}*`, source })
    const document = { facts: Documents.sbom }
    assert.strictEqual(stateOf(bundle, { rule, document }), "verified null")
    const elsewhere = ruleOf({ source: { repository: "https://github.com/evil/*", ref: null } })
    assert.strictEqual(stateOf(bundle, { rule: elsewhere, document }), "untrusted source_mismatch")
    const built = ruleOf({ builder: "https://github.com/evil/**" })
    assert.strictEqual(stateOf(bundle, { rule: built, document }), "untrusted builder_mismatch")
  })

  it("is unverifiable if its instance is not known", async () => {
    const foreign = await other.bundle()
    assert.strictEqual(stateOf(foreign), "unverifiable unknown_root")
    assert.strictEqual(stateOf(bundle, { roots: new Map() }), "unverifiable unknown_root")
    const both = new Map([["other", rootOf(other.root)], ...ROOTS])
    assert.strictEqual(stateOf(bundle, { roots: both }), "verified null")
    assert.strictEqual(stateOf(foreign, { roots: both }), "untrusted no_rule")
  })

  it("is unverifiable if its log, or the log of its certificate, is not known", () => {
    const root = JSON.parse(main.root)
    const foreign = JSON.parse(other.root)
    for (const logs of [{ tlogs: foreign.tlogs }, { ctlogs: foreign.ctlogs }]) {
      const roots = new Map([["main", rootOf(JSON.stringify({ ...root, ...logs }))]])
      assert.strictEqual(stateOf(bundle, { roots }), "unverifiable unknown_log")
    }
    assert.strictEqual(stateOf(withMaterial({ tlogEntries: [] })), "unverifiable no_timestamp")
  })
})

describe("a hostile bundle", () => {
  it("does not verify with a proof of another entry", () => {
    const { tlogEntries } = otherBundle.verificationMaterial
    assert.strictEqual(stateOf(withMaterial({ tlogEntries })), "failed log_mismatch")
    const body = { ...entry, canonicalizedBody: tlogEntries[0]?.canonicalizedBody }
    assert.strictEqual(stateOf(withMaterial({ tlogEntries: [body] })), "failed bad_log_proof")
  })

  it("does not verify with another certificate", async () => {
    const { certificate } = otherBundle.verificationMaterial
    assert.strictEqual(stateOf(withMaterial({ certificate })), "failed bad_signature")
    const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
    const forged = { rawBytes: await other.certificate(publicKey, {}) }
    assert.strictEqual(stateOf(withMaterial({ certificate: forged })), "unverifiable unknown_root")
  })

  it("does not verify with a certificate that no log has", async () => {
    assert.strictEqual(
      stateOf(await main.bundle({ isStamped: true }, false)),
      "failed bad_certificate"
    )
  })

  it("does not verify with a proof without checkpoint, or a promise without proof", () => {
    const { checkpoint, ...unchecked } = inclusionProof
    const tlogEntries = [{ ...entry, inclusionProof: unchecked }]
    assert.strictEqual(stateOf(withMaterial({ tlogEntries })), "failed bad_log_proof")
    const mediaType = "application/vnd.dev.sigstore.bundle+json;version=0.1"
    for (const version of [bundle.mediaType, mediaType]) {
      const promised = { ...withMaterial({ tlogEntries: [unproved] }), mediaType: version }
      assert.strictEqual(stateOf(promised), "failed bad_log_proof")
      const unchecked = { ...withMaterial({ tlogEntries }), mediaType: version }
      assert.strictEqual(stateOf(unchecked), "failed bad_log_proof")
    }
  })

  it("does not verify with a time that no log promised", () => {
    const tlogEntries = [unpromised]
    assert.strictEqual(stateOf(withMaterial({ tlogEntries })), "unverifiable no_timestamp")
    const integratedTime = String(Number(entry.integratedTime) + 1)
    const moved = { tlogEntries: [{ ...entry, integratedTime }] }
    assert.strictEqual(stateOf(withMaterial(moved)), "failed bad_log_proof")
  })

  it("does not verify with the same entry twice", () => {
    const state = stateOf(withMaterial({ tlogEntries: [entry, entry] }))
    assert.match(state, /^failed (bad_timestamp|bad_log_proof)$/)
  })

  it("does not verify with a timestamp outside of the time of the certificate", async () => {
    const roots = new Map([["main", rootOf(late.root)]])
    assert.strictEqual(stateOf(await late.bundle(), { roots }), "verified null")
    const stamped = await late.bundle({ isStamped: true })
    assert.strictEqual(stateOf(stamped, { roots }), "failed expired_certificate")
  })

  it("does not verify with a timestamp of other bytes, or of an unknown authority", async () => {
    const timestamps = async (by: typeof main) => ({
      timestampVerificationData: { rfc3161Timestamps: [await by.stamp(Buffer.from("other"))] }
    })
    assert.strictEqual(stateOf(withMaterial(await timestamps(main))), "failed bad_timestamp")
    const unknown = await other.bundle({ isStamped: true })
    const { timestampVerificationData } = unknown.verificationMaterial
    const state = stateOf(withMaterial({ timestampVerificationData }))
    assert.match(state, /^(failed bad_timestamp|unverifiable unknown_root)$/)
  })

  it("does not verify if the document was read from another envelope", () => {
    const { signed } = Bundles.documentOf(otherBundle)
    assert(signed.kind === "sigstore" && signed.envelope !== null)
    for (const envelope of [signed.envelope, { ...signed.envelope, payloadType: "x" }, null]) {
      const document = { signed: { ...signed, bundle, envelope } }
      assert.strictEqual(stateOf(bundle, { document }), "failed malformed")
    }
  })

  it("is malformed with two contents or two signers", async () => {
    const { messageSignature } = await main.bundle({ file: Buffer.from("a file") })
    assert.strictEqual(stateOf({ ...bundle, messageSignature }), "failed malformed")
    const { signed, subjects } = Bundles.documentOf(await main.bundle({ file: Buffer.from("b") }))
    assert(signed.kind === "sigstore" && typeof signed.bundle === "object")
    const both = { ...signed.bundle, dsseEnvelope: bundle.dsseEnvelope }
    for (const [value, state] of [
      [signed.bundle, "verified null"],
      [both, "failed malformed"]
    ] as const)
      assert.strictEqual(
        stateOf(bundle, { document: { signed: { ...signed, bundle: value }, subjects } }),
        state
      )
    const signers = { publicKey: { hint: "release" } }
    assert.strictEqual(stateOf(withMaterial(signers)), "failed malformed")
  })

  it("is malformed with members of wrong types or sizes", () => {
    const bytes = { length: 4_000_000_000 }
    const entries = (count: number) => ({ tlogEntries: new Array(count).fill(unproved) })
    for (const material of [
      { certificate: { rawBytes: bytes } },
      { certificate: { rawBytes: "A".repeat(65_537) } },
      { certificate: { rawBytes: "AAAA" } },
      { tlogEntries: [{ ...entry, canonicalizedBody: bytes }] },
      { tlogEntries: [{ ...entry, logIndex: "9".repeat(21) }] },
      { tlogEntries: [{ ...entry, logIndex: "0x1" }] },
      { tlogEntries: { length: 1 } },
      entries(17)
    ])
      assert.strictEqual(stateOf(withMaterial(material)), "failed malformed")
    assert.strictEqual(stateOf(withMaterial(entries(16))), "failed bad_log_proof")
    for (const value of [null, [], "text", 1, {}, { __proto__: bundle }])
      assert.strictEqual(
        stateOf(bundle, {
          document: { signed: { kind: "sigstore", bundle: value, envelope: null } }
        }),
        "failed malformed"
      )
  })

  it("is malformed beyond the limits alone", async () => {
    const proof = (change: object) =>
      withMaterial({
        tlogEntries: [{ ...entry, inclusionProof: { ...inclusionProof, ...change } }]
      })
    const checkpoint = inclusionProof.checkpoint?.envelope ?? ""
    const padded = (length: number) => ({
      checkpoint: { envelope: "x".repeat(length - checkpoint.length) + checkpoint }
    })
    const hashes = (count: number) => ({ hashes: new Array<string>(count).fill("AAAA") })
    const digits = (count: number) =>
      withMaterial({ tlogEntries: [{ ...entry, logIndex: "9".repeat(count) }] })
    const stamps = (await main.bundle({ isStamped: true })).verificationMaterial
    const [stamp] = stamps.timestampVerificationData?.rfc3161Timestamps ?? []
    const stamped = (count: number) =>
      withMaterial({
        timestampVerificationData: { rfc3161Timestamps: new Array(count).fill(stamp) }
      })
    for (const [within, beyond, reason] of [
      [proof(padded(65_536)), proof(padded(65_537)), "bad_log_proof"],
      [proof(hashes(64)), proof(hashes(65)), "bad_log_proof"],
      [digits(20), digits(21), "bad_log_proof"],
      [stamped(16), stamped(17), "bad_timestamp"]
    ] as const) {
      assert.strictEqual(stateOf(within), `failed ${reason}`)
      assert.strictEqual(stateOf(beyond), "failed malformed")
    }
  })

  it("has at most 16 certificates", () => {
    const { certificate, ...material } = bundle.verificationMaterial
    const chain = (count: number) => ({
      ...bundle,
      mediaType: "application/vnd.dev.sigstore.bundle+json;version=0.2",
      verificationMaterial: {
        ...material,
        x509CertificateChain: { certificates: new Array(count).fill(certificate) }
      }
    })
    assert.strictEqual(stateOf(chain(16)), "verified null")
    assert.strictEqual(stateOf(chain(17)), "failed malformed")
    assert.strictEqual(stateOf(chain(0)), "failed malformed")
  })

  it("verifies with no bit changed in what is signed", () => {
    const flips = (text: string): ReadonlyArray<string> => {
      const bytes = Buffer.from(text, "base64")
      const step = Math.max(1, Math.floor((bytes.length * 8) / 24))
      return Array.from({ length: Math.ceil((bytes.length * 8) / step) }, (_, index) => {
        const changed = Buffer.from(bytes)
        const bit = index * step
        changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
        return changed.toString("base64")
      })
    }
    const envelope = bundle.dsseEnvelope
    assert(envelope !== undefined)
    const sig = envelope.signatures[0]?.sig ?? ""
    const changed = [
      ...flips(envelope.payload).map((payload) => ({
        ...bundle,
        dsseEnvelope: { ...envelope, payload }
      })),
      ...flips(sig).map((flipped) => ({
        ...bundle,
        dsseEnvelope: { ...envelope, signatures: [{ sig: flipped, keyid: "" }] }
      })),
      ...flips(entry.canonicalizedBody).map((canonicalizedBody) =>
        withMaterial({ tlogEntries: [{ ...entry, canonicalizedBody }] })
      ),
      ...flips(inclusionPromise.signedEntryTimestamp).map((signedEntryTimestamp) =>
        withMaterial({ tlogEntries: [{ ...entry, inclusionPromise: { signedEntryTimestamp } }] })
      ),
      { ...bundle, dsseEnvelope: { ...envelope, payloadType: "application/vnd.in-toto+jsoo" } }
    ]
    assert.isAbove(changed.length, 90)
    for (const hostile of changed) assert.notMatch(stateOf(hostile), /^verified/)
  })
})

describe("a private instance of Sigstore without logs", () => {
  const { ctlogs: _ctlogs, tlogs: _tlogs, ...withoutLogs } = JSON.parse(main.root)
  const roots = new Map([["main", rootOf(JSON.stringify(withoutLogs))]])
  const unlogged = async () => {
    const minted = await main.bundle({ isStamped: true }, false)
    return withMaterial({ tlogEntries: [] }, minted)
  }

  it("is verified by a timestamp of its authority alone", async () => {
    assert.strictEqual(stateOf(await unlogged(), { roots }), "verified null")
  })

  it("needs that timestamp", async () => {
    const minted = withMaterial({ timestampVerificationData: undefined }, await unlogged())
    assert.strictEqual(stateOf(minted, { roots }), "unverifiable no_timestamp")
  })

  it("is not verified by a trust root that has logs", async () => {
    assert.notInclude(stateOf(await unlogged()), "verified null")
  })
})
