/**
 * Runs the mixed load of the benchmarks on two server processes and your empty database, while your command repeatedly
 * disturbs that database: a switch-over, or a killed leader.
 *
 *   REHEARSE_DATABASE_URL=postgres://… REHEARSE_COMMAND='patronictl switchover …' node scripts/rehearse/fail-over.mjs
 *
 * A client that retries must see no failed operation, and every acknowledged write must be stored once; otherwise the
 * exit code is 1. Prints the longest time without an acknowledgement, and the statuses of responses.
 */
import { exec } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { clientFor, prepare, startMixedLoad, verify } from "../../bench/lib/mixed.mjs"
import { startProcess } from "../../bench/lib/process.mjs"

const { REHEARSE_DATABASE_URL: databaseUrl, REHEARSE_COMMAND: command } = process.env
const TIMES = Number(process.env.REHEARSE_TIMES ?? 3)
const PAUSE_SECONDS = Number(process.env.REHEARSE_PAUSE_SECONDS ?? 20)
const WORKERS = Number(process.env.REHEARSE_WORKERS ?? 4)
const RETRIES = Number(process.env.REHEARSE_RETRIES ?? 60)
const ORG = "rehearsal"

if (databaseUrl === undefined || command === undefined) {
  process.stderr.write("set REHEARSE_DATABASE_URL and REHEARSE_COMMAND\n")
  process.exit(1)
}

const main = join(import.meta.dirname, "../../packages/server/dist/main.js")
const pause = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1_000))
const say = (text) => process.stdout.write(`${new Date().toISOString().slice(11, 23)} ${text}\n`)

const startServer = async () => {
  const running = await startProcess([main], {
    env: {
      ATTESTRY_STORE: "postgres",
      ATTESTRY_DATABASE_URL: databaseUrl,
      ATTESTRY_PORT: "0",
      ATTESTRY_BOOTSTRAP_ORG: ORG,
      ATTESTRY_LOG_LEVEL: process.env.REHEARSE_LOG_LEVEL ?? "none"
    },
    ready: /ready at (\S+)[\s\S]*\n\n$/
  })
  return { ...running, url: running.match[1], key: /API key +(\S+)/.exec(running.match.input)?.[1] }
}

/** Counts statuses, and measures the longest time without an acknowledged write. */
const watchAnswers = () => {
  const ask = globalThis.fetch
  const answers = {}
  const seen = { answers, gapMs: 0, slowestMs: 0, last: performance.now() }
  const note = (what, began, method) => {
    const now = performance.now()
    answers[what] = (answers[what] ?? 0) + 1
    seen.slowestMs = Math.max(seen.slowestMs, now - began)
    if (method === "GET" || what >= 300 || typeof what === "string") return
    seen.gapMs = Math.max(seen.gapMs, now - seen.last)
    seen.last = now
  }
  globalThis.fetch = async (input, init) => {
    const began = performance.now()
    try {
      const answer = await ask(input, init)
      note(answer.status, began, init?.method ?? "GET")
      return answer
    } catch (error) {
      note(String(error.cause?.code ?? error.name), began, "GET")
      throw error
    }
  }
  return seen
}

/** Readiness of each server, whenever it changes. */
const watchReadiness = (servers) => {
  const last = new Map()
  const look = async ({ url }) => {
    const answer = await fetch(`${url}/ready`)
    const text = `${answer.status} ${(await answer.text()).trim()}`
    if (last.get(url) !== text) say(`${url}/ready ${text}`)
    last.set(url, text)
  }
  const timer = setInterval(() => Promise.all(servers.map(look)).catch(say), 250)
  return () => clearInterval(timer)
}

const first = await startServer()
const servers = [first, await startServer()]
const retry = { retriesMax: RETRIES, delayFirst: 20, delayMax: 2_000 }
const client = clientFor(() => servers, { apiKey: first.key, retry })
await prepare(client, { org: ORG, workers: WORKERS })
const unwatch = watchReadiness(servers)
const seen = watchAnswers()
const load = startMixedLoad(client, { org: ORG, workers: WORKERS })
for (let time = 0; time < TIMES; time++) {
  await pause(5)
  seen.gapMs = 0
  say(`disturbed: ${command}`)
  await promisify(exec)(command)
  await pause(PAUSE_SECONDS)
  const gapMs = Math.max(seen.gapMs, performance.now() - seen.last)
  say(`nothing was acknowledged for ${(gapMs / 1_000).toFixed(1)} s`)
}
const { builds, operations, failed } = await load.stop()
unwatch()
const wrong = await verify(client, { org: ORG, builds })
say(`answers: ${JSON.stringify(seen.answers)}, the slowest after ${seen.slowestMs.toFixed(0)} ms`)
say(`${operations} operations, ${failed.length} failed, ${wrong.length} wrong in the record`)
for (const line of [...failed, ...wrong].slice(0, 10)) say(`  ${line}`)
for (const { child, stop } of servers) {
  child.removeAllListeners("exit")
  await stop()
}
if (failed.length + wrong.length > 0) process.exitCode = 1
