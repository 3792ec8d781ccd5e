/** Runs the benchmarks that are named, or all of them, one after another. */
import { execFileSync } from "node:child_process"
import { cpus } from "node:os"

const benchmarks = {
  "unchanged-report": "./unchanged-report.mjs",
  authentication: "./authentication.mjs",
  "policy-evaluation": "./policy-evaluation.mjs",
  remedies: "./remedies.mjs",
  "hostile-pattern": "./hostile-pattern.mjs",
  "evaluator-bundle": "./evaluator-bundle.mjs",
  "reordered-report": "./reordered-report.mjs",
  "report-writes": "./report-writes.mjs",
  "report-files": "./report-files.mjs",
  "report-latency": "./report-latency.mjs",
  history: "./history.mjs",
  "changed-report": "./changed-report.mjs",
  "event-log": "./event-log.mjs",
  backtest: "./backtest.mjs",
  "as-of": "./as-of.mjs",
  exposures: "./exposures.mjs",
  "component-exposure": "./component-exposure.mjs",
  timeline: "./timeline.mjs",
  lists: "./lists.mjs",
  "partial-readers": "./partial-readers.mjs",
  "big-bodies": "./big-bodies.mjs",
  "evidence-post": "./evidence-post.mjs",
  "wide-evidence": "./wide-evidence.mjs",
  "wide-orgs": "./wide-orgs.mjs",
  "wide-policy": "./wide-policy.mjs",
  "evidence-reading": "./evidence-reading.mjs",
  "evidence-verification": "./evidence-verification.mjs",
  "evidence-intake": "./evidence-intake.mjs",
  "commit-positions": "./commit-positions.mjs",
  capsule: "./capsule.mjs",
  log: "./log.mjs",
  "log-reads": "./log-reads.mjs",
  "many-logs": "./many-logs.mjs",
  "racing-creates": "./racing-creates.mjs",
  "commit-search": "./commit-search.mjs",
  webhooks: "./webhooks.mjs",
  "notified-commits": "./notified-commits.mjs",
  "two-processes": "./two-processes.mjs"
}

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !(name in benchmarks))
if (unknown.length > 0) {
  process.stderr.write(
    `no benchmark ${unknown.join(", ")}; there are: ${Object.keys(benchmarks).join(", ")}\n`
  )
  process.exit(1)
}

const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim()
process.stdout.write(
  `${new Date().toISOString().slice(0, 10)}, commit ${commit}, Node ${process.version}, ${cpus().length} cores\n`
)
for (const name of asked.length > 0 ? asked : Object.keys(benchmarks)) {
  const { run } = await import(benchmarks[name])
  await run()
}
