/**
 * Acknowledged writes survive kill -9 of the server, and of its PostgreSQL, during writes (P-DUR).
 *
 * One round of each in `pnpm test:full`, twenty in `pnpm test:faults`.
 */
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { type ServerProcess, start, withFolder } from "./shared/ServerProcess.js"

const ROUNDS = process.env.ATTESTRY_FAULTS === "1" ? 20 : 1
const WRITERS = 16

const write = async (server: ServerProcess, org: string, key: string, name: string) => {
  try {
    const { status } = await fetch(`${server.url}/api/v2/flows/${org}`, {
      method: "PUT",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ name, description: "" })
    })
    return status
  } catch {
    return 0
  }
}

const exists = async (server: ServerProcess, org: string, key: string, name: string) => {
  const { status } = await fetch(`${server.url}/api/v2/flows/${org}/${name}`, {
    headers: { authorization: `Bearer ${key}` }
  })
  return status === 200
}

/** Writers that record acknowledged names until they are stopped. */
const startWriters = (server: ServerProcess, org: string, key: string, round: number) => {
  const acknowledged: Array<string> = []
  let going = true
  const writer = async (number: number) => {
    for (let count = 0; going; count++) {
      const name = `r${round}-w${number}-${count}`
      if ((await write(server, org, key, name)) === 201) acknowledged.push(name)
    }
  }
  const done = Promise.all(Array.from({ length: WRITERS }, (_, number) => writer(number)))
  return {
    acknowledged,
    stop: async () => {
      going = false
      await done
    }
  }
}

const until = async (condition: () => boolean | Promise<boolean>) => {
  for (let tries = 0; tries < 600; tries++) {
    if (await condition()) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error("the condition did not hold in time")
}

/** The process id of the postmaster, a child of the server. */
const postmasterOf = (server: ServerProcess): number => {
  const rows = execFileSync("ps", ["-eo", "pid=,ppid=,comm="], { encoding: "utf8" })
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
  const found = rows.find(
    ([, parent, command]) => parent === String(server.child.pid) && command === "postgres"
  )
  return Number(found?.[0])
}

const checkAll = async (server: ServerProcess, org: string, key: string, names: Array<string>) => {
  for (const name of names) assert.isTrue(await exists(server, org, key, name), name)
}

describe("acknowledged writes", () => {
  it(`survive ${ROUNDS} times kill -9 of the server`, { timeout: 60_000 * ROUNDS }, async () => {
    await withFolder(async (folder) => {
      const env = { ATTESTRY_DATA_DIR: join(folder, "data") }
      let server = await start(env)
      const { key = "", org = "" } = server
      for (let round = 0; round < ROUNDS; round++) {
        const writers = startWriters(server, org, key, round)
        await until(() => writers.acknowledged.length > 20)
        await server.stop("SIGKILL")
        await writers.stop()
        server = await start(env)
        await checkAll(server, org, key, writers.acknowledged)
      }
      assert.strictEqual(await server.stop("SIGTERM"), 0)
    })
  })

  it(`survive ${ROUNDS} times kill -9 of PostgreSQL`, { timeout: 60_000 * ROUNDS }, async () => {
    await withFolder(async (folder) => {
      const server = await start({
        ATTESTRY_DATA_DIR: join(folder, "data"),
        ATTESTRY_LOG_LEVEL: "none"
      })
      const { key = "", org = "" } = server
      for (let round = 0; round < ROUNDS; round++) {
        const writers = startWriters(server, org, key, round)
        await until(() => writers.acknowledged.length > 20)
        process.kill(postmasterOf(server), "SIGKILL")
        await until(async () => (await write(server, org, key, `back-${round}`)) > 0)
        await until(async () => [200, 201].includes(await write(server, org, key, `up-${round}`)))
        await writers.stop()
        await checkAll(server, org, key, writers.acknowledged)
      }
      assert.strictEqual(await server.stop("SIGTERM"), 0)
    })
  })
})
