/** Benchmark 23: what large reports do to small reads beside them. */
import { setTimeout as pause } from "node:timers/promises"
import { artifactsOf, reportOf, startDeployment } from "./lib/deployment.mjs"
import { get, line, percentile99, timed } from "./lib/http.mjs"

const GETS = Number(process.env.BENCH_GETS ?? 2_000)
const ARTIFACTS = 5_000
const REPORTS_PER_SECOND = 2
const READERS = 4

/** Reports that each replace one artifact, so that every body has to be read and compared. */
const reporting = ({ put, send }) => {
  const path = "/environments/bench/big/report/cloudx-apps"
  const bodies = Array.from({ length: 4 }, (_, version) =>
    reportOf(artifactsOf(ARTIFACTS, (index) => (index === 0 ? version : 0)))
  )
  let isOver = false
  let sent = 0
  const work = async () => {
    while (!isOver) {
      const took = await timed(() => send(put(path, bodies[sent++ % bodies.length])))
      await pause(Math.max(0, 1_000 / REPORTS_PER_SECOND - took))
    }
  }
  const done = work()
  // What fails here is thrown by `stop`; until then it must not end the process.
  done.catch(() => {})
  return {
    stop: async () => {
      isOver = true
      await done
      return sent
    }
  }
}

const readAll = async ({ port, headers }) => {
  const times = []
  const reader = async () => {
    while (times.length < GETS) {
      times.push(await timed(() => get(port, { path: "/flows/bench", headers })))
    }
  }
  await Promise.all(Array.from({ length: READERS }, reader))
  return percentile99(times)
}

/** Runs the benchmark. */
export const run = async () => {
  const deployment = await startDeployment()
  try {
    await deployment.send(
      deployment.put("/environments/bench", { name: "big", type: "cloudx-apps" })
    )
    await readAll(deployment)
    const alone = await readAll(deployment)
    const reports = reporting(deployment)
    // The first reports are the largest changes, and warm the path up.
    await pause(5_000)
    const began = performance.now()
    const beside = await readAll(deployment)
    const seconds = (performance.now() - began) / 1000
    const sent = await reports.stop()
    line(
      `23 small read beside reports of ${ARTIFACTS} artifacts, p99 [ms]`,
      `${beside.toFixed(1)}; alone: ${alone.toFixed(1)}; ratio ${(beside / alone).toFixed(2)}; ` +
        `${sent} reports, ${seconds.toFixed(0)} s`,
      { goal: 3, isReached: beside / alone <= 3 }
    )
  } finally {
    await deployment.stop()
  }
}
