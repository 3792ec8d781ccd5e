/**
 * Benchmark 22: what finding out about the caller adds to a GET that reads one row.
 *
 * Both sides are the same operation in the same process, with and without the check; cost is the CPU time
 * of that process and of PostgreSQL per request, over 16 connections. The goal is at most 1.5 times.
 */
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { compare } from "./lib/compare.mjs"
import { familyCpuSeconds } from "./lib/cpu.mjs"
import { drive } from "./lib/load.mjs"
import { pidIn, startPostgres } from "./lib/postgres.mjs"
import { startProcess } from "./lib/process.mjs"

const CONNECTIONS = 16
const WARM_UP = 3_000
const COUNT = 4_000
const GOAL = 0.67

/** Runs the benchmark and gives its lines. */
export const run = async () => {
  const postgres = await startPostgres()
  const cluster = readdirSync(postgres.dataDir).includes("cluster")
    ? join(postgres.dataDir, "cluster")
    : postgres.dataDir
  const database = pidIn(cluster)
  const server = await startProcess([join(import.meta.dirname, "servers/authentication.mjs")], {
    env: { DATABASE_URL: postgres.url },
    ready: /ports (\d+) (\d+) key (\S+)/
  })
  const [, checked, open, key] = server.match
  const side = (port, headers) => {
    const next = () => ({
      method: "GET",
      path: "/api/v2/user/default-org",
      headers,
      body: Buffer.alloc(0)
    })
    const load = (count) => drive(port, { count, connections: CONNECTIONS, next })
    return {
      warmUp: () => load(WARM_UP),
      cost: async () => {
        const before = familyCpuSeconds([server.pid, database])
        await load(COUNT)
        return ((familyCpuSeconds([server.pid, database]) - before) / COUNT) * 1_000_000
      }
    }
  }
  const result = await compare({
    name: "22 authentication, GET with a key against the same without a check",
    goal: GOAL,
    unit: "µs CPU/request",
    subject: side(checked, { authorization: `Bearer ${key}` }),
    baseline: side(open, {})
  })
  await server.stop()
  await postgres.stop()
  return [result]
}
