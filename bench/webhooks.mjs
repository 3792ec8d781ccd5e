/**
 * Benchmarks 19 and 20: what it costs to carry one event to 200 webhooks, and what one dead target among
 * them costs the others.
 *
 * 19 compares the notifier's CPU time per POST (claim, sign, resolve, check, post over TLS, settle) with
 * that of bare kept-alive `node:http`, which does none of it; the line with `node:https` shows how much of
 * the difference is TLS. PostgreSQL's share is printed, and not part of the ratio: the floor has no outbox.
 * 20 compares the time in which 199 targets are served while one never answers with the time without it.
 */
import { join } from "node:path"
import { compare } from "./lib/compare.mjs"
import { cpuSeconds, familyCpuSeconds } from "./lib/cpu.mjs"
import { clusterOf } from "./lib/deployment.mjs"
import { openOutbox } from "./lib/outbox.mjs"
import { pidIn, startPostgres } from "./lib/postgres.mjs"
import { startProcess } from "./lib/process.mjs"

const TARGETS = 200
const EVENTS = Number(process.env.BENCH_EVENTS ?? 10)
const COUNT = TARGETS * EVENTS
const BODY_BYTES = 600
const GOAL_FAN_OUT = 0.5
const GOAL_DEAD_TARGET = 0.9

const script = (name) => join(import.meta.dirname, "servers", name)

const startSink = async () => {
  const sink = await startProcess([script("sink.mjs")], {
    env: {},
    ready: /sink (\d+) (\d+) (\d+)/
  })
  const [, https, http, dns] = sink.match
  const reach = (count) =>
    new Promise((resolve) => {
      sink.child.stdout.once("data", resolve)
      sink.child.stdin.write(`${count}\n`)
    })
  return { https, http, resolver: `127.0.0.1:${dns}`, reach, stop: sink.stop }
}

const startPoster = (scheme, port) =>
  startProcess([script("poster.mjs"), scheme, port, String(BODY_BYTES)], {
    env: {},
    ready: /ready/
  })

const urlsOf = (sink, dead) =>
  Array.from(
    { length: TARGETS },
    (_, index) =>
      `https://hooks.attestry.example:${sink.https}/${index < dead ? "dead" : "hook"}/${index}`
  )

const startNotifier = (postgres, sink) =>
  startProcess([script("notifier.mjs")], {
    env: { DATABASE_URL: postgres.url, RESOLVER: sink.resolver },
    ready: /ready/
  })

const fanOut = async (postgres, sink) => {
  const outbox = await openOutbox(postgres.url, urlsOf(sink, 0))
  const notifier = await startNotifier(postgres, sink)
  const database = pidIn(clusterOf(postgres.dataDir))
  const publish = async (events) => {
    const reached = sink.reach(events * TARGETS)
    await outbox.publish(events)
    await reached
  }
  const subject = {
    warmUp: () => publish(EVENTS),
    cost: async () => {
      const before = [cpuSeconds(notifier.pid), familyCpuSeconds([database])]
      await publish(EVENTS)
      const [own, stored] = [cpuSeconds(notifier.pid), familyCpuSeconds([database])]
      return {
        total: ((own - before[0]) / COUNT) * 1_000_000,
        "(PostgreSQL beside it)": ((stored - before[1]) / COUNT) * 1_000_000
      }
    }
  }
  for (const scheme of ["http", "https"]) {
    const poster = await startPoster(scheme, sink[scheme])
    const post = async (count) => {
      const reached = sink.reach(count)
      poster.child.stdin.write(`${count}\n`)
      await reached
    }
    await compare({
      name: `19 webhook fan-out, 1 event to ${TARGETS} targets, against bare node:${scheme}`,
      goal: GOAL_FAN_OUT,
      unit: "µs CPU/POST",
      subject,
      baseline: {
        warmUp: () => post(COUNT),
        cost: async () => {
          const before = cpuSeconds(poster.pid)
          await post(COUNT)
          return ((cpuSeconds(poster.pid) - before) / COUNT) * 1_000_000
        }
      }
    })
    await poster.stop()
  }
  await notifier.stop()
  await outbox.stop()
}

const deadTarget = async (postgres, sink) => {
  const notifier = await startNotifier(postgres, sink)
  const sideOf = async (dead) => {
    const outbox = await openOutbox(postgres.url, urlsOf(sink, dead))
    const publish = async (events) => {
      const reached = sink.reach(events * (TARGETS - dead))
      await outbox.publish(events)
      await reached
    }
    return {
      warmUp: () => publish(EVENTS),
      cost: async () => {
        const before = performance.now()
        await publish(EVENTS)
        return ((performance.now() - before) / (EVENTS * (TARGETS - dead))) * 1_000
      },
      stop: outbox.stop
    }
  }
  const [one, none] = [await sideOf(1), await sideOf(0)]
  await compare({
    name: `20 one dead target of ${TARGETS}, against none`,
    goal: GOAL_DEAD_TARGET,
    unit: "µs/POST to the living",
    subject: one,
    baseline: none
  })
  await notifier.stop()
  await one.stop()
  await none.stop()
}

/** Runs both, or the one whose number `BENCH_PART` names. */
export const run = async () => {
  const only = process.env.BENCH_PART
  const postgres = await startPostgres()
  const sink = await startSink()
  if (only !== "20") await fanOut(postgres, sink)
  if (only !== "19") await deadTarget(postgres, sink)
  await sink.stop()
  await postgres.stop()
}
