/**
 * Benchmark 27: a snapshot of `BENCH_ROWS` artifacts as of an instant, its facts, and a dry run of a policy, each against
 * the plain read of the snapshot. Latencies are wall-clock medians of answers over HTTP, interleaved.
 *
 * Each artifact has a record in a trail of its own with two attestations, one of them late.
 */
import { startDeployment } from "./lib/deployment.mjs"
import { get, inTurns, line, post } from "./lib/http.mjs"
import { drive } from "./lib/load.mjs"

const ROWS = Number(process.env.BENCH_ROWS ?? 500)
const WARM_UP = 20
const SAMPLES = 40

const policyOf = (rules) =>
  `_schema: https://attestry.example/schemas/policy/v1\nartifacts:\n${rules}`
const COUNTED = policyOf("  provenance: {required: true}\n")
const CANDIDATE = policyOf("  attestations: [{type: generic, name: scan}]\n")

const fingerprintOf = (index) => (index + 1).toString(16).padStart(64, "0")

const REPORT = {
  artifacts: Array.from({ length: ROWS }, (_, index) => ({
    digests: { [`service-${index}`]: fingerprintOf(index) },
    creationTimestamp: 1_790_000_000
  }))
}

/** Reports the artifacts, each with an attestation, then what runs, then an attestation of each that is late. */
const prepare = async ({ headers, port, put, send }) => {
  const post = (path, body) => ({
    method: "POST",
    path: `/api/v2${path}`,
    headers,
    body: Buffer.from(JSON.stringify(body))
  })
  const all = (next) => drive(port, { count: ROWS, connections: 8, next })
  const attest = (name) => (index) =>
    post(`/attestations/bench/build/trail/run-${index}/generic`, {
      attestation_name: name,
      is_compliant: true,
      artifact_fingerprint: fingerprintOf(index)
    })
  await send(put("/flows/bench", { name: "build", description: "" }))
  await send(put("/policies/bench/rules", { policy_yaml: COUNTED }))
  await send(put("/environments/bench", { name: "prod", type: "server", policies: ["rules"] }))
  await all((index) => put("/trails/bench/build", { name: `run-${index}` }))
  await all((index) =>
    post("/artifacts/bench/build", {
      fingerprint: fingerprintOf(index),
      filename: `service-${index}`,
      build_url: "https://ci.example.org/1",
      commit_url: "https://git.example.org/1",
      trail_name: `run-${index}`,
      template_reference_name: "app"
    })
  )
  await all(attest("unit"))
  await send(put("/environments/bench/prod/report/server", REPORT))
  await all(attest("scan"))
  await send(put("/environments/bench/prod/report/server", REPORT))
}

/** The answer of a dry run. */
const dryRun = ({ headers, port }, asOf) =>
  post(port, {
    path: "/policies/bench/dry-run",
    headers,
    body: {
      candidate: { policy_yaml: CANDIDATE, name: "rules" },
      on: { environment: "prod", snapshot: "1" },
      as_of: asOf,
      show: "flips"
    }
  })

/** Runs the benchmark. */
export const run = async () => {
  const deployment = await startDeployment()
  const { port, headers } = deployment
  const read = (query) => () => get(port, { path: `/snapshots/bench/prod/1${query}`, headers })
  const plain = read("")
  const measure = async (name, goal, ask) => {
    for (let sample = 0; sample < WARM_UP; sample++) await Promise.all([plain(), ask()])
    const [base, took] = await inTurns(SAMPLES, plain, ask)
    line(
      `27 ${name} of ${ROWS} artifacts, against the plain read`,
      `${took.toFixed(1)} ms, ${base.toFixed(1)} ms, ${(took / base).toFixed(2)} times`,
      { goal: `at most ${goal}`, isReached: took <= goal * base }
    )
  }
  try {
    await prepare(deployment)
    const { rows } = JSON.parse(await dryRun(deployment, "judged"))
    if (rows.length !== ROWS) throw new Error(`${rows.length} of ${ROWS} rows flip`)
    await measure("a snapshot as of now", 3, read("?as_of=now"))
    const then = Math.floor(Date.now() / 1_000)
    await measure("a snapshot as of an instant", 3, read(`?as_of=${then}`))
    await measure("the facts of a snapshot", 3, read("/facts"))
    await measure("a dry run on the evidence of each evaluation", 1.3, () =>
      dryRun(deployment, "judged")
    )
    await measure("a dry run on current evidence", 1.3, () => dryRun(deployment, "now"))
  } finally {
    await deployment.stop()
  }
}
