/** The receiver accepts a signed webhook once and refuses everything else. */
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { createHmac } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { build } from "esbuild"
import { afterAll, assert, beforeAll, describe, it } from "vitest"

const key = Buffer.alloc(32, 7)
const secret = `whsec_${key.toString("base64")}`
const lines: Array<string> = []
let folder = ""
let url = ""
let receiver: ChildProcess | undefined

/** Waits for output, which comes through a pipe and so later than responses. */
const until = async (condition: () => boolean) => {
  for (let tries = 0; !condition() && tries < 500; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const program = () => join(folder, "receive.mjs")

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "attestry-receive-"))
  await build({
    entryPoints: { receive: join(import.meta.dirname, "../main.ts") },
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    conditions: ["@attestry/source"]
  })
  const child = spawn(process.execPath, [program()], {
    env: { ...process.env, PORT: "0", ATTESTRY_WEBHOOK_SECRET: secret },
    stdio: ["ignore", "pipe", "pipe"]
  })
  receiver = child
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on("line", (line) => lines.push(line))
  }
  while (url === "") {
    await new Promise((resolve) => setTimeout(resolve, 20))
    url = /^listening (\S+)$/m.exec(lines.join("\n"))?.[1] ?? ""
  }
})

afterAll(async () => {
  receiver?.kill("SIGKILL")
  await rm(folder, { recursive: true })
})

const payload = {
  version: "1.0",
  timestamp: "1767225600",
  org: "acme",
  environment: "production",
  event_type: "ENVIRONMENT_COMPLIANT",
  description: "environment production became compliant",
  snapshot: {
    index: "3",
    status: "compliant",
    html_url: "https://x.example",
    api_url: "https://y.example"
  },
  artifact: null
}

const send = async (id: string, changed: { readonly body?: string } = {}) => {
  const body = JSON.stringify(payload)
  const timestamp = Math.floor(Date.now() / 1000)
  const mac = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")
  const answer = await fetch(url, {
    method: "POST",
    headers: {
      "webhook-id": id,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": `v1,${mac}`
    },
    body: changed.body ?? body
  })
  return answer.status
}

describe("receive-a-webhook", () => {
  it("accepts a signed webhook, and processes it once when it arrives again", async () => {
    assert.strictEqual(await send("msg_1"), 204)
    assert.strictEqual(await send("msg_1"), 204)
    assert.strictEqual(await send("msg_2"), 204)
    await until(() => lines.some((line) => line.endsWith("(msg_2)")))
    assert.deepStrictEqual(
      lines.filter((line) => line.startsWith("ENVIRONMENT")),
      ["msg_1", "msg_2"].map(
        (id) => `ENVIRONMENT_COMPLIANT acme/production: ${payload.description} (${id})`
      )
    )
  })

  it("refuses a changed, an unsigned and a long body", async () => {
    assert.strictEqual(
      await send("msg_3", { body: JSON.stringify({ ...payload, org: "evil" }) }),
      401
    )
    assert.strictEqual((await fetch(url, { method: "POST", body: "{}" })).status, 401)
    assert.strictEqual(await send("msg_4", { body: "x".repeat(1_048_577) }), 413)
    await until(() => lines.filter((line) => line.startsWith("refused")).length >= 2)
    assert.include(lines, "refused: not a valid webhook: signature")
    assert.include(lines, "refused: not a valid webhook: headers")
  })

  it("reports missing settings", async () => {
    const said = await new Promise<string>((resolve) => {
      const env = { ...process.env, ATTESTRY_WEBHOOK_SECRET: "" }
      execFile(process.execPath, [program()], { env }, (_, out, err) => resolve(out + err))
    })
    assert.include(said, "set ATTESTRY_WEBHOOK_SECRET")
  })
})
