/**
 * Mutation testing, run by hand: `pnpm test:mutation` for every group, or `pnpm test:mutation evidence rules`.
 *
 * Changes decision modules of core one operator at a time and counts the changes that no test notices. What
 * was found before is kept in a file, so that a second run tries only what changed; `--force` tries everything.
 */
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { write } from "./mutation/modules.mjs"

const root = join(import.meta.dirname, "..")
const core = join(root, "packages/core")
const policy = (...names) => names.map((name) => `src/policy/${name}.ts`)
const internal = (...names) => names.map((name) => `src/policy/internal/${name}.ts`)
const snapshot = (...names) => names.map((name) => `src/snapshot/${name}.ts`)

/** What is mutated, and the tests that are asked about it: the fewest that decide, because each mutant runs them. */
const evaluationTests = ["", "Laws"]
  .map((part) => `policy/PolicyEvaluation${part}.test.ts`)
  .concat("policy/PolicyRuleLaws.test.ts")
const conditions = ["policy/PolicyExpression.test.ts", "policy/PolicyExpressionTruth.test.ts"]
const groups = {
  evidence: { mutate: policy("PolicyEvidence"), tests: ["policy/PolicyEvidence.test.ts"] },
  rules: {
    mutate: internal("PolicyRules", "PolicyRow", "PolicySet"),
    tests: ["policy/PolicySet.test.ts", "policy/PolicyRules.test.ts", ...evaluationTests]
  },
  evaluation: {
    mutate: policy("PolicyEvaluation", "PolicyReason", "AppliedPolicy"),
    tests: [
      ...evaluationTests,
      ...["AppliedPolicy", "PolicyAnswers", "PolicyReason"].map((name) => `policy/${name}.test.ts`)
    ]
  },
  values: { mutate: policy("PolicyValue"), tests: ["policy/PolicyValue.test.ts"] },
  conditions: {
    mutate: [...policy("PolicyPredicate"), ...internal("PolicyExpressionCompiler")],
    tests: ["policy/PolicyPredicate.test.ts", "policy/PolicyPredicateLimits.test.ts", ...conditions]
  },
  syntax: {
    mutate: internal("PolicyExpressionLexer", "PolicyExpressionParser"),
    tests: ["policy/PolicyExpressionSyntax.test.ts", ...conditions]
  },
  expressions: {
    mutate: [
      ...policy("PolicyExpression", "PolicyExpressionTree"),
      ...internal("PolicyExpressionTypes")
    ],
    tests: ["policy/PolicyExpressionPrint.test.ts", ...conditions]
  },
  documents: {
    mutate: [...policy("PolicyDocument"), ...internal("PolicyDocumentReader")],
    tests: ["Document", "DocumentProblems", "DocumentReader", "Corpus"].map(
      (part) => `policy/Policy${part}.test.ts`
    )
  },
  patterns: {
    mutate: [...policy("PolicyPattern"), ...internal("LiteralPattern", "PatternSize")],
    tests: ["PolicyPattern", "LiteralPattern", "PatternSize"].map(
      (name) => `policy/${name}.test.ts`
    )
  },
  snapshots: {
    mutate: snapshot("SnapshotDiff", "SnapshotAnnotation", "SnapshotCounts", "SnapshotTimeline"),
    tests: ["Diff", "Annotation", "Counts", "Timeline"].map(
      (name) => `snapshot/Snapshot${name}.test.ts`
    )
  },
  "snapshot-rows": {
    mutate: snapshot("internal/RowComparison"),
    tests: ["snapshot/RowComparison.test.ts"]
  },
  "snapshot-expressions": {
    mutate: snapshot("SnapshotExpression", "SnapshotRange", "SnapshotComparison"),
    tests: ["Expression", "Range", "Comparison"].map((name) => `snapshot/Snapshot${name}.test.ts`)
  }
}

const force = process.argv.includes("--force")
const asked = process.argv.slice(2).filter((word) => word !== "--force")
const unknown = asked.filter((name) => !(name in groups))
if (unknown.length > 0) {
  process.stderr.write(
    `no group ${unknown.join(", ")}; there are: ${Object.keys(groups).join(", ")}\n`
  )
  process.exit(1)
}

const stryker = fileURLToPath(import.meta.resolve("@stryker-mutator/core"))
const program = join(dirname(stryker), "..", "..", "bin", "stryker.js")
const reports = join(core, "reports/mutation")
mkdirSync(reports, { recursive: true })
const folder = mkdtempSync(join(reports, "libraries-"))
process.on("exit", () => rmSync(folder, { recursive: true }))
const libraries = join(folder, "node_modules")
await write(libraries)

const run = (name) => {
  const { mutate, tests } = groups[name]
  const report = join(reports, `${name}.json`)
  const config = join(reports, `${name}.config.json`)
  writeFileSync(
    config,
    JSON.stringify({
      testRunner: "vitest",
      plugins: [import.meta.resolve("@stryker-mutator/vitest-runner")],
      vitest: { configFile: join(root, "scripts/mutation/vitest.config.ts"), dir: "test" },
      mutate,
      coverageAnalysis: "perTest",
      concurrency: 1,
      incremental: true,
      force,
      incrementalFile: join(reports, `${name}.incremental.json`),
      reporters: ["json", "clear-text", "progress-append-only"],
      clearTextReporter: { logTests: false, allowColor: false, reportTests: false },
      jsonReporter: { fileName: report },
      ignorePatterns: ["dist", "reports", "tsconfig*.json"],
      disableTypeChecks: false,
      // WHY: our compiler has no programming interface, and the runner needs none of its settings.
      tsconfigFile: "none.json",
      timeoutMS: 10_000,
      tempDirName: ".mutants",
      allowConsoleColors: false
    })
  )
  const { status } = spawnSync("nice", [process.execPath, program, "run", config], {
    cwd: core,
    env: {
      ...process.env,
      ATTESTRY_BOUNDED: "1",
      ATTESTRY_MUTATION_LIBRARIES: libraries,
      ATTESTRY_MUTATION_TESTS: tests.join(" ")
    },
    stdio: "inherit"
  })
  if (status !== 0) process.exit(status ?? 1)
  return JSON.parse(readFileSync(report, "utf8"))
}

const KILLED = new Set(["Killed", "Timeout"])
const COUNTED = new Set(["Killed", "Timeout", "Survived", "NoCoverage"])
const total = { killed: 0, all: 0 }
for (const name of asked.length > 0 ? asked : Object.keys(groups)) {
  const { files } = run(name)
  const mutants = Object.values(files).flatMap((file) => file.mutants)
  const counted = mutants.filter(({ status }) => COUNTED.has(status))
  const killed = counted.filter(({ status }) => KILLED.has(status)).length
  total.killed += killed
  total.all += counted.length
  process.stdout.write(
    `mutation ${name}: ${killed} of ${counted.length} killed, ${((100 * killed) / counted.length).toFixed(1)} %\n`
  )
}
process.stdout.write(
  `mutation: ${total.killed} of ${total.all} killed, ${((100 * total.killed) / total.all).toFixed(1)} %\n`
)
