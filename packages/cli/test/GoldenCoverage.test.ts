/** Every command has golden files for a terminal, a pipe and programs, under its own words. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { COMMANDS } from "../src/CommandTree.js"

const FORMS = ["json", "tty", "pipe"]

/** Commands without a result of their own, or with one of digests and times, each with what tests it instead. */
const WITHOUT: ReadonlyMap<string, string> = new Map([
  ["admit", "serves a webhook until it is stopped: test/admission"],
  ["capsule-create", "names the digest of a file that is never the same: test/capsule"],
  ["capsule-verify", "reads such a file: test/capsule"],
  ["get-release-evidence", "has the period before now: test/release-evidence"],
  ["mcp", "speaks a protocol on stdout: test/mcp"],
  ["__complete", "answers completion scripts: test/CommandLine.test.ts"]
])

describe("golden files", () => {
  it("are there for every command", () => {
    const missing = COMMANDS.map(({ words }) => words.join("-"))
      .filter((name) => !WITHOUT.has(name))
      .flatMap((name) => FORMS.map((form) => `${name}.${form}`))
      .filter((file) => !existsSync(join(import.meta.dirname, "golden", file)))
    assert.deepStrictEqual(missing, [])
  })
})
