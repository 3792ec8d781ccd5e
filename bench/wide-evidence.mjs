/**
 * Evidence about a content that runs in very many environments, against one that runs in a single one: the CPU of a
 * POST must not grow with the environments.
 *
 * `BENCH_ENVIRONMENTS` is the number of environments, `BENCH_POSTS` the number of writes of a round.
 */
import { compare } from "./lib/compare.mjs"
import { startDeployment } from "./lib/deployment.mjs"
import { artifactOf, attestationOf } from "./lib/evidence.mjs"
import { drive } from "./lib/load.mjs"
import { connect, cpuPer, prepare } from "./lib/log.mjs"

const ENVIRONMENTS = Number(process.env.BENCH_ENVIRONMENTS ?? 10_000)
const POSTS = Number(process.env.BENCH_POSTS ?? 400)

/** The contents: one runs in the first environment, the other in all. */
const [SINGLE, WIDE] = [1, 2]

const contentOf = (index) => artifactOf("run-1", index).fingerprint

/** Environments with a snapshot each, in which the contents run. */
const fillEnvironments = async (database) => {
  await database.query(
    `insert into attestry.environment select (jsonb_populate_record(e, jsonb_build_object('environment_id',
        'wide-' || i, 'name', 'wide-' || i, 'body_digest', 'b', 'rows_digest', 'r'))).*
      from attestry.environment e, generate_series(1, $1::int4) i where e.name = 'first'`,
    [ENVIRONMENTS]
  )
  for (const [content, count] of [
    [SINGLE, 1],
    [WIDE, ENVIRONMENTS]
  ]) {
    await database.query(
      `insert into attestry.exposure (org_id, fingerprint, environment_id, first_index, from_at, started_verdict,
          verdict, non_compliant, name)
        select e.org_id, $1, 'wide-' || i, 1, 0, 'Compliant', 'Compliant', 0, 'service-' || $1
        from attestry.environment e, generate_series(1, $2::int4) i where e.name = 'first'`,
      [contentOf(content), count]
    )
  }
}

export const run = async () => {
  const deployment = await startDeployment()
  const { headers, port, put, send } = deployment
  const prepared = await prepare(deployment)
  const database = await connect(deployment)
  const post = (path, body) => ({
    method: "POST",
    path: `/api/v2${path}`,
    headers,
    body: Buffer.from(JSON.stringify(body))
  })
  await send(put("/environments/bench", { name: "first", type: "K8S" }))
  for (const content of [SINGLE, WIDE]) {
    await send(post("/artifacts/bench/build", artifactOf("run-1", content)))
  }
  await fillEnvironments(database)
  let sent = 0
  const side = (content) => {
    const next = () => {
      sent += 1
      const body = { ...attestationOf(sent), artifact_fingerprint: contentOf(content) }
      return post("/attestations/bench/build/trail/run-1/generic", body)
    }
    const posts = () => drive(port, { count: POSTS, connections: 4, next })
    return { warmUp: posts, cost: () => cpuPer(deployment, POSTS, posts) }
  }
  await compare({
    name: `evidence on a content in ${ENVIRONMENTS} environments, against one`,
    goal: 0.67,
    unit: "µs CPU/POST",
    subject: side(WIDE),
    baseline: side(SINGLE)
  })
  for (const each of [prepared, database]) await each.end()
  await deployment.stop()
}
