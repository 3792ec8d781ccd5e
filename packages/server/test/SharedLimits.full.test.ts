/** Limits hold over all servers on one PostgreSQL together, and `processes` lists them (SHARE-1). */
import { assert, describe, it } from "vitest"
import { onDatabase } from "./shared/Database.js"
import { runToEnd, type ServerProcess, start } from "./shared/ServerProcess.js"

const PER_MINUTE = 120

const settings = (env: {
  readonly ATTESTRY_STORE: string
  readonly ATTESTRY_DATABASE_URL: string
}) => ({
  ...env,
  ATTESTRY_BOOTSTRAP_ORG: "acme",
  ATTESTRY_RATE_PER_ORG: String(PER_MINUTE),
  ATTESTRY_WRITES_PER_ORG: "1000000"
})

/** How many processes a server has seen, by its metric. */
const seenBy = async ({ url }: ServerProcess): Promise<number> => {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(/^attestry_server_processes\{[^}]*\} (\d+)$/m.exec(text)?.[1])
}

const untilSeen = async (servers: ReadonlyArray<ServerProcess>, count: number): Promise<void> => {
  for (let tries = 0; tries < 400; tries++) {
    const seen = await Promise.all(servers.map(seenBy))
    if (seen.every((number) => number === count)) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  assert.fail(`not all servers have seen ${count}`)
}

/** Sends requests until each server refuses; how many were granted, and how long it took. */
const drain = async (servers: ReadonlyArray<ServerProcess>, key: string) => {
  const began = performance.now()
  const each = servers.map(async ({ url }) => {
    for (let granted = 0; ; granted++) {
      const answer = await fetch(`${url}/api/v2/flows/acme`, {
        headers: { authorization: `Bearer ${key}` }
      })
      const text = await answer.text()
      if (answer.status === 200) continue
      assert.strictEqual(answer.status, 429, text)
      assert.deepStrictEqual(JSON.parse(text), {
        message: `acme may send ${PER_MINUTE} requests a minute`
      })
      return granted
    }
  })
  const granted = (await Promise.all(each)).reduce((sum, one) => sum + one, 0)
  return { granted, seconds: (performance.now() - began) / 1_000 }
}

describe("two servers on one PostgreSQL", () => {
  it("grant one limit together, and what is left has it alone", { timeout: 120_000 }, () =>
    onDatabase(async (database) => {
      const env = settings(database)
      const one = await start(env)
      const key = one.key ?? ""
      const two = await start(env)
      await untilSeen([one, two], 2)

      const listed = await runToEnd(["processes", "--json"], database)
      assert.strictEqual(listed.code, 0, listed.output)
      const found: ReadonlyArray<{ readonly id: string; readonly role: string }> = JSON.parse(
        listed.output
      )
      assert.deepStrictEqual(
        found.map(({ role }) => role),
        ["writer", "writer"]
      )
      assert.strictEqual(new Set(found.map(({ id }) => id)).size, 2)

      const both = await drain([one, two], key)
      assert.isAtMost(both.granted, PER_MINUTE + (both.seconds * PER_MINUTE) / 60)
      assert.isAtLeast(both.granted, PER_MINUTE / 2)

      await two.stop("SIGTERM")
      await untilSeen([one], 1)
      const three = await start(env)
      await untilSeen([one, three], 2)
      three.child.kill("SIGKILL")
      await untilSeen([one], 1)
      await one.stop("SIGTERM")
      const after = await runToEnd(["processes", "--json"], database)
      assert.deepStrictEqual(JSON.parse(after.output), [])
    })
  )
})
