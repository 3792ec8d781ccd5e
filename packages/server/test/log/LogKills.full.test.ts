/**
 * LOG-14, LOG-15, LOG-17 and LOG-28 on a real PostgreSQL with two servers: both servers and the database are killed at
 * random moments while callers write and read. Nothing is lost, nothing is doubled, indexes are dense, the order of
 * answers is kept, all checkpoints are consistent, and no server takes the other for a fork.
 *
 * Three kills in `pnpm test:full`; fifty of servers and twenty of the database in `pnpm test:faults`.
 * `ATTESTRY_KILL_SEED` is the number that victims and moments are made from.
 */
import { randomBytes } from "node:crypto"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import * as OwnDatabase from "../shared/OwnDatabase.js"
import { runToEnd, type ServerProcess, start, withFolder } from "../shared/ServerProcess.js"
import * as LogHistory from "./LogHistory.js"

const isLong = process.env.ATTESTRY_FAULTS === "1"
const SEED = Number(process.env.ATTESTRY_KILL_SEED ?? (isLong ? Date.now() % 1_000_000 : 24))
const WRITERS = 6
const VICTIMS = isLong
  ? [...Array<string>(50).fill("server"), ...Array<string>(20).fill("database")]
  : ["server", "database", "server"]

/** Numbers from 0 to 1 that a seed decides (mulberry32). */
const randomFrom = (seed: number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const until = async (what: string, condition: () => boolean | Promise<boolean>) => {
  for (let tries = 0; tries < 1_200; tries++) {
    if (await condition()) return
    await pause(50)
  }
  throw new Error(`not in time: ${what} (seed ${SEED})`)
}

/** Two servers of one org, either of which may be gone for a while. */
interface Deployment {
  readonly servers: Array<ServerProcess>
  readonly org: string
  readonly key: string
}

const call = async (
  deployment: Deployment,
  which: number,
  path: string,
  init: RequestInit = {}
) => {
  const server = deployment.servers[which % deployment.servers.length]
  try {
    const response = await fetch(`${server?.url}/api/v2${path}`, {
      ...init,
      headers: { authorization: `Bearer ${deployment.key}`, "content-type": "application/json" }
    })
    const entries = response.headers.get("attestry-entries")?.split(/, */) ?? []
    return { status: response.status, text: await response.text(), entries }
  } catch {
    return { status: 0, text: "", entries: [] }
  }
}

/** Writes new flows and changes of shared ones, and reads checkpoints, until it is stopped. */
const startLoad = (deployment: Deployment) => {
  const { org } = deployment
  const writes: Array<LogHistory.AnsweredWrite> = []
  const heads: Array<LogHistory.Head> = []
  const stopped: Array<string> = []
  let going = true
  const writer = async (number: number) => {
    for (let count = 0; going; count++) {
      const name = count % 3 === 0 ? `shared-${count % 2}` : `w${number}-${count}`
      const body = JSON.stringify({ name, description: `${number} ${count}` })
      const sent = performance.now()
      const done = await call(deployment, number + count, `/flows/${org}`, { method: "PUT", body })
      const answered = performance.now()
      if (done.entries.length > 0) writes.push({ sent, answered, entries: done.entries })
      if (done.text.includes("is stopped")) stopped.push(done.text)
      if (done.status === 0 || done.status >= 500) await pause(20)
    }
  }
  const reader = async (which: number) => {
    while (going) {
      const { status, text } = await call(deployment, which, `/log/${org}/checkpoint`)
      if (status === 200) heads.push(LogHistory.headOf(text))
      const { text: log } = await call(deployment, which, `/log/${org}`)
      if (log.includes('"stopped"')) stopped.push(log)
      await pause(30)
    }
  }
  const done = Promise.all([
    ...[0, 1].map(reader),
    ...Array.from({ length: WRITERS }, (_, number) => writer(number))
  ])
  return {
    writes,
    heads,
    stopped,
    stop: async () => {
      going = false
      await done
    }
  }
}

/** All entries of the log, by index. */
const eventsOf = async (deployment: Deployment) => {
  const events: Array<LogHistory.SeenEvent> = []
  for (;;) {
    const path = `/events/${deployment.org}?limit=1000&after=${events.length - 1}`
    const { status, text } = await call(deployment, 0, path)
    if (status !== 200) return events
    const page = JSON.parse(text) as { readonly events: ReadonlyArray<LogHistory.SeenEvent> }
    if (page.events.length === 0) return events
    events.push(...page.events)
  }
}

const FLAT = `select
    (select count(*) from attestry.journal)::int4 as rows,
    (select count(*) from attestry.log_leaf)::int4 as leaves,
    (select count(*) from attestry.journal j full join attestry.log_leaf l using (org_id, sequence)
      where j.digest is null or l.hash is null)::int4 as unpaired`

/** What the tables say, once every committed row has its leaf. */
const checkTables = async (database: OwnDatabase.OwnDatabase, heads: Array<LogHistory.Head>) => {
  await until("every entry has a leaf", async () => {
    const [counts] = await database.query(FLAT)
    return counts?.rows === counts?.leaves
  })
  const [counts] = await database.query(FLAT)
  assert.strictEqual(counts?.unpaired, 0)
  const notes = await database.query("select note from attestry.log_checkpoint order by size")
  const stored = notes.map(({ note }) => LogHistory.headOf(String(note)))
  const leaves = await database.query("select hash from attestry.log_leaf order by leaf_index")
  const hashes = leaves.map(({ hash }) => (hash instanceof Uint8Array ? hash : new Uint8Array(0)))
  return LogHistory.checkHeads([...heads, ...stored], hashes)
}

describe("a log of two servers", () => {
  it(`LOG-14, LOG-15, LOG-17, LOG-28: is one log through ${VICTIMS.length} kills (seed ${SEED})`, {
    timeout: 120_000 + VICTIMS.length * 20_000
  }, async () => {
    await withFolder(async (folder) => {
      const random = randomFrom(SEED)
      const database = await OwnDatabase.start(folder)
      const key = join(folder, "log-key")
      writeFileSync(key, `1 ${randomBytes(32).toString("base64")}\n`, { mode: 0o600 })
      const variables = (which: number) => ({
        ATTESTRY_STORE: "postgres",
        ATTESTRY_DATABASE_URL: database.url,
        ATTESTRY_PUBLIC_URL: "http://a.test",
        ATTESTRY_LOG_KEY_FILE: key,
        ATTESTRY_LOG_STATE_FILE: join(folder, `state-${which}`),
        ATTESTRY_LOG_LEVEL: "none"
      })
      const first = await start(variables(0))
      const deployment: Deployment = {
        servers: [first, await start(variables(1))],
        org: first.org ?? "",
        key: first.key ?? ""
      }
      const load = startLoad(deployment)
      try {
        const victims = VICTIMS.map((victim) => ({ victim, at: random() })).sort((left, right) =>
          isLong ? left.at - right.at : 0
        )
        for (const { victim } of victims) {
          const before = { writes: load.writes.length, heads: load.heads.length }
          await until(
            "the load goes on",
            () => load.writes.length > before.writes + 20 && load.heads.length > before.heads + 2
          )
          await pause(random() * 700)
          const which = random() < 0.5 ? 0 : 1
          if (victim === "database") await database.kill()
          else {
            await deployment.servers[which]?.stop("SIGKILL")
            deployment.servers[which] = await start(variables(which))
          }
        }
        const before = load.writes.length
        await until("the load goes on", () => load.writes.length > before + 20)
      } finally {
        await load.stop()
      }
      assert.isAbove(await checkTables(database, load.heads), VICTIMS.length)
      await until("the feed has everything", async () => {
        const there = new Set((await eventsOf(deployment)).map(({ entry }) => entry))
        return load.writes.every(({ entries }) => entries.every((entry) => there.has(entry)))
      })
      const events = await eventsOf(deployment)
      LogHistory.checkDense(events)
      LogHistory.checkKept(load.writes, events)
      LogHistory.checkOrder(load.writes, events)
      assert.deepStrictEqual(load.stopped, [])
      for (const server of deployment.servers) assert.strictEqual(await server.stop("SIGTERM"), 0)
      const verified = await runToEnd(["verify", "--level", "3"], variables(0))
      assert.strictEqual(verified.code, 0, verified.output)
      await database.stop()
    })
  })
})
