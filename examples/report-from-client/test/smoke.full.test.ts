/** The example with `examples/server-memory` as its server. */
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { afterAll, assert, beforeAll, describe, it } from "vitest"

const examples = join(import.meta.dirname, "../..")
const artifact = join(examples, "report-from-client/package.json")
let server: ChildProcess | undefined
const printed = new Map<string, string>()

beforeAll(async () => {
  const child = spawn(process.execPath, [join(examples, "server-memory/dist/main.js")], {
    env: { ...process.env, PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"]
  })
  server = child
  for await (const line of createInterface({ input: child.stdout })) {
    const [name = "", value = ""] = line.split(" ")
    printed.set(name, value)
    if (name === "key") break
  }
})

afterAll(() => void server?.kill("SIGKILL"))

const run = (key: string | undefined, ...args: ReadonlyArray<string>) =>
  new Promise<{ readonly code: number; readonly printed: string }>((resolve) => {
    const env = { ...process.env, ATTESTRY_URL: printed.get("url"), ATTESTRY_API_KEY: key }
    const program = join(examples, "report-from-client/dist/main.js")
    const child = execFile(process.execPath, [program, ...args], { env }, (_, out, err) =>
      resolve({ code: child.exitCode ?? -1, printed: out + err })
    )
  })

describe("report-from-client", () => {
  it("records a release once when it runs twice", async () => {
    const first = await run(printed.get("key"), artifact)
    const second = await run(printed.get("key"), artifact)
    assert.strictEqual(first.code, 0, first.printed)
    assert.match(first.printed, /^reported package\.json with fingerprint [0-9a-f]{64}$/m)
    assert.match(first.printed, /^snapshot 1 of production, .*\/snapshots\/1$/m)
    assert.match(first.printed, /^ {2}package\.json started-/m)
    assert.strictEqual(second.printed, first.printed)
  })

  it("fails with the API's message for an invalid key", async () => {
    const { code, printed: said } = await run("wrong", artifact)
    assert.strictEqual(code, 1)
    assert.include(said, "Unauthorized 401")
  })

  it("prints its usage", async () => {
    const { code, printed: said } = await run(undefined)
    assert.strictEqual(code, 1)
    assert.include(said, "usage:")
  })
})
