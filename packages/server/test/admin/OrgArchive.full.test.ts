/** `attestry-server org export` and `org import` as an operator runs them, from one database to another. */
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { onDatabase } from "../shared/Database.js"
import { runToEnd, start, withFolder } from "../shared/ServerProcess.js"

type Server = Awaited<ReturnType<typeof start>>

const flowsOf = async ({ url }: Server, key: string, org: string) => {
  const answer = await fetch(`${url}/api/v2/flows/${org}`, {
    headers: { authorization: `Bearer ${key}` }
  })
  assert.strictEqual(answer.status, 200)
  const found: ReadonlyArray<{ readonly name: string }> = JSON.parse(await answer.text())
  return found.map(({ name }) => name).sort()
}

const writeFlow = async ({ url }: Server, key: string, org: string, name: string) => {
  const answer = await fetch(`${url}/api/v2/flows/${org}`, {
    method: "PUT",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ name, description: "" })
  })
  assert.isBelow(answer.status, 300)
}

describe("attestry-server org export and org import", () => {
  it(
    "carry an org with its keys into another database, where it goes on",
    () =>
      withFolder((folder) =>
        onDatabase((from) =>
          onDatabase(
            async (to) => {
              const archive = join(folder, "archive")
              const first = await start(from)
              const { key = "", org = "" } = first
              await writeFlow(first, key, org, "one")
              const exported = await runToEnd(["org", "export", org, "--to", archive], from)
              assert.strictEqual(exported.code, 0, exported.output)
              assert.match(exported.output, /^org: \S+\ntables: \d+\nrows: \d+\nwritten: \d+\n/)
              assert.strictEqual(statSync(join(archive, "archive.json")).mode & 0o777, 0o600)
              await writeFlow(first, key, org, "two")
              assert.strictEqual(await first.stop("SIGTERM"), 0)
              const more = await runToEnd(["org", "export", org, "--json", "--to", archive], from)
              const { rows, written } = JSON.parse(more.output)
              assert.isAbove(written, 0)
              assert.isBelow(written, rows)

              const imported = await runToEnd(["org", "import", archive], to)
              assert.strictEqual(imported.code, 0, imported.output)
              const verified = await runToEnd(["verify", "--level", "5"], to)
              assert.strictEqual(verified.code, 0, verified.output)
              const second = await start(to)
              assert.deepStrictEqual(await flowsOf(second, key, org), ["one", "two"])
              await writeFlow(second, key, org, "three")
              assert.strictEqual(await second.stop("SIGTERM"), 0)
              const again = await runToEnd(["org", "import", archive], to)
              assert.strictEqual(again.code, 1)
              assert.include(again.output, `there is an org \`${org}\` already`)
            },
            { empty: true }
          )
        )
      ),
    240_000
  )

  it(
    "say what is wrong with a folder, and with a store",
    () =>
      withFolder((folder) =>
        onDatabase((env) =>
          onDatabase(async (empty) => {
            const archive = join(folder, "archive")
            const none = await runToEnd(["org", "import", archive], env)
            assert.strictEqual(none.code, 1)
            assert.include(none.output, "the archive is refused: `archive.json` is missing")
            const unknown = await runToEnd(["org", "export", "gone", "--to", archive], env)
            assert.include(unknown.output, "there is no org `gone`")
            const server = await start(env)
            assert.strictEqual(await server.stop("SIGTERM"), 0)
            const org = server.org ?? ""
            await runToEnd(["org", "export", org, "--to", archive], env)
            const journal = join(archive, "tables/journal/1.copy.gz")
            const packed = readFileSync(journal)
            writeFileSync(journal, packed.subarray(0, packed.length - 9))
            const cut = await runToEnd(["org", "import", archive], empty)
            assert.include(cut.output, "`tables/journal/1.copy.gz` cannot be unpacked")
            writeFileSync(journal, packed)
            const manifest = join(archive, "archive.json")
            writeFileSync(
              manifest,
              readFileSync(manifest, "utf8").replace('"format": 1', '"format": 2')
            )
            const other = await runToEnd(["org", "import", archive], env)
            assert.include(other.output, "archive.json is not one of format 1")
            rmSync(manifest)
            writeFileSync(`${archive}-file`, "")
            const file = await runToEnd(["org", "export", org, "--to", `${archive}-file`], env)
            assert.strictEqual(file.code, 1)
            assert.include(file.output, "the archive cannot be used")
            const memory = await runToEnd(["org", "import", archive], { ATTESTRY_STORE: "memory" })
            assert.include(memory.output, "the memory store keeps nothing")
          })
        )
      ),
    240_000
  )
})
