/** Detects the kind of an evidence file by its content. */
import { createHash } from "node:crypto"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import * as AttachedFile from "../../src/attestation/AttachedFile.js"
import * as BillOfMaterials from "../../src/attestation/BillOfMaterials.js"
import * as FileKind from "../../src/attestation/FileKind.js"
import { folder, run } from "../shared/Run.js"

const bytes = (value: unknown): Uint8Array =>
  new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value))

const FINGERPRINT = "c".repeat(64)

const STATEMENT = {
  _type: "https://in-toto.io/Statement/v1",
  predicateType: "https://slsa.dev/provenance/v1",
  subject: [{ name: "web", digest: { sha256: FINGERPRINT } }]
}

const ENVELOPE = {
  payloadType: "application/vnd.in-toto+json",
  payload: Buffer.from(JSON.stringify(STATEMENT)).toString("base64"),
  signatures: []
}

describe("a file", () => {
  it("is known by its content", () => {
    const driver = (name: string) => ({ version: "2.1.0", runs: [{ tool: { driver: { name } } }] })
    assert.strictEqual(FileKind.kindOf(bytes('<?xml version="1.0"?>\n<testsuites/>')), "junit")
    assert.strictEqual(FileKind.kindOf(bytes(driver("linter"))), "sarif")
    assert.strictEqual(FileKind.kindOf(bytes(driver("Snyk Open Source"))), "snyk")
    assert.strictEqual(
      FileKind.kindOf(bytes({ packageManager: "npm", vulnerabilities: [] })),
      "snyk"
    )
    assert.strictEqual(FileKind.kindOf(bytes({ bomFormat: "CycloneDX" })), "sbom")
    assert.strictEqual(FileKind.kindOf(bytes({ spdxVersion: "SPDX-2.3" })), "sbom")
    assert.strictEqual(FileKind.kindOf(bytes(STATEMENT)), "generic")
    assert.strictEqual(FileKind.kindOf(new Uint8Array([0xff, 0xfe])), "generic")
  })

  it("has subjects where it is a statement, in an envelope or a bundle", () => {
    for (const value of [STATEMENT, ENVELOPE, { dsseEnvelope: ENVELOPE }])
      assert.deepStrictEqual(FileKind.describe(bytes(value)).subjects, [FINGERPRINT])
  })

  it("that is about something else is refused with 7", async () => {
    const cwd = folder()
    writeFileSync(join(cwd, "provenance.json"), JSON.stringify(ENVELOPE))
    const argv = ["attest", "file", "provenance.json", "-n", "p", "-f", "s", "-T", "t", "--dry-run"]
    argv.push("--compliant")
    assert.strictEqual((await run([...argv, "-F", FINGERPRINT], { cwd })).code, 0)
    assert.strictEqual((await run([...argv, "-F", "d".repeat(64)], { cwd })).code, 7)
  })

  it("that is a bill of materials is sent as `sbom`, and the server evaluates it", async () => {
    const cwd = folder()
    const bom = {
      bomFormat: "CycloneDX",
      specVersion: "1.6",
      metadata: {
        timestamp: "2026-11-01T00:00:00Z",
        tools: { components: [{ name: "scanner", version: "1.2" }] },
        component: {
          name: "web",
          version: "1.4",
          purl: "pkg:oci/web@1.4",
          hashes: [{ alg: "SHA-256", content: FINGERPRINT }]
        }
      },
      components: [{}, {}]
    }
    writeFileSync(join(cwd, "bom.json"), JSON.stringify(bom))
    const argv = ["attest", "file", "bom.json", "-n", "sbom", "-f", "s", "-T", "t"]
    const sent = await run([...argv, "--dry-run", "-o", "json"], { cwd })
    assert.strictEqual(sent.code, 0, sent.stderr)
    const { operation, payload, files } = JSON.parse(sent.stdout)
    assert.strictEqual(operation, "attestation.system")
    assert.deepStrictEqual(
      { type_name: payload.type_name, attestation_data: payload.attestation_data },
      {
        type_name: "sbom",
        attestation_data: {
          format: "cyclonedx-json",
          original_fingerprint: createHash("sha256").update(JSON.stringify(bom)).digest("hex"),
          document: {
            created_at: "2026-11-01T00:00:00Z",
            tools: ["scanner 1.2"],
            subject: {
              name: "web",
              version: "1.4",
              purl: "pkg:oci/web@1.4",
              sha256: FINGERPRINT
            },
            package_count: 2
          }
        }
      }
    )
    assert.lengthOf(files, 1)
    const said = await run([...argv, "--compliant", "--dry-run"], { cwd })
    assert.strictEqual(said.code, 2)
    assert.include(said.stderr, "the server evaluates a bill of materials")
  })

  it("that is an SPDX document names what it describes", () => {
    const found = BillOfMaterials.read({
      spdxVersion: "SPDX-2.3",
      creationInfo: { created: "2026-11-01T00:00:00Z", creators: ["Tool: scanner-1", "Person: x"] },
      documentDescribes: ["SPDXRef-web"],
      packages: [
        { SPDXID: "SPDXRef-dep", name: "dep" },
        {
          SPDXID: "SPDXRef-web",
          name: "web",
          versionInfo: "1.4",
          checksums: [{ algorithm: "SHA256", checksumValue: FINGERPRINT }],
          externalRefs: [{ referenceType: "purl", referenceLocator: "pkg:oci/web@1.4" }]
        }
      ]
    })
    assert.deepStrictEqual(found, {
      format: "spdx-json",
      document: {
        created_at: "2026-11-01T00:00:00Z",
        tools: ["scanner-1"],
        subject: { name: "web", version: "1.4", purl: "pkg:oci/web@1.4", sha256: FINGERPRINT },
        package_count: 2
      }
    })
  })

  it("that no rule evaluates needs an outcome from the caller", async () => {
    const cwd = folder()
    writeFileSync(join(cwd, "provenance.json"), JSON.stringify(ENVELOPE))
    writeFileSync(join(cwd, "minutes.txt"), "two reviewers")
    for (const file of ["provenance.json", "minutes.txt"]) {
      const argv = ["attest", "file", file, "-n", "p", "-f", "s", "-T", "t", "--dry-run"]
      const unsaid = await run(argv, { cwd })
      assert.strictEqual(unsaid.code, 2, file)
      assert.include(unsaid.stderr, "--compliant is missing")
      for (const outcome of [true, false]) {
        const said = await run([...argv, `--compliant=${outcome}`, "-o", "json"], { cwd })
        assert.strictEqual(JSON.parse(said.stdout).payload.is_compliant, outcome)
      }
    }
  })

  it("of a folder is the same archive each time", () => {
    const root = folder()
    writeFileSync(join(root, "b"), "2")
    writeFileSync(join(root, "a".repeat(150)), "1")
    assert.deepStrictEqual(AttachedFile.archiveOf(root), AttachedFile.archiveOf(root))
  })
})
