/** Evidence for benchmarks: bodies of about 2 KB, and many trails written as beginning them would have. */

const commitOf = (index) => index.toString(16).padStart(40, "c")

const commitInfo = (index) => ({
  sha1: commitOf(index),
  message: `Change number ${index}: ${"keep what was said ".repeat(12)}`,
  author: "Builder <builder@example.org>",
  author_username: "builder",
  branch: "main",
  timestamp: 1_790_000_000 + index,
  url: `https://git.example.org/team/service/commit/${commitOf(index)}`,
  parents: [commitOf(index + 1)]
})

/** The report of an artifact; every index is another build. */
export const artifactOf = (trail, index) => ({
  fingerprint: index.toString(16).padStart(64, "0"),
  filename: `registry.example.org/team/service:1.${index}`,
  build_url: `https://ci.example.org/team/service/runs/${index}`,
  commit_url: `https://git.example.org/team/service/commit/${commitOf(index)}`,
  git_commit: commitOf(index),
  git_commit_info: commitInfo(index),
  trail_name: trail,
  template_reference_name: "service",
  user_data: { log: "compiled, linked and packed. ".repeat(32) }
})

/** A generic attestation about the whole trail. */
export const attestationOf = (index) => ({
  attestation_name: `check-${index % 4}`,
  is_compliant: true,
  git_commit_info: commitInfo(index),
  user_data: { index, log: "examined line by line. ".repeat(48) }
})

/** The name of a trail of the fixture. */
export const trailName = (index) => `run-${index}`

/** A commit of the fixture: `hits` trails report each. */
export const FIXTURE_COMMIT = (number) => number.toString(16).padStart(40, "0")

/** The statement of each table that `count` trails of one flow fill; `hits` of them share a commit. */
const statements = ({ org, flow, template, from, count, hits }) => {
  const at = "1700000000000000 + i"
  const sha = `lpad(to_hex(i / ${hits}), 40, '0')`
  const series = `generate_series(${from}, ${from + count - 1}) i`
  const status = JSON.stringify({
    status: "COMPLIANT",
    is_compliant: true,
    attestations_statuses: [],
    artifacts_statuses: {}
  })
  return {
    "trail (org_id, trail_id, flow_id, name, details, repo_ids, created_by, created_at, last_modified_at)": `select '${org}', 'fixture-' || i, '${flow}', 'run-' || i, json_build_object('description', null,
        'git_commit_info', json_build_object('sha1', ${sha}, 'branch', 'main'), 'repo_info', null,
        'external_urls', null, 'origin_url', null, 'user_data', json_build_object()),
        '{}', 'bench', ${at}, ${at} from ${series} order by i`,
    "trail_commit (org_id, sha, ordinal, trail_id, branch)": `select t.org_id, ${sha}, t.ordinal, t.trail_id, 'main' from ${series}
        join attestry.trail t on t.org_id = '${org}' and t.trail_id = 'fixture-' || i order by i`,
    "trail_evaluation (org_id, trail_id, flow_id, template_id, evaluated_at, status, trail_status, record_statuses)": `select '${org}', 'fixture-' || i, '${flow}', '${template}', ${at}, 'COMPLIANT', '${status}', '[]'
        from ${series} order by i`
  }
}

/** Trails are written this many at a time: what is sorted and joined on the way then stays in memory. */
const FILLED_AT_ONCE = 100_000

/**
 * Fills a flow with trails, as beginning them would have left it: whole tables at a time, because a million
 * requests would take an hour. A benchmark samples them against the use case before it measures. Tables
 * are left as autovacuum would leave them.
 */
export const fillTrails = async (database, options) => {
  const found = await database.query(
    "select org_id, flow_id, template_id from attestry.flow where name = $1",
    [options.flowName]
  )
  const [{ org_id: org, flow_id: flow, template_id: template }] = found.rows
  const { from: first = 0, count: wanted, hits = 2 } = options
  for (let from = first; from < first + wanted; from += FILLED_AT_ONCE) {
    const count = Math.min(FILLED_AT_ONCE, first + wanted - from)
    const filled = statements({ org, flow, template, hits, from, count })
    // WHY: looking up for each row what it refers to takes most of the time, and the statements make it so.
    await database.query("begin; set local session_replication_role = replica")
    for (const [table, query] of Object.entries(filled)) {
      await database.query(`insert into attestry.${table} ${query}`)
    }
    await database.query("commit")
  }
  for (const table of ["trail", "trail_commit", "trail_evaluation"]) {
    await database.query(`vacuum analyze attestry.${table}`)
  }
}
