/** A client that is generated from the OpenAPI document compiles and works with a server. */
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { copyFile, mkdir, mkdtemp, rm } from "node:fs/promises"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, describe, it } from "vitest"

const run = promisify(execFile)
const root = join(import.meta.dirname, "..")
const printed = new Map<string, string>()
let folder = ""
let server: ChildProcess | undefined

beforeAll(async () => {
  const cache = join(root, "node_modules/.cache")
  await mkdir(cache, { recursive: true })
  folder = await mkdtemp(join(cache, "generated-"))
  const child = spawn(process.execPath, [join(root, "../server-memory/dist/main.js")], {
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

afterAll(async () => {
  server?.kill("SIGKILL")
  await rm(folder, { recursive: true })
})

describe("generated-client", () => {
  it("generates types from the document, with which a program compiles and runs", async () => {
    const document = `${printed.get("url")}/api/v2/openapi.json`
    await run(
      process.execPath,
      [join(root, "generate.mjs"), document, join(folder, "generated/api.ts")],
      {
        cwd: root
      }
    )
    for (const file of ["main.ts", "tsconfig.program.json", "package.json"]) {
      await copyFile(join(root, file), join(folder, file))
    }
    const compiled = await run(
      join(root, "../../node_modules/.bin/tsc"),
      ["--project", join(folder, "tsconfig.program.json"), "--pretty", "false"],
      { cwd: folder }
    ).catch((error: { readonly stdout: string }) => error)
    assert.strictEqual(compiled.stdout, "")
    const { stdout } = await run(process.execPath, [join(folder, "dist/main.js")], {
      env: {
        ...process.env,
        ATTESTRY_URL: printed.get("url"),
        ATTESTRY_API_KEY: printed.get("key")
      }
    })
    assert.deepStrictEqual(stdout.trim().split("\n"), [
      "snapshot 1: shop:1.0 from flow shop",
      "1 deployment",
      "404 Flow named 'nothing' does not exist for organization 'acme'"
    ])
  })
})
