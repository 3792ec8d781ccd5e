/**
 * Jobs by the variables that each CI sets in pushes, tags, pull requests, forks and repetitions: `fixture/*.env`, made
 * from the references of the CIs with neutral values; what is found is golden.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import * as CurrentJob from "../../src/job/CurrentJob.js"
import { golden } from "../shared/Golden.js"
import { folder, run } from "../shared/Run.js"

const FIXTURES = join(import.meta.dirname, "fixture")
const NAMES = readdirSync(FIXTURES)
  .filter((name) => name.endsWith(".env"))
  .map((name) => name.slice(0, -4))

const variablesOf = (name: string): { readonly [name: string]: string } => {
  const lines = readFileSync(join(FIXTURES, `${name}.env`), "utf8")
    .trim()
    .split("\n")
  const files = readdirSync(FIXTURES)
  const beside = (suffix: string, variable: string) =>
    files.includes(`${name}.${suffix}`) ? { [variable]: join(FIXTURES, `${name}.${suffix}`) } : {}
  return {
    ...Object.fromEntries(
      lines.map((line) => {
        const at = line.indexOf("=")
        return [line.slice(0, at), line.slice(at + 1)]
      })
    ),
    ...beside("event.json", "GITHUB_EVENT_PATH"),
    ...beside("properties", "TEAMCITY_BUILD_PROPERTIES_FILE")
  }
}

describe("a job", () => {
  it("of each CI has fixtures", () => {
    assert.isAtLeast(NAMES.length, 26)
  })

  for (const name of NAMES)
    it(`${name} says commit, branch, build, repository and pull request`, async () => {
      const ran = await run(["config", "show", "-o", "json"], {
        cwd: folder(),
        env: variablesOf(name)
      })
      assert.strictEqual(ran.code, 0, ran.stderr)
      const stream = { write: () => {}, isTerminal: false, columns: 80 }
      const job = await CurrentJob.find({
        env: variablesOf(name),
        cwd: folder(),
        home: folder(),
        platform: "linux",
        stdout: stream,
        stderr: stream,
        writeStdout: async () => {},
        readStdin: async () => new Uint8Array(),
        stdinIsTerminal: false,
        ask: async () => "",
        now: () => 0,
        sleep: async () => {},
        signal: new AbortController().signal
      })
      golden(`job/${name}.json`, `${JSON.stringify(job, null, 2)}\n`)
    })
})
