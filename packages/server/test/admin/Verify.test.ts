/** `attestry-server verify` as an operator runs it: what it says, and the codes with which it ends. */
import { assert, describe, it } from "vitest"
import { execute } from "../../../sql-store/test/shared/PgServer.js"
import { onDatabase } from "../shared/Database.js"
import { runToEnd, start } from "../shared/ServerProcess.js"

describe("attestry-server verify", () => {
  it(
    "ends with 0, with 2 after a finding, and with 3 when it could not finish",
    () =>
      onDatabase(async (env) => {
        const server = await start(env)
        const { key, org, url } = server
        const answer = await fetch(`${url}/api/v2/flows/${org}`, {
          method: "PUT",
          headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
          body: JSON.stringify({ name: "shop", description: "one" })
        })
        assert.strictEqual(answer.status, 201)
        const entry = answer.headers.get("attestry-entries")
        const receipt = await fetch(`${url}/api/v2/log/${org}/entries/${entry}?wait=10`, {
          headers: { authorization: `Bearer ${key}` }
        })
        assert.deepInclude(await receipt.json(), { status: "included" })
        assert.strictEqual(await server.stop("SIGTERM"), 0)
        const verify = (...args: ReadonlyArray<string>) => runToEnd(["verify", ...args], env)
        const change = (statement: string) => execute(env.ATTESTRY_DATABASE_URL, statement)

        const fine = await verify("--level", "5")
        assert.strictEqual(fine.code, 0, fine.output)
        assert.include(fine.output, "ok: true\nlevel: 5\n")

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
})
