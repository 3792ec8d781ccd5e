/**
 * Two processes of the server on one PostgreSQL under the mixed load, while one of them is stopped over and
 * over, by SIGTERM and by `kill -9` in turns, and started again.
 *
 * A client that retries must see no failed operation, and the record must hold what was acknowledged, once.
 * Prints these counts, which have no tolerance: the process ends with 1 where one of them is not zero.
 */
import { join } from "node:path"
import { clientFor, prepare, startMixedLoad, verify } from "./lib/mixed.mjs"
import { startPostgres } from "./lib/postgres.mjs"
import { startProcess } from "./lib/process.mjs"

const STOPS = Number(process.env.BENCH_STOPS ?? 10)
const WORKERS = Number(process.env.BENCH_WORKERS ?? 8)
const BETWEEN_MS = 1_500
/** In turns with the two servers, so that each is stopped in each way. */
const SIGNALS = ["SIGKILL", "SIGTERM", "SIGTERM", "SIGKILL"]

const main =
  process.env.BENCH_SERVER ?? join(import.meta.dirname, "../packages/server/dist/main.js")
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** A server that is ready, and where it listens. */
const startServer = async (databaseUrl) => {
  const running = await startProcess([main], {
    env: {
      ATTESTRY_STORE: "postgres",
      ATTESTRY_DATABASE_URL: databaseUrl,
      ATTESTRY_PORT: "0",
      ATTESTRY_BOOTSTRAP_ORG: "bench",
      ATTESTRY_LOG_LEVEL: "none",
      // WHY: one org gets more writes here than its limit.
      ATTESTRY_WRITES_PER_ORG: "1000000000"
    },
    ready: /ready at (\S+)[\s\S]*\n\n$/
  })
  running.child.removeAllListeners("exit")
  return { ...running, url: running.match[1], key: /API key +(\S+)/.exec(running.match.input)?.[1] }
}

const end = ({ child }, signal) =>
  new Promise((ended) => {
    child.once("exit", ended)
    child.kill(signal)
  })

/** Runs the load as long as `meanwhile` takes, and returns its result. */
const play = async (client, org, meanwhile) => {
  const started = performance.now()
  const load = startMixedLoad(client, { org, workers: WORKERS })
  await meanwhile()
  const result = await load.stop()
  return { ...result, perSecond: result.operations / ((performance.now() - started) / 1_000) }
}

/** Stops the servers in turns and starts each again. */
const disturb = (servers, databaseUrl) => async () => {
  for (let stop = 0; stop < STOPS; stop++) {
    await pause(BETWEEN_MS)
    const which = stop % servers.length
    await end(servers[which], SIGNALS[stop % SIGNALS.length])
    servers[which] = await startServer(databaseUrl)
  }
}

/** Runs the benchmark. */
export const run = async () => {
  const postgres = await startPostgres()
  const servers = [await startServer(postgres.url)]
  const { key: apiKey } = servers[0]
  servers.push(await startServer(postgres.url))
  const retry = { retriesMax: 12, delayFirst: 20, delayMax: 2_000 }
  const client = clientFor(() => servers, { apiKey, retry })
  const org = "bench"
  await prepare(client, { org, workers: WORKERS })
  const stopped = await play(client, org, disturb(servers, postgres.url))
  const wrong = await verify(client, { org, builds: stopped.builds })
  process.stdout.write(
    `two processes: ${stopped.operations} operations, ${STOPS} stops, ` +
      `${stopped.failed.length} failed, ${wrong.length} wrong in the record; ` +
      `${stopped.perSecond.toFixed(0)} operations per second\n`
  )
  for (const line of [...stopped.failed, ...wrong].slice(0, 10)) process.stdout.write(`  ${line}\n`)
  for (const server of servers) await end(server, "SIGTERM")
  await postgres.stop()
  if (stopped.failed.length + wrong.length > 0) process.exitCode = 1
}
