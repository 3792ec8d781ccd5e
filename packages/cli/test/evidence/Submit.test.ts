/** Evidence files that are sent: what is printed, what is refused before, and what closes the gate. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { EvidenceKind } from "@attestry/core/EvidenceKind"
import { VerificationState } from "@attestry/core/EvidenceVerification"
import { assert, beforeAll, describe, it } from "vitest"
import * as AttachedFile from "../../src/attestation/AttachedFile.js"
import * as EvidenceFiles from "../../src/evidence/EvidenceFiles.js"
import { EVIDENCE_FILTERS } from "../../src/tree/ReadingCommands.js"
import { machineOf, player } from "../shared/Play.js"
import { folder, type Machine, run } from "../shared/Run.js"
import * as SignedBom from "../shared/SignedBom.js"
import { onEveryStore } from "../shared/TestDeployment.js"
import { JOB_OF_TRAIL } from "../shared/TestJob.js"

const APP = "<h1>shop</h1>\n"
const APP_SHA256 = SignedBom.sha256(APP)
const OTHER_SHA256 = "a".repeat(64)
const { envelope, statement, trust: TRUST } = SignedBom.make("app.html")

/** A bill of materials without a signature, whose digest is the same in every run. */
const BOM = JSON.stringify({
  bomFormat: "CycloneDX",
  specVersion: "1.6",
  components: [{ type: "library", name: "a", version: "1", purl: "pkg:npm/a@1" }]
})
const BOM_SHA256 = SignedBom.sha256(BOM)

/** A policy that asks for a verified bill of materials. */
const RULES = `_schema: https://example.org/schemas/environment-policy/v2
artifacts:
  attestations:
    - { type: custom:attestry-sbom, must_be_verified: true }
`

const PROVENANCE = JSON.stringify({
  _type: "https://in-toto.io/Statement/v1",
  subject: [{ name: "app.html", digest: { sha256: APP_SHA256 } }],
  predicateType: "https://slsa.dev/provenance/v1",
  predicate: {
    buildDefinition: { buildType: "https://example.com/build/v1", externalParameters: {} },
    runDetails: { builder: { id: "https://example.com/builder" } }
  }
})

const SARIF = JSON.stringify({
  version: "2.1.0",
  runs: [{ tool: { driver: { name: "linter", version: "1.0.0" } }, results: [] }]
})

const JUNIT =
  '<testsuite name="web" tests="1" failures="0" errors="0" skipped="0" time="1">' +
  '<testcase name="adds" classname="cart" time="1"/></testsuite>'

const filesIn = (cwd: string): void => {
  const files = {
    "app.html": APP,
    "trust.yaml": TRUST,
    "sbom.dsse.json": envelope(statement(APP_SHA256)),
    "waiting.dsse.json": envelope(statement(OTHER_SHA256)),
    "sbom.cdx.json": BOM,
    "provenance.json": PROVENANCE,
    "scan.sarif": SARIF,
    "unit.xml": JUNIT,
    "rules.yaml": RULES,
    "notes.txt": "two reviewers\n"
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text)
}

const TRAIL = ["-f", "shop", "-T", "t1"]

onEveryStore("evidence files that are sent", (deployment) => {
  const cwd = folder()
  filesIn(cwd)
  const stage = { cwd, deployment }
  const play = player(stage)
  const machine = machineOf(stage)
  const attest = (argv: ReadonlyArray<string>, more: Machine = {}) =>
    run(["attest", ...argv], machine(more))

  beforeAll(async () => {
    for (const argv of [
      ["put", "flow", "shop", "--description", "x"],
      ["begin", ...TRAIL],
      ["attest", "artifact", "app.html", "--slot", "app", ...TRAIL]
    ]) {
      const { code, stderr } = await run(argv, machine({ env: JOB_OF_TRAIL }))
      assert.strictEqual(code, 0, stderr)
    }
  })

  it("print kind, verification, attestations and what waits", async () => {
    await play("attest-sbom", ["attest", "sbom", "sbom.cdx.json", ...TRAIL])
    await play("attest-sbom-dry-run", [
      "attest",
      "sbom",
      "sbom.cdx.json",
      "--dry-run",
      "-n",
      "b",
      ...TRAIL
    ])
    await play("attest-provenance", ["attest", "provenance", "provenance.json"])
    await play("attest-scan", ["attest", "scan", "scan.sarif", ...TRAIL])
    await play("attest-file", [
      "attest",
      "file",
      "unit.xml",
      "sbom.cdx.json",
      "-a",
      "app.html",
      ...TRAIL
    ])
    await play("list-evidence", ["list", "evidence"])
    await play("get-evidence", ["get", "evidence", BOM_SHA256])
  })

  it("are trusted by the trust policy, and close the gate without it", async () => {
    const policy = await run(["put", "policy", "signed-boms", "rules.yaml"], machine())
    assert.strictEqual(policy.code, 0, policy.stderr)
    const gate = ["assert", "artifact", "app.html", "--policy", "signed-boms", "--no-ci"]
    assert.strictEqual((await run(gate, machine())).code, 1)
    const closed = await attest(["sbom", "sbom.dsse.json", "--require", "verified", "--no-ci"])
    assert.strictEqual(closed.code, 6, closed.stderr)
    assert.match(closed.stderr, /not verified/)
    const provenance = await attest(["provenance", "provenance.json", "--assert", "--no-ci"])
    assert.strictEqual(provenance.code, 1, provenance.stderr)
    assert.match(provenance.stdout, /unsigned: it has no signature/)
    const saved = await run(["trust", "put", "trust.yaml"], machine())
    assert.strictEqual(saved.code, 0, saved.stderr)
    const open = await attest(["sbom", "sbom.dsse.json", "--require", "verified", "--assert"])
    assert.strictEqual(open.code, 0, open.stderr)
    assert.match(open.stdout, /verified by key release, rule releases are signed/)
    assert.include(open.stdout, `compliant, recorded on artifact ${APP_SHA256} of trail t1`)
    assert.strictEqual((await run(gate, machine())).code, 0)
    const again = await attest(["sbom", "sbom.dsse.json", "-q"])
    assert.strictEqual(again.stdout, "COMPLIANT\n")
  })

  it("wait for artifacts, which close the gate of --assert until they are reported", async () => {
    const waits = await attest(["sbom", "waiting.dsse.json", "--assert", "--no-ci"])
    assert.strictEqual(waits.code, 1, waits.stderr)
    assert.include(waits.stdout, `waits for sha256:${OTHER_SHA256}: not reported`)
    const listed = await run(["list", "evidence", "--waiting", "-q"], machine())
    assert.strictEqual(
      listed.stdout.trim(),
      SignedBom.sha256(readFileSync(join(cwd, "waiting.dsse.json"), "utf8"))
    )
  })

  it("are saved with the bytes that were sent, once", async () => {
    const argv = ["get", "evidence", BOM_SHA256, "--raw"]
    assert.strictEqual((await run(argv, machine())).code, 2)
    const saved = await run([...argv, "--to-file", "copy.json", "-o", "json"], machine())
    assert.strictEqual(saved.code, 0, saved.stderr)
    assert.strictEqual(readFileSync(join(cwd, "copy.json"), "utf8"), BOM)
    assert.strictEqual((await run([...argv, "--to-file", "copy.json"], machine())).code, 7)
  })

  it("come from stdin too, byte for byte", async () => {
    const stdin = `${BOM} `
    const { code, stderr } = await attest(["sbom", "-", "-n", "piped", ...TRAIL], { stdin })
    assert.strictEqual(code, 0, stderr)
    const argv = ["get", "evidence", SignedBom.sha256(stdin), "-o", "json"]
    assert.strictEqual(JSON.parse((await run(argv, machine())).stdout).filename, "stdin")
  })

  it("record nothing as a dry run", async () => {
    const dry = await attest(["sbom", "sbom.cdx.json", "-n", "dry", ...TRAIL, "--dry-run"])
    assert.match(dry.stdout, /would be recorded on trail t1[\s\S]*nothing was recorded/)
    const found = await run(["list", "attestations", "--name", "dry"], machine())
    assert.strictEqual(found.stdout, "no attestations\n")
  })

  it("are judged again by the trust policy of today, which changes nothing that was recorded", async () => {
    const file = join(cwd, "judged.dsse.json")
    // WHY other bytes: a file that the org has is not read again.
    writeFileSync(file, `${envelope(statement(APP_SHA256))}\n`)
    const digest = SignedBom.sha256(readFileSync(file, "utf8"))
    const judge = ["evidence", "judge", digest]
    const none = TRUST.replace("[sbom]", "[vex]")
    writeFileSync(join(cwd, "none.yaml"), none)
    assert.strictEqual((await run(["trust", "put", "none.yaml"], machine())).code, 0)
    const untrusted = await attest(["sbom", "judged.dsse.json", "-n", "judged"])
    assert.match(untrusted.stdout, /untrusted by key release/)
    assert.strictEqual((await run([...judge, "-q"], machine())).stdout, "0\n")
    assert.strictEqual((await run(["trust", "put", "trust.yaml"], machine())).code, 0)
    const dry = await run([...judge, "--dry-run"], machine())
    assert.include(dry.stdout, "would send evidence.judge")
    const again = await run(judge, machine())
    assert.strictEqual(again.code, 0, again.stderr)
    assert.match(again.stdout, /judged \(custom:attestry-sbom\): compliant, recorded again on/)
    assert.include(again.stdout, "1 of 1 attestations came out otherwise")
    const same = await run(judge, machine())
    assert.match(same.stdout, /compliant, unchanged on[\s\S]*nothing changed/)
    const unknown = await run(["evidence", "judge", OTHER_SHA256], machine())
    assert.strictEqual(unknown.code, 3, unknown.stderr)
    await play("evidence-judge", ["evidence", "judge", BOM_SHA256])
  })

  it("are spooled if no server answers, and sent later", async () => {
    const spool = join(folder(), "spool")
    const down = { ATTESTRY_URL: "http://127.0.0.1:1", ATTESTRY_RETRIES: "0" }
    const env = { ATTESTRY_SPOOL_DIR: spool }
    const argv = ["sbom", "sbom.cdx.json", "-n", "later", ...TRAIL, "--if-unreachable", "spool"]
    const kept = await attest([...argv, "-q"], { env: { ...env, ...down } })
    assert.strictEqual(kept.code, 0, kept.stderr)
    const entry = join(spool, kept.stdout.trim(), "entry.json")
    const text = readFileSync(entry, "utf8")
    writeFileSync(entry, text.replace(down.ATTESTRY_URL, deployment().url))
    const sent = await run(["spool", "send"], machine({ env }))
    assert.strictEqual(sent.code, 0, sent.stderr)
    const found = await run(["list", "attestations", "--name", "later", "-o", "json"], machine())
    assert.strictEqual(JSON.parse(found.stdout)[0]?.attestation_type, "custom:attestry-sbom")
  })
})

describe("attestry attest file, before anything is sent", () => {
  const cwd = folder()
  filesIn(cwd)
  const attest = (...argv: ReadonlyArray<string>) => run(["attest", ...argv], { cwd, env: {} })

  it("refuses a file of another kind than that of the command", async () => {
    const { code, stderr } = await attest("sbom", "sbom.cdx.json", "scan.sarif")
    assert.strictEqual(code, 7)
    assert.include(stderr, "scan.sarif is of kind analysis, and attest sbom takes sbom")
    assert.include(stderr, "attestry attest file scan.sarif")
  })

  it("refuses stdin if it is larger than the limit, is named twice, or is nothing that is read", async () => {
    const asked: Array<number | undefined> = []
    const read = (size: number) => {
      const readStdin = async (bytesMax?: number) => {
        asked.push(bytesMax)
        return Buffer.from(BOM.padEnd(size))
      }
      return EvidenceFiles.read({ host: { cwd, readStdin }, path: "-", bytesMax: 1_024 })
    }
    assert.strictEqual((await read(1_024)).bytes.byteLength, 1_024)
    const refused: unknown = await read(1_025).catch((error: unknown) => error)
    assert.include(String(refused), "stdin is too large to read")
    assert.deepStrictEqual(asked, [1_024, 1_024])
    const twice = await attest("file", "-", "-")
    assert.strictEqual(twice.code, 2)
    assert.include(twice.stderr, "can be named once")
    const unknown = await run(["attest", "scan", "-"], { cwd, env: {}, stdin: "x" })
    assert.match(unknown.stderr, /stdin: .*none of the evidence formats/)
    const other = await run(["attest", "scan", "-"], { cwd, env: {}, stdin: BOM })
    assert.include(other.stderr, "stdin is of kind sbom")
    const as = await attest("file", "-", "-n", "x", ...TRAIL, "--as", "generic", "--compliant")
    assert.include(as.stderr, "--as reads a file, not stdin")
  })

  it("refuses a file that no reader knows, with the list of what is read", async () => {
    const { code, stderr } = await attest("file", "notes.txt", "-n", "review")
    assert.strictEqual(code, 7)
    assert.match(stderr, /none of the evidence formats that are read: .*cyclonedx/i)
    assert.include(stderr, "--as generic --compliant")
  })

  it("records such a file as generic only with an outcome that is given", async () => {
    const argv = ["file", "notes.txt", "-n", "review", ...TRAIL, "--as", "generic", "--dry-run"]
    const unsaid = await attest(...argv)
    assert.strictEqual(unsaid.code, 2)
    assert.include(unsaid.stderr, "--compliant is missing")
    for (const outcome of [true, false]) {
      const { stdout } = await attest(...argv, `--compliant=${outcome}`, "-o", "json")
      const { operation, payload } = JSON.parse(stdout)
      assert.strictEqual(operation, "attestation.generic")
      assert.strictEqual(payload.is_compliant, outcome)
    }
  })

  it("never records evidence as generic", async () => {
    for (const file of ["sbom.cdx.json", "sbom.dsse.json", "provenance.json"]) {
      const argv = ["file", file, "-n", "x", ...TRAIL, "--as", "generic", "--compliant"]
      const { code, stderr } = await attest(...argv, "--dry-run")
      assert.strictEqual(code, 2, file)
      assert.include(stderr, "which the server reads")
    }
  })

  it("records a bill of materials as the type `sbom` only if that is asked for", async () => {
    const argv = ["file", "sbom.cdx.json", "-n", "sbom", ...TRAIL, "--as", "sbom", "--dry-run"]
    const { operation, payload } = JSON.parse((await attest(...argv, "-o", "json")).stdout)
    assert.strictEqual(operation, "attestation.system")
    assert.strictEqual(payload.type_name, "sbom")
    assert.deepInclude(payload.attestation_data, {
      format: "cyclonedx-json",
      original_fingerprint: BOM_SHA256,
      document: { package_count: 1 }
    })
    const said = await attest(...argv, "--compliant")
    assert.strictEqual(said.code, 2)
    assert.include(said.stderr, "the server evaluates a bill of materials")
  })

  it("refuses flags of the other way, and a name with a slot", async () => {
    assert.match((await attest("file", "sbom.cdx.json", "--compliant")).stderr, /needs --as/)
    const both = ["file", "notes.txt", "--as", "generic", "--require", "verified"]
    assert.match((await attest(...both)).stderr, /leave out --as/)
    const slot = await attest("sbom", "sbom.cdx.json", "-n", "app.sbom", ...TRAIL)
    assert.strictEqual(slot.code, 2)
    assert.include(slot.stderr, "names a slot")
  })
})

describe("the filters of evidence", () => {
  it("have the kinds and the states of the contract", () => {
    const choices = (flag: string) =>
      EVIDENCE_FILTERS.find(({ name }) => name === flag)?.choices ?? []
    assert.sameMembers([...choices("kind")], [...EvidenceKind.literals])
    assert.sameMembers([...choices("state")], [...VerificationState.literals])
  })
})

describe("an attached folder", () => {
  it("is the same archive each time", () => {
    const root = folder()
    writeFileSync(join(root, "b"), "2")
    writeFileSync(join(root, "a".repeat(150)), "1")
    assert.deepStrictEqual(AttachedFile.archiveOf(root), AttachedFile.archiveOf(root))
  })
})
