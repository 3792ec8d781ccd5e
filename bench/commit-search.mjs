/**
 * Benchmark 15: the trails of a commit, among a million, against reading one trail by its key, and against
 * the same search among ten thousand.
 *
 * Trails are written as beginning them would have; one of them must answer like one that was begun. The
 * statements are those of the store, run as the application's role on one connection, so that what is
 * compared is the search and not the way to it; the search through HTTP is printed beside them.
 */
import pg from "pg"
import { compare } from "./lib/compare.mjs"
import { startDeployment } from "./lib/deployment.mjs"
import { FIXTURE_COMMIT, fillTrails } from "./lib/evidence.mjs"

const LARGE = Number(process.env.BENCH_TRAILS ?? 1_000_000)
const SMALL = 10_000
const COMMON = 5_000
const SAMPLES = 300

const COLUMNS = `org_id, trail_id as id, flow_id, name, details, template, template_id, repo_ids,
  created_by, created_at, last_modified_at`
const KEY = `select ${COLUMNS} from trail where org_id = $1 and trail_id = $2`
const LINKS = "trail_commit where org_id = current_setting('attestry.org_id', true) and sha = $2"
const PAGE = `select f.name as flow, t.name as trail, c.branch, (select count(*) from ${LINKS}) as total
  from trail_commit c
    join trail t on t.org_id = c.org_id and t.trail_id = c.trail_id
    join flow f on f.org_id = t.org_id and f.flow_id = t.flow_id
  where c.org_id = $1 and c.sha = $2
  order by c.ordinal desc limit $3 offset $4`
const FIRST_PAGE = [15, 0]

const prepare = async (trails) => {
  const deployment = await startDeployment()
  await deployment.send(deployment.put("/flows/bench", { name: "build", description: "" }))
  const database = new pg.Client({ connectionString: deployment.databaseUrl })
  await database.connect()
  await fillTrails(database, { flowName: "build", count: trails })
  await fillTrails(database, { flowName: "build", from: trails, count: COMMON, hits: 10_000_000 })
  const { rows } = await database.query("select org_id from attestry.flow limit 1")
  const [{ org_id: org }] = rows
  await database.query("set search_path to attestry; set role attestry_app")
  await database.query("select set_config('attestry.org_id', $1, false)", [org])
  return { deployment, database, org, trails }
}

const common = ({ trails }) => FIXTURE_COMMIT(Math.floor(trails / 10_000_000))

/** Reads with named statements, many times, and gives the time of one by the clock. */
const timed = (database, texts, valuesOf) => {
  const once = async (index) => {
    for (const [name, text] of Object.entries(texts)) {
      await database.query({ name, text, values: valuesOf(index) })
    }
  }
  return {
    warmUp: async () => {
      for (let index = 0; index < SAMPLES; index++) await once(index)
    },
    cost: async () => {
      const times = []
      for (let index = 0; index < SAMPLES; index++) {
        const began = performance.now()
        await once(index)
        times.push(performance.now() - began)
      }
      return times.sort((left, right) => left - right)[SAMPLES >> 1] * 1_000
    }
  }
}

const anyOf = (index, count) => (index * 7_919) % count

const sides = ({ database, org, trails, ...rest }) => ({
  key: timed(database, { key: KEY }, (index) => [org, `fixture-${anyOf(index, trails)}`]),
  few: timed(database, { page: PAGE }, (index) => [
    org,
    FIXTURE_COMMIT(1 + anyOf(index, (trails >> 1) - 1)),
    ...FIRST_PAGE
  ]),
  many: timed(database, { page: PAGE }, () => [org, common({ trails, ...rest }), ...FIRST_PAGE])
})

const search = async ({ port, headers }, sha) => {
  const path = `/api/v2/search/bench/commit/${sha}/trails`
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers })
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}`)
  return response.json()
}

/** The fixture answers as a trail that was begun does. */
const sample = async (place) => {
  const { deployment } = place
  const sha = FIXTURE_COMMIT(1)
  const before = await search(deployment, sha)
  await deployment.send(
    deployment.put("/trails/bench/build", {
      name: "begun",
      git_commit_info: { sha1: sha, branch: "main" }
    })
  )
  const after = await search(deployment, sha)
  const shape = ({ flow_name, branch }) => JSON.stringify({ flow_name, branch })
  if (after.total_count !== before.total_count + 1) throw new Error("the begun trail is not found")
  if (new Set(after.trails.map(shape)).size !== 1) throw new Error("the fixture differs")
  const { total_count } = await search(deployment, common(place))
  if (total_count < COMMON) throw new Error(`the common commit has ${total_count} trails`)
}

/** Runs the benchmark. */
export const run = async () => {
  const [small, large] = [await prepare(SMALL), await prepare(LARGE)]
  await sample(small)
  await sample(large)
  const [here, there] = [sides(small), sides(large)]
  const unit = "µs"
  await compare({
    name: `15 a commit with 2 trails of ${LARGE}, page and count, against a trail by its key`,
    goal: 1 / 2,
    unit,
    subject: there.few,
    baseline: there.key
  })
  await compare({
    name: `15 a commit with ${COMMON} trails of ${LARGE}, page and count, against a trail by its key`,
    goal: 1 / 8,
    unit,
    subject: there.many,
    baseline: there.key
  })
  await compare({
    name: `15 a commit with 2 trails, of ${LARGE} against of ${SMALL}`,
    goal: 1 / 1.3,
    unit,
    subject: there.few,
    baseline: here.few
  })
  for (const { database, deployment } of [small, large]) {
    await database.end()
    await deployment.stop()
  }
}
