/** Where base images and vulnerabilities ran, from files to answers. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, beforeAll, it } from "vitest"
import { machineOf, player } from "../shared/Play.js"
import { folder, run } from "../shared/Run.js"
import * as SignedBom from "../shared/SignedBom.js"
import { onEveryStore } from "../shared/TestDeployment.js"
import { JOB_OF_TRAIL } from "../shared/TestJob.js"

const SIGNED = SignedBom.make("app.txt")
const [APP, OTHER] = ["app\n", "other\n"]
const NODE = "ab".repeat(32)
const LODASH = "pkg:npm/lodash@4.17.20"

const statement = (text: string, predicateType: string, predicate: object): string =>
  JSON.stringify({
    _type: "https://in-toto.io/Statement/v1",
    subject: [{ name: "app", digest: { sha256: SignedBom.sha256(text) } }],
    predicateType,
    predicate
  })

const provenanceOf = (text: string): string =>
  statement(text, "https://slsa.dev/provenance/v1", {
    buildDefinition: {
      buildType: "https://example.org/build",
      externalParameters: {},
      resolvedDependencies: [
        {
          uri: `pkg:docker/node@20-alpine?digest=sha256:${NODE}&platform=linux%2Famd64`,
          digest: { sha256: NODE }
        },
        { uri: "pkg:docker/ghcr.io/acme/base@1" }
      ]
    }
  })

const bomOf = (text: string): string =>
  statement(text, "https://cyclonedx.org/bom", {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    components: [{ type: "library", name: "lodash", version: "4.17.20", purl: LODASH }]
  })

const VEX = statement(APP, "https://openvex.dev/ns/v0.2.0", {
  "@context": "https://openvex.dev/ns/v0.2.0",
  "@id": "https://example.org/vex/1",
  author: "security team",
  timestamp: "2026-01-02T03:04:05Z",
  version: 1,
  statements: [
    {
      vulnerability: { name: "CVE-2026-1" },
      products: [{ "@id": "app", hashes: { "sha-256": SignedBom.sha256(APP) } }],
      status: "not_affected",
      justification: "vulnerable_code_not_in_execute_path"
    }
  ]
})

const SCAN = JSON.stringify({
  SchemaVersion: 2,
  ArtifactName: "app",
  Results: [
    {
      Target: "package-lock.json",
      Type: "npm",
      Vulnerabilities: [
        {
          VulnerabilityID: "CVE-2026-1",
          PkgName: "lodash",
          PkgIdentifier: { PURL: LODASH },
          Severity: "HIGH"
        }
      ]
    }
  ]
})

const FILES = {
  "app.txt": APP,
  "other.txt": OTHER,
  "app.provenance.json": provenanceOf(APP),
  "other.provenance.json": provenanceOf(OTHER),
  "app.bom.json": bomOf(APP),
  "other.bom.json": bomOf(OTHER),
  "vex.dsse.json": SIGNED.envelope(Buffer.from(VEX)),
  "scan.json": SCAN,
  "trust.yaml": SIGNED.trust.replace("[sbom]", "[vex]")
}

const WRITES: ReadonlyArray<ReadonlyArray<string>> = [
  ["trust", "put", "trust.yaml"],
  ["put", "flow", "shop"],
  ["put", "environment", "prod", "--kind", "server"],
  ["begin"],
  ["attest", "artifact", "app.txt", "--slot", "app"],
  ["attest", "artifact", "other.txt", "--slot", "other"],
  ["attest", "file", "app.provenance.json", "other.provenance.json", "app.bom.json"],
  ["attest", "file", "other.bom.json", "vex.dsse.json"],
  ["attest", "scan", "scan.json", "-a", "app.txt"],
  ["report", "paths", "prod", "--path", "app=app.txt"],
  ["report", "paths", "prod", "--path", "app=app.txt", "--path", "other=other.txt"]
]

onEveryStore("where", (deployment) => {
  const cwd = folder()
  const stage = { cwd, deployment, env: JOB_OF_TRAIL, role: "admin" as const }
  const play = player(stage)
  const machine = machineOf(stage)
  const total = async (image: string) => {
    const { stderr, stdout } = await run(["where", "--base-image", image, "-o", "json"], machine())
    assert.notStrictEqual(stdout, "", stderr)
    return JSON.parse(stdout).total
  }

  beforeAll(async () => {
    for (const [name, text] of Object.entries(FILES)) writeFileSync(join(cwd, name), text)
    for (const argv of WRITES) {
      const { code, stderr, stdout } = await run(argv, machine())
      assert.strictEqual(code, 0, `${argv.join(" ")}: ${stderr}${stdout}`)
    }
  })

  it("finds what was built on an image, by tag and by digest", async () => {
    await play("where-base-image", ["where", "--base-image", "node:20-alpine"])
    for (const image of [
      "node",
      "docker.io/library/node:20-alpine",
      `node@sha256:${NODE}`,
      `node:20-alpine@sha256:${NODE}`,
      "ghcr.io/acme/base:1"
    ])
      assert.strictEqual(await total(image), 2, image)
    for (const image of ["node:20", "ghcr.io/acme/base:2", `base@sha256:${NODE}`])
      assert.strictEqual(await total(image), 0, image)
  })

  it("lists the components that bills of materials, provenance and scans name", async () => {
    await play("list-components", ["list", "components"])
  })

  it("tells which exposures of a vulnerability verified VEX mitigates", async () => {
    await play("where-vulnerability", ["where", "--vulnerability", "CVE-2026-1"])
  })
})
