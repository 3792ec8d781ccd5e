/** The commands of "From your pipeline" work on a server; `pnpm build` must have run. */
import { spawnSync } from "node:child_process"
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { start } from "../../packages/server/test/shared/ServerProcess.js"
import * as Repository from "./shared/Repository.js"

/** The fences of shell commands of a part of a document: from a text to another one. */
const commandsIn = (text: string, beginning: string, end: string): ReadonlyArray<string> => {
  const from = text.indexOf(beginning)
  const part = text.slice(from, text.indexOf(end, from + beginning.length))
  return [...part.matchAll(/```bash\n([\s\S]*?)```/g)].map(([, commands = ""]) => commands)
}

/** A folder with the built program as `attestry`. */
const machine = (): string => {
  const place = mkdtempSync(join(tmpdir(), "attestry-quickstart-"))
  const program = join(Repository.root, "packages/cli/dist/bundle/attestry.js")
  mkdirSync(join(place, "bin"))
  const file = join(place, "bin/attestry")
  writeFileSync(file, `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`)
  chmodSync(file, 0o755)
  return place
}

interface Server {
  readonly url: string
  readonly org: string
  readonly key: string
}

/** The commands with the address, the org and the key of a server. */
const there = (commands: string, { url, org, key }: Server): string =>
  commands
    .replaceAll("http://127.0.0.1:8080", url)
    .replaceAll("org-dd7241", org)
    .replaceAll("attestry_user_…", key)

/** Follows commands on a new server, and gives what they printed. */
const follow = async (
  commands: (server: Server) => string,
  prepare: (place: string) => void = () => {}
): Promise<string> => {
  const { url, org = "", key = "", stop } = await start({ ATTESTRY_STORE: "memory" })
  const server = { url, org, key }
  const place = machine()
  prepare(place)
  try {
    const { status, stdout, stderr } = spawnSync(
      "bash",
      ["-euo", "pipefail", "-c", there(commands(server), server)],
      {
        encoding: "utf8",
        cwd: place,
        env: { PATH: `${join(place, "bin")}:${process.env.PATH}`, HOME: place }
      }
    )
    assert.strictEqual(status, 0, `${stdout}${stderr}`)
    return stdout
  } finally {
    await stop("SIGTERM")
    rmSync(place, { recursive: true, force: true })
  }
}

describe("docs/FROM-YOUR-PIPELINE.md", () => {
  it("has commands that work, in their order", async () => {
    const text = Repository.read("docs/FROM-YOUR-PIPELINE.md")
    const all = commandsIn(text, "# From your pipeline", "## What comes next")
    assert.lengthOf(all, 3)
    const settings = ({ url, org, key }: Server) =>
      `export ATTESTRY_URL=${url} ATTESTRY_ORG=${org} ATTESTRY_API_KEY=${key}\n`
    const job = [
      ["GITHUB_ACTIONS", "true"],
      ["GITHUB_SHA", "9f1c2ab04c0d5e6f7a8b9c0d1e2f3a4b5c6d7e8f"],
      ["GITHUB_REPOSITORY", "acme/shop"],
      ["GITHUB_REPOSITORY_ID", "42"],
      ["GITHUB_SERVER_URL", "https://git.example.org"],
      ["GITHUB_RUN_ID", "7"]
    ]
    const inJob = `export ${job.map(([name, value]) => `${name}=${value}`).join(" ")}\n`
    const [rules = "", key = "", pipeline = ""] = all
    const commands = [
      rules,
      key,
      "attestry init --flow shop --ci github --url https://attestry.example.com\n",
      `${inJob}export ATTESTRY_API_KEY="$(cat ci-shop.key)"\n`,
      pipeline
    ]
    const printed = await follow(
      (server) => settings(server) + commands.join(""),
      (place) => {
        mkdirSync(join(place, "dist"))
        mkdirSync(join(place, "reports"))
        writeFileSync(join(place, "dist/index.html"), "<h1>shop</h1>\n")
        const suite = '<testsuite name="unit"><testcase name="adds"/></testsuite>'
        writeFileSync(join(place, "reports/unit.xml"), suite)
      }
    )
    assert.match(printed, /^COMPLIANT {3}dist /m)
  })
})
