/** Signed evidence in audit capsules: it is verified again offline, by the policies and roots that are inside. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { inflateRawSync } from "node:zlib"
import * as Capsule from "@attestry/core/Capsule"
import * as CapsuleEntry from "@attestry/core/CapsuleEntry"
import * as CapsuleMembers from "@attestry/core/CapsuleMembers"
import * as CapsuleVerification from "@attestry/core/CapsuleVerification"
import * as Timestamp from "@attestry/core/Timestamp"
import { Either, Option } from "effect"
import { assert, beforeAll, describe, it } from "vitest"
import * as SigstoreMint from "../../../evidence-intake/test/verification/SigstoreMint.js"
import * as DocumentChecks from "../../src/capsule/DocumentChecks.js"
import { machineOf } from "../shared/Play.js"
import { folder, run } from "../shared/Run.js"
import * as SignedBom from "../shared/SignedBom.js"
import { onEveryStore } from "../shared/TestDeployment.js"
import { JOB_OF_TRAIL } from "../shared/TestJob.js"

const APP = "<h1>shop</h1>\n"
const { envelope, statement, trust: TRUST } = SignedBom.make("app.html")
const SIGNED = envelope(statement(SignedBom.sha256(APP)))
const DIGEST = SignedBom.sha256(SIGNED)

const RULES = `_schema: https://example.org/schemas/environment-policy/v2
artifacts:
  attestations:
    - { type: custom:attestry-sbom, must_be_verified: true }
`

const inflate = async (packed: Uint8Array, size: number) =>
  new Uint8Array(inflateRawSync(packed, { maxOutputLength: Math.max(size, 1) }))

const readTrust = (contents: ReadonlyMap<string, Uint8Array>) =>
  Option.getOrThrow(
    CapsuleMembers.readJson(Capsule.TrustRoots, contents.get(Capsule.MEMBERS.roots))
  )

/** What a maker of capsules holds who could also sign: what would be proved with other documents or roots. */
const heldBy = async (file: Uint8Array) => {
  const { contents, manifest } = Either.getOrThrow(await CapsuleMembers.open(file, { inflate }))
  const expected = Option.getOrThrow(
    CapsuleMembers.readJson(Capsule.Expected, contents.get(Capsule.MEMBERS.expected))
  )
  const entries = new TextDecoder()
    .decode(contents.get(Capsule.MEMBERS.entries))
    .split("\n")
    .slice(0, -1)
    .map((line) => Option.getOrThrow(Option.flatMap(CapsuleEntry.parse(line), CapsuleEntry.open)))
  const trust = readTrust(contents)
  const evaluate = (
    fileOf: (sha256: string) => Uint8Array | undefined,
    given: Capsule.TrustRoots | undefined = trust
  ) =>
    CapsuleVerification.evaluate({
      manifest,
      expected,
      entries,
      documents: { check: DocumentChecks.check, trust: given, fileOf }
    })
  const fileOf = (sha256: string) => contents.get(`${Capsule.FILES}${sha256}`)
  return { evaluate, fileOf, trust }
}

const isOf = (type: string) => (claim: { readonly type: string }) => claim.type === type

onEveryStore("signed evidence in audit capsules", (deployment) => {
  const cwd = folder()
  const machine = machineOf({ cwd, deployment, env: JOB_OF_TRAIL, role: "admin" })
  let file = new Uint8Array()

  const done = async (...argv: ReadonlyArray<string>) => {
    const ran = await run(argv, machine())
    assert.strictEqual(ran.code, 0, `${argv.join(" ")}: ${ran.stderr}${ran.stdout}`)
    return ran.stdout
  }
  const offline = (name: string, ...flags: ReadonlyArray<string>) =>
    run(["capsule", "verify", name, ...flags], { cwd, env: {} })

  beforeAll(async () => {
    const files = { "app.html": APP, "trust.yaml": TRUST, "rules.yaml": RULES, "sbom.json": SIGNED }
    for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text)
    await done("put", "flow", "shop", "--description", "x")
    await done("put", "environment", "prod", "--kind", "server")
    await done("put", "policy", "signed", "rules.yaml")
    await done("attach", "signed", "prod")
    await done("trust", "put", "trust.yaml")
    await done("begin")
    await done("attest", "artifact", "app.html", "--slot", "app")
    await done("attest", "sbom", "sbom.json", "--require", "verified")
    await done("report", "paths", "prod", "--path", "app=app.html")
    await done("capsule", "create", "prod", "--evidence", "files", "--save", "signed.zip")
    file = Uint8Array.from(readFileSync(join(cwd, "signed.zip")))
  }, 60_000)

  it("LOG-23: is verified again offline, and the verdict is proved", async () => {
    const { code, stdout } = await offline("signed.zip", "--proved")
    assert.strictEqual(code, 0, stdout)
    assert.include(stdout, `document 1 of ${DIGEST} verified`)
    assert.include(stdout, "prod#1 Compliant, 1 running")
    const json = JSON.parse((await offline("signed.zip", "-o", "json")).stdout)
    assert.deepInclude(json.withheld, { documents: 0 })
  })

  it("is counted where documents are not inside", async () => {
    await done("capsule", "create", "prod", "--save", "bodies.zip")
    const { code, stdout } = await offline("bodies.zip")
    assert.strictEqual(code, 0, stdout)
    assert.include(stdout, "1 documents of evidence are not inside")
  })

  it("LOG-23: is refused with any byte of a document or of the roots changed", async () => {
    const bytes = Buffer.from(file)
    const { contents, manifest } = Either.getOrThrow(await CapsuleMembers.open(file, { inflate }))
    const names = [`${Capsule.FILES}${DIGEST}`, Capsule.MEMBERS.roots]
    for (const name of names) {
      assert.isTrue(contents.has(name), name)
      const { size } = manifest.members.find((member) => member.name === name) ?? { size: 0 }
      assert.isAbove(size, 0)
      // After its name in the manifest comes the one in its header, and then come its bytes.
      const start = bytes.indexOf(name, bytes.indexOf(name) + 1) + name.length
      for (let at = start; at < start + 200; at += 7) {
        const changed = Buffer.from(bytes)
        changed[at] = (changed[at] ?? 0) ^ 1
        writeFileSync(join(cwd, "changed.zip"), changed)
        const { code, stdout } = await offline("changed.zip", "-o", "json")
        assert.strictEqual(code, 1)
        assert.strictEqual(JSON.parse(stdout).outcome, "refused", `${name} ${at - start}`)
      }
    }
  })

  it("LOG-23: accuses a maker who signs another document, and proves no verdict by it", async () => {
    const { evaluate, fileOf } = await heldBy(file)
    assert.deepStrictEqual(evaluate(fileOf).notProved, [])
    const forged = Buffer.from(envelope(statement("e".repeat(64)), statement("f".repeat(64))))
    const { proved, wrong, notProved } = evaluate(() => forged)
    assert.isTrue(wrong.some(({ claim }) => claim.type === "document"))
    assert.isFalse(proved.some(isOf("snapshot")))
    assert.match(JSON.stringify(notProved), /comes out failed/)
  })

  it("LOG-23: proves no verdict without the document, or by another document of the same key", async () => {
    const { evaluate } = await heldBy(file)
    const other = Buffer.from(envelope(statement("e".repeat(64))))
    for (const [changed, reason] of [
      [undefined, /the file is not inside/],
      [other, /its facts come out otherwise/],
      [Buffer.from("{}"), /the file cannot be read/]
    ] as const) {
      const { notProved, proved, wrong } = evaluate(() => changed)
      assert.deepStrictEqual(wrong, [])
      assert.isFalse(proved.some(isOf("snapshot")))
      assert.isFalse(proved.some(isOf("document")))
      assert.match(JSON.stringify(notProved), reason)
    }
  })

  it("LOG-23: proves no verdict by other policies or keys", async () => {
    const { evaluate, fileOf, trust } = await heldBy(file)
    const other = SignedBom.make("app.html").trust
    const given = (text: string) => ({
      ...trust,
      policies: trust.policies.map((policy) => ({ ...policy, text }))
    })
    for (const each of [
      { policies: [], roots: [] },
      given(other.replace("id: release", "id: other").replace("[release]", "[other]")),
      given(TRUST.replace("releases are signed", "another rule")),
      given("no policy")
    ]) {
      const { notProved, proved, wrong } = evaluate(fileOf, each)
      assert.deepStrictEqual(wrong, [], JSON.stringify(each))
      assert.isNotEmpty(notProved)
      assert.isFalse(proved.some(isOf("snapshot")), JSON.stringify(each))
    }
    // The signature is wrong by another key of the same name.
    assert.isTrue(evaluate(fileOf, given(other)).wrong.some(({ claim }) => isOf("document")(claim)))
  })
})

describe("documents with a certificate", () => {
  // WHY ahead: certificates begin at whole seconds, and keys are made now.
  const CLOCK = new Date(Math.floor(Date.now() / 1_000) * 1_000 + 60_000)
  const POLICY = `_schema: https://example.com/schemas/trust-policy/v1
rules:
  - name: built by the workflow
    kinds: [provenance, statement]
    signer:
      sigstore:
        roots: [minted]
        issuer: ${SigstoreMint.ISSUER}
        san: ${SigstoreMint.SAN}
`

  it("LOG-23: are verified again by the root that is inside, and by no other", async () => {
    const [own, other] = [await SigstoreMint.instance(CLOCK), await SigstoreMint.instance(CLOCK)]
    const payload = Buffer.from(
      JSON.stringify({
        _type: "https://in-toto.io/Statement/v1",
        subject: [{ name: "shop", digest: { sha256: SigstoreMint.SUBJECT } }],
        predicateType: "https://example.com/p",
        predicate: {}
      })
    )
    const bytes = Buffer.from(JSON.stringify(await own.bundle({ payload })))
    const ask = (roots: ReadonlyMap<string, string>, at = bytes) =>
      DocumentChecks.check({
        bytes: at,
        position: 1,
        policy: POLICY,
        rule: "built by the workflow",
        roots,
        at: Timestamp.fromMillis(CLOCK.getTime())
      })
    const stateOf = (found: ReturnType<typeof ask>) =>
      typeof found === "string" ? found : found.verification.state
    assert.strictEqual(stateOf(ask(new Map([["minted", own.root]]))), "verified")
    assert.strictEqual(stateOf(ask(new Map([["minted", other.root]]))), "unverifiable")
    assert.strictEqual(stateOf(ask(new Map())), "unverifiable")
    assert.strictEqual(
      stateOf(ask(new Map([["minted", "{}"]]))),
      "the trust root minted cannot be read"
    )
    const bundle = await own.bundle({ payload })
    const changed = structuredClone(bundle)
    const [signature] = changed.dsseEnvelope?.signatures ?? []
    if (signature !== undefined) signature.sig = `AAAA${signature.sig.slice(4)}`
    const roots = new Map([["minted", own.root]])
    assert.strictEqual(stateOf(ask(roots, Buffer.from(JSON.stringify(changed)))), "failed")
  })
})
