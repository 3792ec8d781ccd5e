/** What a file of evidence is, told by its content. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import * as AttachedFile from "../../src/attestation/AttachedFile.js"
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
    assert.strictEqual(FileKind.kindOf(bytes({ bomFormat: "CycloneDX" })), "generic")
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
    assert.strictEqual((await run([...argv, "-F", FINGERPRINT], { cwd })).code, 0)
    assert.strictEqual((await run([...argv, "-F", "d".repeat(64)], { cwd })).code, 7)
  })

  it("of a folder is the same archive each time", () => {
    const root = folder()
    writeFileSync(join(root, "b"), "2")
    writeFileSync(join(root, "a".repeat(150)), "1")
    assert.deepStrictEqual(AttachedFile.archiveOf(root), AttachedFile.archiveOf(root))
  })
})
