/**
 * `pnpm test`: everything that must hold, in the order in which it is cheapest to find out.
 *
 * Types and build, formatting and lint, every test of every package with the repository's own checks, and at
 * last, one after another, the tests that measure time. With words it runs only the test files whose path
 * holds one of them, without lint, and builds only if one of their packages runs compiled code. `--watch`
 * runs them again at each change; `--deep` plays the laws at full length; `--faults` runs only the tests that
 * kill things.
 */
import { spawnSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { build, run } from "./build.mjs"

const root = join(import.meta.dirname, "..")
const [deep, faults, watch] = ["--deep", "--faults", "--watch"].map((flag) =>
  process.argv.includes(flag)
)
const words = process.argv.slice(2).filter((word) => !word.startsWith("--"))

/** Packages whose tests run sources alone. */
const INTERPRETED = new Set(["core", "memory-store", "notifier", "sql-store"])

/** The names of projects and the folders of their tests, as in vitest.config.ts. */
const projects = [
  ...["packages", "examples"].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => ({ name, tests: `${folder}/${name}/test` }))
  ),
  { name: "checks", tests: "scripts/checks" }
]

const testFilesOf = ({ tests }) =>
  existsSync(join(root, tests))
    ? readdirSync(join(root, tests), { recursive: true })
        .filter((file) => file.endsWith(".test.ts"))
        .map((file) => `${tests}/${file}`)
    : []

const isNamed = (file) => words.some((word) => file.toLowerCase().includes(word.toLowerCase()))

/** Projects and files that the words name. */
const named = projects
  .map((project) => ({ name: project.name, files: testFilesOf(project).filter(isNamed) }))
  .filter(({ files }) => files.length > 0)

const env = {
  ...process.env,
  ...(deep ? { ATTESTRY_DEEP: "1" } : {}),
  ...(faults ? { ATTESTRY_FAULTS: "1" } : {})
}

const vitest = (args, extra = {}) =>
  spawnSync(join(root, "node_modules/.bin/vitest"), args, {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...env, ...extra }
  })

const counts = { passed: 0, failed: 0, skipped: 0 }

/** Runs tests to the end and adds up how they went; a run in which nothing passed has failed. */
const runTests = (args, extra) => {
  const report = join(tmpdir(), `attestry-test-${process.pid}.json`)
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`]
  const { status } = vitest(["run", ...reporters, ...args], extra)
  const result = JSON.parse(readFileSync(report, "utf8"))
  rmSync(report)
  counts.passed += result.numPassedTests
  counts.failed += result.numFailedTests
  counts.skipped += result.numPendingTests
  if (status !== 0 || result.numPassedTests === 0) process.exitCode = status || 1
}

const TIMING = { ATTESTRY_TIMING: "1" }

/** Runs some files, each in its lane. */
const runFiles = (files, projectArgs) => {
  const timed = files.filter((file) => file.endsWith(".timing.test.ts"))
  const others = files.filter((file) => !timed.includes(file))
  if (others.length > 0) runTests([...projectArgs, ...others])
  if (timed.length > 0) runTests([...projectArgs, ...timed], TIMING)
}

if (words.length > 0) {
  const files = named.flatMap((project) => project.files)
  if (files.length === 0) {
    process.stderr.write(`no test file has one of these words in its path: ${words.join(", ")}\n`)
    process.exit(1)
  }
  if (named.some(({ name }) => !INTERPRETED.has(name))) build()
  const projectArgs = named.flatMap(({ name }) => ["--project", name])
  if (watch) process.exit(vitest(["watch", ...projectArgs, ...files]).status ?? 1)
  runFiles(files, projectArgs)
} else {
  build()
  if (watch) process.exit(vitest(["watch"]).status ?? 1)
  if (faults) runTests(["Faults", "Kills"])
  else {
    run("biome", "check", "--error-on-warnings", ".")
    runTests([])
    runTests([], TIMING)
  }
}

process.stdout.write(
  `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`
)
