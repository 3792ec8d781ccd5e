/** The example on its own database: one of two servers is killed, and no write is lost. */
import { execFile } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import * as EmbeddedPostgres from "@attestry/embedded-postgres/EmbeddedPostgres"
import { ManagedRuntime, Redacted } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"

let folder = ""
let url = ""
let close = async () => {}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "attestry-two-"))
  const runtime = ManagedRuntime.make(EmbeddedPostgres.layer({ dataDir: join(folder, "data") }))
  const database = await runtime.runPromise(EmbeddedPostgres.EmbeddedPostgres)
  url = Redacted.value(database.url)
  close = () => runtime.dispose()
})

afterAll(async () => {
  await close()
  await rm(folder, { recursive: true, force: true })
})

describe("server-postgres", () => {
  it("loses no write when one of two servers is killed", async () => {
    const main = join(import.meta.dirname, "../dist/main.js")
    const { stdout } = await promisify(execFile)(process.execPath, [main], {
      env: { ...process.env, ATTESTRY_DATABASE_URL: url }
    })
    assert.strictEqual(stdout.trim(), "40 trails begun, 40 recorded, one server killed on the way")
  })
})
