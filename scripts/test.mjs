/**
 * `pnpm test`: what a contributor waits for, in the order in which it is cheapest to find out: types and build,
 * formatting and lint, the quick run of the tests with the repository's own checks.
 *
 * Test files that fail in a whole run are run once more, one after another with nothing beside them. The run fails if a
 * file fails again; the end of the output names the tests that failed only the first time, so that they get mended.
 *
 * `--full` runs the tests that the quick run leaves out (`vitest.runs.ts`), and at last, one after another, those that
 * measure time. With words it runs the test files whose path holds one of them, as a whole and without lint, and builds
 * only if one of their packages runs compiled code. `--watch` runs them again at each change; `--deep` runs all tests
 * with laws at full length; `--faults` runs only the tests that kill things.
 */
import { spawnSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { build, run } from "./build.mjs"

const root = join(import.meta.dirname, "..")
const [full, deep, faults, watch] = ["--full", "--deep", "--faults", "--watch"].map((flag) =>
  process.argv.includes(flag)
)
const words = process.argv.slice(2).filter((word) => !word.startsWith("--"))

/** Packages whose tests run sources alone. */
const INTERPRETED = ["core", "embedded-postgres", "memory-store", "notifier", "sql-store"].map(
  (name) => `packages/${name}/`
)

const testFilesIn = (folder) =>
  existsSync(join(root, folder))
    ? readdirSync(join(root, folder), { recursive: true })
        .filter((file) => file.endsWith(".test.ts"))
        .map((file) => `${folder}/${file}`)
    : []

/** The folders of tests, as in vitest.config.ts. */
const folders = [
  ...["packages", "examples"].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => `${folder}/${name}/test`)
  ),
  "scripts/checks"
]

/** The test files whose path holds one of the words. */
const named = folders
  .flatMap(testFilesIn)
  .filter((file) => words.some((word) => file.toLowerCase().includes(word.toLowerCase())))

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

const counts = { passed: 0, failed: 0, skipped: 0, withoutBrowser: 0 }

/** The tests that failed beside others and passed alone. */
const unsteady = []

/** The tests of pages that a run has left out: without a browser they are skipped. */
const skippedPages = ({ testResults }) =>
  testResults
    .filter(({ name }) => name.includes("/packages/web/test/browser/"))
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === "pending" || status === "skipped").length

/** Runs tests to the end, and reads the report of the run. */
const reported = (args, extra) => {
  const report = join(tmpdir(), `attestry-test-${process.pid}.json`)
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`]
  const { status } = vitest(["run", ...reporters, ...args], extra)
  if (!existsSync(report)) {
    process.stderr.write("the test run ended before its report was written\n")
    process.exit(status || 1)
  }
  const result = JSON.parse(readFileSync(report, "utf8"))
  rmSync(report)
  return { status, result }
}

/** The path and the failed tests of each file that failed; a file that could not be loaded has no tests. */
const failedFiles = ({ testResults }) =>
  testResults
    .filter(({ status }) => status === "failed")
    .map(({ name, assertionResults }) => ({
      path: relative(root, name),
      tests: assertionResults
        .filter(({ status }) => status === "failed")
        .map(({ fullName }) => fullName.trim())
    }))

/** The most files that are run again: where more fail, something is broken. */
const AGAIN_MAX = 5

/** Runs each failed file again with nothing beside it; whether all of them pass now. */
const passAlone = (failed, extra) =>
  failed.every(({ path, tests }) => {
    process.stdout.write(`\nonce more, alone: ${path}\n`)
    const { status, result } = reported([path], extra)
    if (status !== 0 || result.numPassedTests === 0) return false
    unsteady.push(...tests.map((test) => `${path}: ${test}`))
    return true
  })

/** Runs tests to the end and adds up how they went; a run in which nothing passed has failed. */
const runTests = (args, extra, { again = false } = {}) => {
  const { status, result } = reported(args, extra)
  const failed = failedFiles(result)
  const isMended =
    again &&
    failed.length > 0 &&
    failed.length <= AGAIN_MAX &&
    result.numPassedTests > 0 &&
    passAlone(failed, extra)
  counts.passed += result.numPassedTests + (isMended ? result.numFailedTests : 0)
  counts.failed += isMended ? 0 : result.numFailedTests
  counts.skipped += result.numPendingTests
  counts.withoutBrowser += skippedPages(result)
  if ((status !== 0 && !isMended) || result.numPassedTests === 0) process.exitCode = status || 1
}

const TIMING = { ATTESTRY_TIMING: "1" }
const QUICK = { ATTESTRY_TEST_RUN: "quick" }
const FULL = { ATTESTRY_TEST_RUN: "full" }
const AGAIN = { again: true }

/** The projects of vitest.config.ts that have tests which measure time. */
const TIMED_PROJECTS = ["plain", "wire", "stored"]

// WHY one project after another: projects of different pools run at the same time, and would measure each other.
const runTimed = () => {
  for (const project of TIMED_PROJECTS) runTests(["--project", project], TIMING, AGAIN)
}

/** Runs some files, each in its lane. */
const runFiles = (files) => {
  const timed = files.filter((file) => file.endsWith(".timing.test.ts"))
  const others = files.filter((file) => !timed.includes(file))
  if (others.length > 0) runTests(others)
  if (timed.length > 0) runTests(timed, TIMING)
}

if (words.length > 0) {
  if (named.length === 0) {
    process.stderr.write(`no test file has one of these words in its path: ${words.join(", ")}\n`)
    process.exit(1)
  }
  if (named.some((file) => !INTERPRETED.some((folder) => file.startsWith(folder)))) await build()
  if (watch) process.exit(vitest(["watch", ...named]).status ?? 1)
  runFiles(named)
} else {
  await build()
  if (watch) process.exit(vitest(["watch"], QUICK).status ?? 1)
  if (faults) runTests(["Faults", "Kills"])
  else if (full) {
    runTests([], FULL, AGAIN)
    runTimed()
  } else {
    run("biome", "check", "--error-on-warnings", ".")
    runTests([], deep ? {} : QUICK, AGAIN)
    if (deep) runTimed()
  }
}

const { passed, failed, skipped, withoutBrowser } = counts
process.stdout.write(`${passed} passed, ${failed} failed, ${skipped} skipped\n`)
if (unsteady.length > 0)
  process.stdout.write(
    `${unsteady.length} failed beside other tests and passed alone; mend them:\n` +
      unsteady.map((test) => `  ${test}\n`).join("")
  )
if (withoutBrowser > 0)
  process.stdout.write(
    `${withoutBrowser} tests of pages were left out, because there is no browser: ` +
      "install one (`apt-get install chromium`), or set ATTESTRY_TEST_BROWSER to its path\n"
  )
