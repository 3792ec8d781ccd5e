/**
 * A program in another language, written from the specifications alone, accepts and refuses the receipts that are
 * served. Without Python it is skipped, unless `ATTESTRY_TEST_PYTHON` is `required`.
 */
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, assert, beforeAll, it } from "vitest"
import { onBothStores } from "../shared/TestServer.js"
import { BAD, fill, GOOD, readerOf } from "./ReceiptWorld.js"

const SCRIPT = fileURLToPath(new URL("../log/external/verify_decision.py", import.meta.url))

const hasPython = spawnSync("python3", ["--version"]).status === 0
const isSkipped = !hasPython && process.env.ATTESTRY_TEST_PYTHON !== "required"

const PROD = "http://127.0.0.1:8080/acme/environments/prod"

onBothStores("receipts of decisions, by a program in another language", (server) => {
  const { ofAssertion, ofSnapshot, said, text } = readerOf(server)
  const folder = mkdtempSync(join(tmpdir(), "attestry-receipt-"))
  const keys = join(folder, "keys.json")
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  beforeAll(async () => {
    await fill(server)
    await server.call("GET /log/{org}")
    const { body } = await server.call("GET /keys", { query: "?org=acme" })
    writeFileSync(keys, String(body))
  })

  const verify = (envelope: string, ...expected: ReadonlyArray<string>) => {
    const file = join(folder, "receipt.json")
    writeFileSync(file, envelope)
    // WHY -B: it would leave compiled files beside the sources.
    const argv = ["-B", SCRIPT, keys, file, ...expected]
    const { status, stderr, stdout } = spawnSync("python3", argv, { encoding: "utf8" })
    assert.strictEqual(status === 0, stdout.startsWith("verified"), stderr)
    return `${stdout}${stderr}`.trim()
  }

  it.skipIf(isSkipped)("are accepted in both forms", async () => {
    const proved = `verified ${GOOD} for ${PROD}`
    for (const predicate of ["vsa", "svr"]) {
      const query = `?predicate=${predicate}`
      assert.strictEqual(verify(text(await ofSnapshot("prod#1", query)), GOOD, PROD), proved)
      const row = text(await ofSnapshot("prod#1", `${query}&fingerprint=${GOOD}`))
      assert.strictEqual(verify(row, GOOD, PROD), proved)
      const one = text(await ofAssertion(GOOD, `${query}&environment_name=prod`))
      assert.strictEqual(verify(one, GOOD, PROD), proved)
    }
  })

  it.skipIf(isSkipped)("are refused for anything else, with the reason", async () => {
    const whole = text(await ofSnapshot("prod#1"))
    assert.include(verify(whole, BAD, PROD), "another artifact")
    assert.include(verify(whole, GOOD, `${PROD}2`), "another resource")
    const unknown = text(await ofSnapshot("open#1"))
    assert.include(verify(unknown, GOOD, PROD.replace("prod", "open")), "not compliant")
    const one = text(await ofAssertion(GOOD, "?environment_name=prod"))
    const end = Number(said(one).expiresAt) / 1_000_000
    assert.include(verify(one, GOOD, PROD, String(end)), "ended")
    assert.include(verify(one, GOOD, PROD, String(end - 1)), "verified")
    const { payload, ...envelope } = JSON.parse(whole)
    const bytes = Buffer.from(payload, "base64")
    for (const place of [0, bytes.indexOf("PASSED"), bytes.length - 1]) {
      const changed = Buffer.from(bytes)
      changed[place] = (changed[place] ?? 0) ^ 1
      const forged = JSON.stringify({ ...envelope, payload: changed.toString("base64") })
      assert.include(verify(forged, GOOD, PROD), "the signature is false")
    }
  })
})
