/** Evidence files verified on this machine: what is printed, and what closes the gate. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { machineOf, player } from "../shared/Play.js"
import { folder, run } from "../shared/Run.js"
import * as SignedBom from "../shared/SignedBom.js"
import { onEveryStore } from "../shared/TestDeployment.js"

const APP = "<h1>shop</h1>\n"
const APP_SHA256 = SignedBom.sha256(APP)
const { envelope, statement, trust: TRUST } = SignedBom.make("app.html")
const OTHER = TRUST.replace("[sbom]", "[provenance]")
const POLICY = ["--trust-policy", "trust.yaml"]

const filesIn = (cwd: string): void => {
  const files = {
    "app.html": APP,
    "trust.yaml": TRUST,
    "other.yaml": OTHER,
    "sbom.dsse.json": envelope(statement(APP_SHA256)),
    "other.dsse.json": envelope(statement("a".repeat(64))),
    "forged.dsse.json": envelope(statement(APP_SHA256), statement("a".repeat(64))),
    "sbom.cdx.json": JSON.stringify({ bomFormat: "CycloneDX", specVersion: "1.6", components: [] }),
    "notes.txt": "hello\n"
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text)
}

describe("attestry evidence verify", () => {
  const cwd = folder()
  filesIn(cwd)
  const verify = (...argv: ReadonlyArray<string>) =>
    run(["evidence", "verify", ...argv], { cwd, env: {} })

  it("verifies a file that is signed by a key of the policy and is about the artifact", async () => {
    const { code, stdout, stderr } = await verify("sbom.dsse.json", ...POLICY, "-a", "app.html")
    assert.strictEqual(code, 0, stderr)
    assert.strictEqual(
      stdout,
      [
        "sbom.dsse.json: sbom (dsse)",
        "  verified by key release, rule releases are signed",
        `  about sha256:${APP_SHA256} (app.html)`,
        ""
      ].join("\n")
    )
  })

  it("refuses a file about another artifact, a forged one, and one without a signature", async () => {
    const about = await verify("other.dsse.json", ...POLICY, "-a", "app.html")
    assert.strictEqual(about.code, 1)
    assert.match(about.stdout, /it is about another artifact/)
    const forged = await verify("forged.dsse.json", ...POLICY)
    assert.strictEqual(forged.code, 1)
    assert.match(forged.stdout, /failed: a signature does not hold over this content/)
    const unsigned = await verify("sbom.cdx.json", ...POLICY)
    assert.strictEqual(unsigned.code, 1)
    assert.match(unsigned.stdout, /unsigned: it has no signature/)
  })

  it("ends with 1 if one of several files is not verified", async () => {
    assert.strictEqual((await verify("sbom.dsse.json", "sbom.cdx.json", ...POLICY)).code, 1)
  })

  it("trusts a signer only with what a rule names", async () => {
    const { code, stdout } = await verify("sbom.dsse.json", "--trust-policy", "other.yaml")
    assert.strictEqual(code, 1)
    assert.match(stdout, /untrusted by key release: .*no rule of the trust policy/)
  })

  it("ends with 7 for what cannot be read", async () => {
    const unknown = await verify("notes.txt", ...POLICY)
    assert.strictEqual(unknown.code, 7)
    assert.match(unknown.stderr, /none of the evidence formats that are read/)
    assert.strictEqual((await verify("absent.json", ...POLICY)).code, 7)
    const noPolicy = await verify("sbom.dsse.json", "--trust-policy", "app.html")
    assert.strictEqual(noPolicy.code, 7)
    assert.match(noPolicy.stderr, /app\.html is no trust policy/)
    const noRoot = await verify("sbom.dsse.json", ...POLICY, "--trust-root", "x=app.html")
    assert.strictEqual(noRoot.code, 7)
    assert.match(noRoot.stderr, /app\.html is no trust root/)
  })
})

onEveryStore("attestry evidence verify with the trust policy of the org", (deployment) => {
  const cwd = folder()
  filesIn(cwd)
  const stage = { cwd, deployment }
  const machine = machineOf(stage)
  const play = player(stage)

  it("trusts no signature if the org has none", async () => {
    const { code, stdout } = await run(["evidence", "verify", "sbom.dsse.json"], machine())
    assert.strictEqual(code, 1)
    assert.match(stdout, /no trust policy: the org has none/)
  })

  it("verifies with the newest version", async () => {
    const saved = await run(["trust", "put", "trust.yaml"], machine())
    assert.strictEqual(saved.code, 0, saved.stderr)
    const { code } = await run(["evidence", "verify", "sbom.dsse.json"], machine())
    assert.strictEqual(code, 0)
    await play("evidence-verify", ["evidence", "verify", "sbom.cdx.json"], 1)
  })
})
