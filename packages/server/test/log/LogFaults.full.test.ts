/**
 * LOG-17: checkpoints that readers collect while the server and its PostgreSQL are killed are all consistent, every
 * acknowledged write is in the log, and a restarted server goes on where the killed one ended.
 *
 * One round in `pnpm test:full`, twenty in `pnpm test:faults`.
 */
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { type ServerProcess, start, withFolder } from "../shared/ServerProcess.js"

const ROUNDS = process.env.ATTESTRY_FAULTS === "1" ? 20 : 1
const WRITERS = 8

interface Head {
  readonly size: number
  readonly root: string
}

interface Credential {
  readonly org: string
  readonly key: string
}

const call = async (
  server: ServerProcess,
  { key }: Credential,
  path: string,
  init: RequestInit = {}
) => {
  try {
    const response = await fetch(`${server.url}/api/v2${path}`, {
      ...init,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" }
    })
    return { status: response.status, text: await response.text() }
  } catch {
    return { status: 0, text: "" }
  }
}

const until = async (condition: () => Promise<boolean>) => {
  for (let tries = 0; tries < 600; tries++) {
    if (await condition()) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error("the condition did not hold in time")
}

const headOf = (note: string): Head => {
  const [, size = "", root = ""] = note.split("\n")
  return { size: Number(size), root }
}

/** Writes and reads checkpoints until it is stopped. */
const startLoad = (server: ServerProcess, who: Credential, round: number, heads: Array<Head>) => {
  const acknowledged: Array<string> = []
  let going = true
  const writer = async (number: number) => {
    for (let count = 0; going; count++) {
      const name = `r${round}-w${number}-${count}`
      const body = JSON.stringify({ name, description: "" })
      const { status } = await call(server, who, `/flows/${who.org}`, { method: "PUT", body })
      if (status === 201) acknowledged.push(name)
    }
  }
  const reader = async () => {
    while (going) {
      const { status, text } = await call(server, who, `/log/${who.org}/checkpoint`)
      if (status === 200) heads.push(headOf(text))
    }
  }
  const done = Promise.all([reader(), ...Array.from({ length: WRITERS }, (_, at) => writer(at))])
  return {
    acknowledged,
    stop: async () => {
      going = false
      await done
    }
  }
}

const postmasterOf = (server: ServerProcess): number => {
  const rows = execFileSync("ps", ["-eo", "pid=,ppid=,comm="], { encoding: "utf8" })
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
  const own = ([, parent, command]: ReadonlyArray<string>) =>
    parent === String(server.child.pid) && command === "postgres"
  return Number(rows.find(own)?.[0])
}

/** The names of all flows that the log says were created, and its size. */
const logged = async (server: ServerProcess, who: Credential) => {
  const names = new Set<string>()
  let after = -1
  for (;;) {
    const { text } = await call(server, who, `/events/${who.org}?limit=1000&after=${after}`)
    const page = JSON.parse(text) as {
      readonly events: ReadonlyArray<{ readonly index: number; readonly content: unknown }>
      readonly next: number
      readonly size: number
    }
    for (const { index, content } of page.events) {
      after += 1
      assert.strictEqual(index, after)
      names.add(String((content as { readonly name?: string }).name))
    }
    if (page.events.length === 0) return { names, size: page.size }
  }
}

/** Every collected head is the beginning of the log as it is now. */
const checkHeads = async (server: ServerProcess, who: Credential, heads: ReadonlyArray<Head>) => {
  const { text } = await call(server, who, `/log/${who.org}/checkpoint`)
  const now = headOf(text)
  const roots = new Map<number, string>()
  for (const { size, root } of heads) {
    assert.strictEqual(roots.get(size) ?? root, root)
    roots.set(size, root)
  }
  for (const [size, root] of roots) {
    const query = `?from=${size}&to=${now.size}`
    const proof = await call(server, who, `/log/${who.org}/proofs/consistency${query}`)
    assert.strictEqual(JSON.parse(proof.text).from_root, root)
  }
}

describe("the evidence log", () => {
  for (const victim of ["server", "PostgreSQL"] as const) {
    it(`LOG-17: stays one log through ${ROUNDS} times kill -9 of the ${victim}`, {
      timeout: 60_000 + 60_000 * ROUNDS
    }, async () => {
      await withFolder(async (folder) => {
        const variables = {
          ATTESTRY_DATA_DIR: join(folder, "data"),
          ATTESTRY_PUBLIC_URL: "http://a.test"
        }
        const heads: Array<Head> = []
        const names: Array<string> = []
        let server = await start(variables)
        const who = { org: server.org ?? "", key: server.key ?? "" }
        for (let round = 0; round < ROUNDS; round++) {
          const load = startLoad(server, who, round, heads)
          const before = heads.length
          await until(async () => heads.length > before + 3 && load.acknowledged.length > 20)
          if (victim === "server") {
            await server.stop("SIGKILL")
          } else {
            process.kill(postmasterOf(server), "SIGKILL")
            await until(async () => (await call(server, who, `/flows/${who.org}`)).status === 200)
          }
          await load.stop()
          names.push(...load.acknowledged)
          if (victim === "server") server = await start(variables)
        }
        await until(async () => {
          const found = await logged(server, who)
          return names.every((name) => found.names.has(name))
        })
        await checkHeads(server, who, heads)
        assert.strictEqual(await server.stop("SIGTERM"), 0)
      })
    })
  }
})
