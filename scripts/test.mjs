/**
 * `pnpm test`: what a contributor waits for, in the order in which it is cheapest to find out: types and build,
 * formatting and lint, the quick run of the tests with the repository's own checks.
 *
 * `--full` runs the tests that the quick run leaves out (`vitest.runs.ts`), and at last, one after another, those that
 * measure time. With words it runs the test files whose path holds one of them, as a whole and without lint, and builds
 * only if one of their packages runs compiled code. `--watch` runs them again at each change; `--deep` runs all tests
 * with laws at full length; `--faults` runs only the tests that kill things.
 */
import { spawnSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
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

/** The tests of pages that a run has left out: without a browser they are skipped. */
const skippedPages = ({ testResults }) =>
  testResults
    .filter(({ name }) => name.includes("/packages/web/test/browser/"))
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === "pending" || status === "skipped").length

/** Runs tests to the end and adds up how they went; a run in which nothing passed has failed. */
const runTests = (args, extra) => {
  const report = join(tmpdir(), `attestry-test-${process.pid}.json`)
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`]
  const { status } = vitest(["run", ...reporters, ...args], extra)
  if (!existsSync(report)) {
    process.stderr.write("the test run ended before its report was written\n")
    process.exit(status || 1)
  }
  const result = JSON.parse(readFileSync(report, "utf8"))
  rmSync(report)
  counts.passed += result.numPassedTests
  counts.failed += result.numFailedTests
  counts.skipped += result.numPendingTests
  counts.withoutBrowser += skippedPages(result)
  if (status !== 0 || result.numPassedTests === 0) process.exitCode = status || 1
}

const TIMING = { ATTESTRY_TIMING: "1" }
const QUICK = { ATTESTRY_TEST_RUN: "quick" }
const FULL = { ATTESTRY_TEST_RUN: "full" }

/** The projects of vitest.config.ts that have tests which measure time. */
const TIMED_PROJECTS = ["plain", "wire", "stored"]

// WHY one project after another: projects of different pools run at the same time, and would measure each other.
const runTimed = () => {
  for (const project of TIMED_PROJECTS) runTests(["--project", project], TIMING)
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
    runTests([], FULL)
    runTimed()
  } else {
    run("biome", "check", "--error-on-warnings", ".")
    runTests([], deep ? {} : QUICK)
    if (deep) runTimed()
  }
}

const { passed, failed, skipped, withoutBrowser } = counts
process.stdout.write(`${passed} passed, ${failed} failed, ${skipped} skipped\n`)
if (withoutBrowser > 0)
  process.stdout.write(
    `${withoutBrowser} tests of pages were left out, because there is no browser: ` +
      "install one (`apt-get install chromium`), or set ATTESTRY_TEST_BROWSER to its path\n"
  )
