/**
 * The policy of a release in docs/WRITING-POLICIES.md from files to gates: provenance of a workflow, scans, VEX of the
 * security team and a waiver, with the policy and the trust policy as the document has them.
 */
import { createHash } from "node:crypto"
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, it } from "vitest"
import * as SigstoreMint from "../../../evidence-intake/test/verification/SigstoreMint.js"
import { type Answer, type EvidenceHost, PEM, signed, withHost } from "./EvidenceHost.js"

const PAGE = readFileSync(join(import.meta.dirname, "../../../../docs/WRITING-POLICIES.md"), "utf8")

const snippet = (label: string): string => {
  const [, text] =
    new RegExp(`<!-- ${label} -->\\n\`\`\`yaml\\n([\\s\\S]*?)\`\`\``).exec(PAGE) ?? []
  return text ?? assert.fail(`the document has no ${label}`)
}

/** The trust policy of the document, with the key of this test in place of the shown one. */
const trust = (): string => {
  const lines = PEM.trim().split("\n")
  const shown = / {6}-----BEGIN PUBLIC KEY-----[\s\S]*-----END PUBLIC KEY-----/
  return snippet("releasetrust").replace(shown, lines.map((line) => `      ${line}`).join("\n"))
}

const CLOCK = new Date(Math.floor(Date.now() / 1_000) * 1_000 + 60_000)
const WORKFLOW = "https://github.com/acme/shop/.github/workflows/release.yml"
const MAIN = "refs/heads/main"
const VULNERABILITY = "CVE-2026-0001"
const PURL = "pkg:npm/lodash@4.17.20"

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")

const subjectOf = (fingerprint: string) => [{ name: "shop.tar", digest: { sha256: fingerprint } }]

/** Provenance as `actions/attest-build-provenance` writes it. */
const provenance = (fingerprint: string, ref: string) =>
  Buffer.from(
    JSON.stringify({
      _type: "https://in-toto.io/Statement/v1",
      subject: subjectOf(fingerprint),
      predicateType: "https://slsa.dev/provenance/v1",
      predicate: {
        buildDefinition: {
          buildType: "https://actions.github.io/buildtypes/workflow/v1",
          externalParameters: {
            workflow: {
              ref,
              repository: "https://github.com/acme/shop",
              path: ".github/workflows/release.yml"
            }
          },
          resolvedDependencies: [
            {
              uri: `git+https://github.com/acme/shop@${ref}`,
              digest: { gitCommit: "1".repeat(40) }
            }
          ]
        },
        runDetails: {
          builder: { id: `${WORKFLOW}@${ref}` },
          metadata: { invocationId: "https://github.com/acme/shop/actions/runs/1/attempts/1" }
        }
      }
    })
  )

/** A scan of Grype with a finding of each severity. */
const scan = (fingerprint: string, ...severities: ReadonlyArray<string>): string =>
  JSON.stringify({
    matches: severities.map((severity) => ({
      vulnerability: { id: VULNERABILITY, severity, fix: { versions: [] } },
      artifact: { purl: PURL }
    })),
    source: { type: "file", target: fingerprint },
    descriptor: { name: "grype", version: "0.90.0", timestamp: new Date().toISOString() }
  })

/** VEX that takes the finding away from one artifact. */
const vex = (fingerprint: string) => ({
  _type: "https://in-toto.io/Statement/v1",
  subject: subjectOf(fingerprint),
  predicateType: "https://openvex.dev/ns/v0.2.0",
  predicate: {
    "@context": "https://openvex.dev/ns/v0.2.0",
    timestamp: new Date().toISOString(),
    statements: [
      {
        vulnerability: { name: VULNERABILITY },
        products: [{ hashes: { "sha-256": fingerprint }, subcomponents: [{ "@id": PURL }] }],
        status: "not_affected",
        justification: "vulnerable_code_not_in_execute_path"
      }
    ]
  }
})

interface Accepted {
  readonly documents: ReadonlyArray<{
    readonly digest: string
    readonly verification: { readonly state: string }
    readonly links: ReadonlyArray<{ readonly is_compliant: boolean }>
  }>
}

interface Gate {
  readonly compliant: boolean
  readonly reasons_for_incompliance: ReadonlyArray<{
    readonly type: string
    readonly attestation_type: string
  }>
}

const bodyOf = <Body>({ body, status }: Answer, expected: number): Body => {
  assert.strictEqual(status, expected, JSON.stringify(body))
  return body as Body
}

const stepsOf = async (
  host: EvidenceHost,
  instance: Awaited<ReturnType<typeof SigstoreMint.instance>>
) => {
  const { report, send, submit } = host
  const told = async (file: string, query = "") => {
    const [document] = bodyOf<Accepted>(await submit(file, query), 201).documents
    return document ?? assert.fail("the file has no document")
  }
  return {
    report,
    /** Sends provenance of a build on a ref, which a workflow of the repository has signed. */
    build: async (fingerprint: string, { ref = MAIN, signer = WORKFLOW } = {}) => {
      const payload = provenance(fingerprint, ref)
      const bundle = await instance.bundle({ payload, san: `${signer}@${ref}` })
      return (await told(JSON.stringify(bundle))).verification.state
    },
    scan: (fingerprint: string, ...severities: ReadonlyArray<string>) =>
      told(
        scan(fingerprint, ...severities),
        `?flow_name=shop&trail_name=run&fingerprint=${fingerprint}`
      ),
    say: async (file: object) => (await told(JSON.stringify(file))).verification.state,
    judge: async (digest: string) =>
      bodyOf<{ readonly changed: number }>(
        await send("POST", `/evidence/{org}/${digest}/judge`),
        200
      ).changed,
    gate: async (fingerprint: string) => {
      const path = `/asserts/{org}/fingerprint/${fingerprint}?environment_name=production`
      const { compliant, reasons_for_incompliance } = bodyOf<Gate>(await send("GET", path), 200)
      const reasons = reasons_for_incompliance.map(
        ({ attestation_type, type }) =>
          `${attestation_type.replace("custom:attestry-", "")} ${type}`
      )
      assert.strictEqual(compliant, reasons.length === 0)
      return reasons
    },
    waive: async () => {
      const settings = {
        max_days: 7,
        approvals_required: 0,
        approver_role: "admin",
        self_approval: false
      }
      bodyOf(await send("PUT", "/waiver-settings/{org}", settings), 200)
      const waiver = {
        policy_name: "release",
        rule: { type: "attestation", attestation_type: "custom:attestry-scan" },
        environment: "production",
        reason: "the fix is tested until Friday",
        expires_at: Math.floor(Date.now() / 1_000) + 86_400
      }
      bodyOf(await send("POST", "/waivers/{org}", waiver), 201)
    }
  }
}

it("the policy of a release decides by signed provenance, scans, verified VEX and waivers", async () => {
  const instance = await SigstoreMint.instance(CLOCK)
  const ATTESTRY_TRUST_ROOTS_DIR = mkdtempSync(join(tmpdir(), "attestry-roots-"))
  writeFileSync(join(ATTESTRY_TRUST_ROOTS_DIR, "public-good.json"), instance.root)
  await withHost(
    async (host) => {
      const { send } = host
      const trust_yaml = trust()
      bodyOf(await send("PUT", "/trust-policy/{org}", { trust_yaml }), 201)
      const policy_yaml = snippet("release")
      bodyOf(await send("PUT", "/policies/{org}/release", { policy_yaml }), 201)
      const environment = { name: "production", type: "server", policies: ["release"] }
      bodyOf(await send("PUT", "/environments/{org}", environment), 201)
      const steps = await stepsOf(host, instance)
      const { build, gate, judge, report, say, scan: scanned, waive } = steps

      const good = sha256("good")
      await report(good)
      assert.deepStrictEqual(await gate(good), [
        "provenance missing_attestation",
        "scan missing_attestation"
      ])
      assert.strictEqual(await build(good), "verified")
      await scanned(good, "Low", "High")
      assert.deepStrictEqual(await gate(good), [])

      const branch = sha256("another branch")
      await report(branch)
      assert.strictEqual(await build(branch, { ref: "refs/heads/try" }), "verified")
      await scanned(branch)
      assert.deepStrictEqual(await gate(branch), ["provenance unmet_facts"])

      const forged = sha256("another signer")
      await report(forged)
      assert.strictEqual(
        await build(forged, { signer: WORKFLOW.replace("release", "test") }),
        "untrusted"
      )
      await scanned(forged)
      assert.deepStrictEqual(await gate(forged), ["provenance non_compliant_attestation"])

      const denied = sha256("denied")
      await report(denied)
      await build(denied)
      const { digest } = await scanned(denied, "Critical")
      assert.deepStrictEqual(await gate(denied), ["scan non_compliant_attestation"])
      const statement = vex(denied)
      assert.strictEqual(await say(statement), "unsigned")
      // WHY nothing: VEX that nobody signed takes no finding away.
      assert.strictEqual(await judge(digest), 0)
      assert.strictEqual(await say(signed(JSON.stringify(statement))), "verified")
      assert.strictEqual(await judge(digest), 1)
      assert.deepStrictEqual(await gate(denied), [])

      const waived = sha256("waived")
      await report(waived)
      await build(waived)
      await scanned(waived, "Critical", "Unknown")
      assert.deepStrictEqual(await gate(waived), ["scan non_compliant_attestation"])
      await waive()
      assert.deepStrictEqual(await gate(waived), [])
      assert.deepStrictEqual(await gate(forged), ["provenance non_compliant_attestation"])
    },
    { ATTESTRY_TRUST_ROOTS_DIR }
  )
}, 120_000)
