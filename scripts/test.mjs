/**
 * `pnpm test`: everything that must hold, in the order in which it is cheapest to find out.
 *
 * Types and build, formatting and lint, then every test of every package with the repository's own checks.
 * `--deep` plays the laws at full length; `--faults` runs only the tests that kill things.
 */
import { spawnSync } from "node:child_process"
import { readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { build, run } from "./build.mjs"

const root = join(import.meta.dirname, "..")
const deep = process.argv.includes("--deep")
const faults = process.argv.includes("--faults")
const named = process.argv.slice(2).filter((word) => !word.startsWith("--"))
const only = faults ? ["Faults", ...named] : named

build()
if (!faults) run("biome", "check", "--error-on-warnings", ".")

const report = join(tmpdir(), `attestry-test-${process.pid}.json`)
const { status } = spawnSync(
  join(root, "node_modules/.bin/vitest"),
  ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`, ...only],
  {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
    env: {
      ...process.env,
      ...(deep ? { ATTESTRY_DEEP: "1" } : {}),
      ...(faults ? { ATTESTRY_FAULTS: "1" } : {})
    }
  }
)

const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(report, "utf8"))
rmSync(report)
process.stdout.write(
  `${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped\n`
)
process.exitCode = status ?? 1
if (numPassedTests === 0) process.exitCode = 1
