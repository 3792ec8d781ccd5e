/** The commands for a pipeline in the readme are accepted by a server; `tsc -b` must have run. */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import * as Repository from "./shared/Repository.js"

/** The first fence of shell commands after a text. */
const commandsAfter = (text: string, beginning: string): string =>
  /```bash\n([\s\S]*?)```/.exec(text.slice(text.indexOf(beginning)))?.[1] ?? ""

/** Starts a server without data, and gives it with what its first start shows. */
const start = async () => {
  const program = join(Repository.root, "packages/server/dist/main.js")
  const child = spawn(process.execPath, [program, "--store", "memory", "--port", "0"], {
    stdio: ["ignore", "pipe", "ignore"]
  })
  let shown = ""
  for await (const text of child.stdout.setEncoding("utf8")) {
    shown += text
    if (/API key +\S+[\s\S]*\n\n$/.test(shown)) break
  }
  const [, url = ""] = /ready at (\S+)/.exec(shown) ?? []
  const [, org = ""] = /Org +(\S+)/.exec(shown) ?? []
  const [, key = ""] = /API key +(\S+)/.exec(shown) ?? []
  return { child, url, org, key }
}

describe("README.md", () => {
  it("has commands for a pipeline that work", async () => {
    const commands = commandsAfter(Repository.read("README.md"), "**From a pipeline.**")
    const { child, url, org, key } = await start()
    const ended = once(child, "exit")
    try {
      const there = commands.replace(
        /^export .*$/m,
        `export URL=${url}/api/v2 ORG=${org} KEY=${key}`
      )
      const { status, stdout, stderr } = spawnSync("bash", ["-euo", "pipefail", "-c", there], {
        encoding: "utf8"
      })
      assert.include(there, "\nsend POST ")
      assert.strictEqual(status, 0, `${stdout}${stderr}`)
    } finally {
      child.kill("SIGTERM")
      await ended
    }
  })
})
