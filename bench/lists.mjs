/**
 * Benchmark 25: the first page of every list, with a million rows in its table, against a point read. Latencies are
 * wall-clock medians of answers over HTTP, interleaved with the point read.
 */
import { startDeployment } from "./lib/deployment.mjs"
import { get, inTurns, line } from "./lib/http.mjs"
import { fillOrg } from "./lib/large-org.mjs"

const SIZE = Number(process.env.BENCH_ROWS ?? 1_000_000)
const SAMPLES = 15
/** A first page may take so many times as long as a point read. */
const GOAL = 10

const POINT = "/flows/bench/build"
const FINGERPRINT = "1".padStart(64, "0")
const COMMIT = "1".padStart(40, "0")

const PAGE = "page=1&per_page=20"

/** The paths of the lists, each at its first page. */
const lists = {
  flows: `/flows/bench?${PAGE}`,
  "flows by latest activity": `/flows/bench?${PAGE}&sort=latest_activity&sort_direction=desc`,
  "flows that were never active": `/flows/bench?${PAGE}&sort=latest_activity`,
  "trails of an org": `/trails/bench?${PAGE}`,
  "trails of a flow": `/trails/bench/build?${PAGE}`,
  "trails of a commit": `/search/bench/commit/${COMMIT}/trails?${PAGE}`,
  "artifacts of an org": `/artifacts/bench?${PAGE}`,
  "artifacts of a flow": `/artifacts/bench?${PAGE}&flow_name=build`,
  "runs of an artifact": `/runs/bench/${FINGERPRINT}?${PAGE}`,
  "attestations of an org": `/attestations/bench?${PAGE}`,
  "attestations of a flow": `/attestations/bench/build?${PAGE}`,
  controls: `/controls/bench?${PAGE}`,
  "control coverage": `/control-coverage/bench?${PAGE}`,
  repositories: `/repos/bench?${PAGE}`,
  snapshots: `/snapshots/bench/long?${PAGE}`,
  "rows of a snapshot": `/snapshots/bench/wide/1/rows?${PAGE}`,
  events: `/environments/bench/long/events?${PAGE}`,
  "deployments of an org": `/deployments/bench?${PAGE}`,
  "deployments of a flow": `/deployments/bench?${PAGE}&flow=build`,
  "deployments of an environment": "/environments/bench/long/deployments?page=1&page_size=20",
  builds: `/builds/bench?${PAGE}`,
  journal: "/journal/bench?per_page=20"
}

/** Runs the benchmark. */
export const run = async () => {
  // WHY no scrub: it would report each row that no request has written as damage.
  const deployment = await startDeployment({ env: { ATTESTRY_SCRUB_RATE: "0" } })
  const { port, headers } = deployment
  const measure = async (name, path) => {
    const read = (each) => () => get(port, { path: each, headers })
    const [point, page] = await inTurns(SAMPLES, read(POINT), read(path))
    line(
      `25 ${name} at ${SIZE} rows, against a point read`,
      `${page.toFixed(1)} ms, ${point.toFixed(1)} ms, ${(page / point).toFixed(1)} times`,
      { goal: `at most ${GOAL}`, isReached: page <= GOAL * point }
    )
  }
  try {
    const org = await fillOrg(deployment, SIZE)
    for (const [name, path] of Object.entries(lists)) await measure(name, path)
    await org.moreEnvironments()
    await measure("environments", `/environments/bench?${PAGE}`)
    await org.end()
  } finally {
    await deployment.stop()
  }
}
