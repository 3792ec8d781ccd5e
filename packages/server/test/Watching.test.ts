/** A running server has the metrics that the alerts and the dashboard of `deploy` are about. */
import { randomBytes } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { onDatabase } from "./shared/Database.js"
import { type ServerProcess, start, withFolder } from "./shared/ServerProcess.js"

const read = (path: string) =>
  readFileSync(join(import.meta.dirname, "../../../deploy", path), "utf8")

/** Series of readers, which this server is not. */
const OF_READERS = /^attestry_reader_/

/** The series that expressions of both files name; `scripts/checks/watching.test.ts` holds that they name no other. */
const named = new Set(
  [read("prometheus/rules.yaml"), read("grafana/attestry.json")]
    .flatMap((text) => [...text.matchAll(/^ *"?(?:expr|query)"?: (.*)$/gm)])
    .flatMap(([, expression = ""]) => [
      ...expression.matchAll(/\b(?:attestry|nodejs|process)_[a-z0-9_]+/g)
    ])
    .map(([name]) => name)
    .filter((name) => !OF_READERS.test(name))
)

/** Series that begin with the first event of their kind, or with the first background check after a minute. */
const LATER = new Set([
  "attestry_deliveries_total",
  "attestry_due_lateness_seconds_bucket",
  "attestry_evidence_documents_total",
  "attestry_evidence_reader_seconds_bucket",
  "attestry_log_forks_total",
  "attestry_log_scrub_timestamp_seconds",
  "attestry_log_unverified"
])

const missingOf = async (server: ServerProcess): Promise<ReadonlyArray<string>> => {
  const text = await (await fetch(`${server.url}/metrics`)).text()
  const there = new Set([...text.matchAll(/^([a-z0-9_]+)(?:\{| )/gm)].map(([, name]) => name))
  return [...named].filter((name) => !there.has(name) && !LATER.has(name))
}

describe("the metrics of a running server", () => {
  it("are those that alerts and panels name", () =>
    withFolder((folder) =>
      onDatabase(async (env) => {
        assert.isAtLeast(named.size, 25)
        assert.deepStrictEqual(
          [...LATER].filter((name) => !named.has(name)),
          []
        )
        const key = join(folder, "log-key")
        writeFileSync(key, `1 ${randomBytes(32).toString("base64")}\n`, { mode: 0o600 })
        const server = await start({ ...env, ATTESTRY_LOG_KEY_FILE: key })
        const flow = await fetch(`${server.url}/api/v2/flows/${server.org}`, {
          method: "PUT",
          headers: { authorization: `Bearer ${server.key}`, "content-type": "application/json" },
          body: JSON.stringify({ name: "shop", description: "" })
        })
        assert.strictEqual(flow.status, 201)
        let missing = await missingOf(server)
        for (let tries = 0; tries < 400 && missing.length > 0; tries++) {
          await new Promise((resolve) => setTimeout(resolve, 50))
          missing = await missingOf(server)
        }
        assert.deepStrictEqual(missing, [])
        await server.stop("SIGTERM")
      })
    ))
})
