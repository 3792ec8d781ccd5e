/**
 * Every `curl` command of the README's walkthrough prints the output that is shown below it;
 * `scripts/checks/quickstart.test.ts` runs those with `attestry`.
 */
import { execFile } from "node:child_process"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { assert, describe, it } from "vitest"
import { start } from "./shared/ServerProcess.js"

const root = join(import.meta.dirname, "../../..")

const fences = (text: string, language: string): ReadonlyArray<string> =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm"))].map(
    ([, content]) => content ?? ""
  )

describe("README.md", () => {
  it("leads from nothing to a compliant snapshot", async () => {
    const text = await readFile(join(root, "README.md"), "utf8")
    const [, after = ""] = text.split("## From nothing to a compliant snapshot\n")
    const [section = ""] = after.split("\n## ")
    const [, walk = ""] = section.split("<details>")
    const server = await start({ ATTESTRY_STORE: "memory" })
    try {
      const commands = fences(walk, "bash")
        .join("")
        .replace(/^export .*$/m, `export ORG=${server.org} KEY=${server.key}`)
        .replaceAll("http://127.0.0.1:8080", server.url)
      const { stdout } = await promisify(execFile)("bash", ["-euo", "pipefail", "-c", commands])
      assert.strictEqual(stdout, fences(walk, "text").join(""))
      assert.include(stdout, '"compliant":true')
    } finally {
      await server.stop("SIGTERM")
    }
  })
})
