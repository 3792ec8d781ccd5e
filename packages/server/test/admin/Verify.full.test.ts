/** `attestry-server verify` as an operator runs it: what it says, and the codes with which it ends. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { execute } from "../../../sql-store/test/shared/PgServer.js"
import { onDatabase } from "../shared/Database.js"
import { runToEnd, start, withFolder } from "../shared/ServerProcess.js"

/** Writes a flow and waits until the log has its entry. */
const writeFlow = async (
  { key, org, url }: Awaited<ReturnType<typeof start>>,
  description: string
) => {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
  const answer = await fetch(`${url}/api/v2/flows/${org}`, {
    method: "PUT",
    headers,
    body: JSON.stringify({ name: "shop", description })
  })
  assert.isBelow(answer.status, 300)
  const entry = answer.headers.get("attestry-entries")
  const receipt = await fetch(`${url}/api/v2/log/${org}/entries/${entry}?wait=10`, { headers })
  assert.deepInclude(await receipt.json(), { status: "included" })
}

/** Runs statements without triggers and foreign keys, as the owner of a database can. */
const unguarded = (url: string, ...statements: ReadonlyArray<string>) =>
  execute(url, `set session_replication_role = replica; ${statements.join("; ")}`)

describe("attestry-server verify", () => {
  it(
    "ends with 0, with 2 after a finding, and with 3 when it could not finish",
    () =>
      onDatabase(async (env) => {
        const server = await start(env)
        const { org } = server
        assert.include(server.shown, "WARNING        the evidence log is not signed")
        await writeFlow(server, "one")
        assert.strictEqual(await server.stop("SIGTERM"), 0)
        const verify = (...args: ReadonlyArray<string>) => runToEnd(["verify", ...args], env)
        const change = (statement: string) => execute(env.ATTESTRY_DATABASE_URL, statement)

        const fine = await verify("--level", "5")
        assert.strictEqual(fine.code, 0, fine.output)
        assert.match(fine.output, /^ok: true\nlevel: 5\nentries: (\d+)\nproved: \{"entries":\1,/)
        assert.match(fine.output, /"records":[1-9]\d*,"files":0,"verdicts":0\}\nnot_covered: \{/)
        assert.match(
          fine.output,
          /\nskipped: \{"entries":0,"records":0,"files":0,"verdicts":0\}\norgs: /
        )

        await change("update attestry.flow set description = 'two'")
        const found = await verify()
        assert.strictEqual(found.code, 2, found.output)
        assert.match(
          found.output,
          /^attestry-server: the log of org `\S+` does not verify:\n {2}flow \S+: `description` is not what/
        )
        const told = await verify("--json", "--org", org ?? "", "--from", "1")
        assert.strictEqual(told.code, 2, told.output)
        const [report = ""] = told.output.split("\n")
        assert.deepInclude(JSON.parse(report), { ok: false, level: 3, from: 1 })
        await change("update attestry.flow set description = 'one'")
        const erase = (...args: ReadonlyArray<string>) =>
          runToEnd(
            ["erase", "--json", "--org", org ?? "", "--value", "one", "--reason", "asked", ...args],
            env
          )
        for (const [args, preview, entries] of [
          [[], true, 1],
          [["--yes", "true"], false, 1],
          [[], true, 0]
        ] as const) {
          const { code, output } = await erase(...args)
          assert.strictEqual(code, 0, output)
          assert.deepInclude(JSON.parse(output), { preview, entries })
        }
        assert.strictEqual((await verify("--level", "5")).code, 0)
        await change("update attestry.flow set description = 'two'")
        // A change of tables is no matter of the levels below.
        assert.strictEqual((await verify("--level", "2")).code, 0)

        await change("drop table attestry.log_leaf")
        const broken = await verify("--level", "1")
        assert.strictEqual(broken.code, 3, broken.output)
        assert.match(broken.output, /was not verified to the end: the store could not answer/)
        assert.strictEqual((await verify("--org", "gone")).code, 1)
        assert.strictEqual((await verify("--level", "9")).code, 1)
      }),
    180_000
  )

  it(
    "finds a log that the state file remembers and the database has lost, and an org that was removed",
    () =>
      withFolder((folder) =>
        onDatabase(async (database) => {
          const [key, state] = [join(folder, "log-key"), join(folder, "state.json")]
          writeFileSync(key, `1 ${Buffer.alloc(32, 7).toString("base64")}\n`, { mode: 0o600 })
          const env = {
            ...database,
            ATTESTRY_LOG_KEY_FILE: key,
            ATTESTRY_LOG_STATE_FILE: state,
            ATTESTRY_PUBLIC_URL: "http://attestry.test"
          }
          const server = await start(env)
          const org = server.org ?? assert.fail("no org")
          await writeFlow(server, "one")
          await writeFlow(server, "two")
          assert.strictEqual(await server.stop("SIGTERM"), 0)
          const { size } = JSON.parse(readFileSync(state, "utf8"))[
            `attestry.test/api/v2/log/${org}`
          ]
          assert.isAbove(size, 1)
          const verify = async (...args: ReadonlyArray<string>) => {
            const { code, output } = await runToEnd(["verify", "--level", "5", ...args], env)
            return [code, output] as const
          }
          const fine = await verify()
          assert.strictEqual(fine[0], 0, fine[1])
          const missing = `log attestry.test/api/v2/log/${org}: it is not there, and had ${size} entries at least`

          const url = database.ATTESTRY_DATABASE_URL
          await unguarded(
            url,
            "create table kept_tree as table attestry.log_tree",
            "delete from attestry.log_tree"
          )
          const treeless = await verify()
          assert.strictEqual(treeless[0], 2, treeless[1])
          assert.include(treeless[1], missing)
          assert.include(treeless[1], "log_tree 1: the row is missing")

          await unguarded(
            url,
            "insert into attestry.log_tree select * from kept_tree",
            "create table kept_org as table attestry.org",
            "delete from attestry.org"
          )
          for (const args of [[], ["--org", org]]) {
            const removed = await verify(...args)
            assert.strictEqual(removed[0], 2, removed[1])
            assert.include(removed[1], `org ${org}: the record is missing`)
            assert.include(removed[1], missing)
          }
          await unguarded(url, "insert into attestry.org select * from kept_org")
          const whole = await verify()
          assert.strictEqual(whole[0], 0, whole[1])

          // A forged history, and nothing of the log left.
          await unguarded(
            url,
            "update attestry.flow set description = 'forged'",
            ...["log_tree", "log_leaf", "log_node", "log_checkpoint", "log_key"].map(
              (table) => `delete from attestry.${table}`
            ),
            `update attestry.journal set content = convert_to(replace(convert_from(content, 'UTF8'),
              '"description":"two"', '"description":"forged"'), 'UTF8')`,
            "update attestry.journal set digest = sha256(content)"
          )
          const forged = await verify()
          assert.strictEqual(forged[0], 2, forged[1])
          assert.include(forged[1], missing)
        })
      ),
    180_000
  )
})
