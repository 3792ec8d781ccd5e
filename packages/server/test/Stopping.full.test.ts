/** A server that gets a signal answers every request that reached it, and exits with 0. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import * as Net from "node:net"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { onDatabase } from "./shared/Database.js"
import * as Load from "./shared/Load.js"
import { type ServerProcess, start, withFolder } from "./shared/ServerProcess.js"

const ROUNDS = process.env.ATTESTRY_FAULTS === "1" ? 20 : 2

const until = async (condition: () => boolean) => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20))
}

const stopUnderLoad = async (env: NodeJS.ProcessEnv) => {
  const server = await start(env)
  const load = Load.start(server, { keepAlive: 16, fresh: 16 })
  await until(() => (load.outcomes.statuses.get(200) ?? 0) > 200)
  const code = await server.stop("SIGTERM")
  await load.stop()
  const { statuses, lost } = load.outcomes
  return { code, lost, statuses: [...statuses.keys()].sort() }
}

describe("SIGTERM under load", () => {
  it(`loses no request in ${ROUNDS} stops`, { timeout: 60_000 * ROUNDS }, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      assert.deepStrictEqual(await stopUnderLoad({ ATTESTRY_STORE: "memory" }), {
        code: 0,
        lost: [],
        statuses: [200, 201]
      })
    }
  })

  it("loses no request on PostgreSQL", { timeout: 120_000 }, async () => {
    await onDatabase(async (env) => {
      const stopped = await stopUnderLoad(env)
      assert.deepStrictEqual(stopped, { code: 0, lost: [], statuses: [200, 201] })
    })
  })
})

/** A connection with the text that was read from it, and how it ended. */
const connect = async ({ url, org, key }: ServerProcess) => {
  const { hostname, port } = new URL(url)
  const socket = Net.connect({ host: hostname, port: Number(port) })
  const seen = { read: "", end: "" }
  socket.setEncoding("utf8").on("data", (text) => (seen.read += text))
  socket.on("end", () => (seen.end ||= "end"))
  socket.on("error", ({ message }) => (seen.end ||= message))
  await once(socket, "connect")
  return {
    seen,
    ask: () => {
      const body = JSON.stringify({ name: "one", description: "" })
      const lines = [
        `PUT /api/v2/flows/${org} HTTP/1.1`,
        "Host: test",
        `Authorization: Bearer ${key}`,
        "Content-Type: application/json",
        `Content-Length: ${body.length}`
      ]
      socket.write(`${lines.join("\r\n")}\r\n\r\n${body}`)
    },
    closed: once(socket, "close")
  }
}

describe("SIGTERM with idle connections", () => {
  it("answers a late request on one, and closes the others without a reset", async () => {
    const server = await start({ ATTESTRY_STORE: "memory" })
    const late = await connect(server)
    const idle = await connect(server)
    const unused = await connect(server)
    for (const { ask, seen } of [late, idle]) {
      ask()
      await until(() => seen.read.endsWith('"OK"'))
      assert.notInclude(seen.read.toLowerCase(), "connection: close")
    }
    const stopped = server.stop("SIGTERM")
    while ((await fetch(`${server.url}/ready`)).status === 200);
    late.ask()
    await Promise.all([late.closed, idle.closed, unused.closed])
    assert.match(late.seen.read, /"OK".*200 OK.*connection: close.*"OK"$/is)
    assert.deepStrictEqual(
      [late, idle, unused].map(({ seen }) => seen.end),
      ["end", "end", "end"]
    )
    assert.strictEqual(await stopped, 0)
  })
})

describe("SIGTERM with clients that are slow", () => {
  it("answers a request that follows its connection or the last response late", async () => {
    const server = await start({ ATTESTRY_STORE: "memory" })
    const kept = await connect(server)
    kept.ask()
    await until(() => kept.seen.read.endsWith('"OK"'))
    const stopped = server.stop("SIGTERM")
    const fresh = await connect(server)
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    for (const { ask } of [kept, fresh]) ask()
    await Promise.all([kept.closed, fresh.closed])
    assert.match(kept.seen.read, /"OK".*200 OK.*connection: close.*"OK"$/is)
    assert.match(fresh.seen.read, /200 OK.*connection: close.*"OK"$/is)
    assert.strictEqual(await stopped, 0)
  })
})

describe("a repeated signal", () => {
  it.each(["SIGTERM", "SIGINT"] as const)(
    "%s within half a second is one request",
    async (signal) => {
      const server = await start({ ATTESTRY_STORE: "memory" })
      const stopped = server.stop(signal)
      await new Promise((resolve) => setTimeout(resolve, 450))
      server.child.kill(signal)
      assert.strictEqual(await stopped, 0)
    }
  )
})

/** A host that embeds the built package with a folder, and has no listener for signals. */
const HOST = `const { createAttestry } = await import(process.argv[1])
  await createAttestry({ store: { folder: process.argv[2] } })
  console.log("ready")`

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe("SIGTERM for a host that embeds with a folder", () => {
  it("stops the PostgreSQL that runs there", { timeout: 120_000 }, () =>
    withFolder(async (folder) => {
      const data = join(folder, "data")
      const entry = join(import.meta.dirname, "../dist/Attestry.js")
      const host = spawn(process.execPath, ["--input-type=module", "--eval", HOST, entry, data], {
        stdio: ["ignore", "pipe", "inherit"]
      })
      await once(host.stdout, "data")
      const record = readFileSync(join(data, "cluster/postmaster.pid"), "utf8")
      const postgres = Number.parseInt(record, 10)
      assert.isTrue(isRunning(postgres))
      try {
        host.kill("SIGTERM")
        assert.deepStrictEqual(await once(host, "exit"), [null, "SIGTERM"])
        for (let tries = 0; tries < 200 && isRunning(postgres); tries++)
          await new Promise((resolve) => setTimeout(resolve, 50))
        assert.isFalse(isRunning(postgres))
      } finally {
        if (isRunning(postgres)) process.kill(postgres, "SIGINT")
      }
    })
  )
})
