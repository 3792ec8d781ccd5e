/**
 * Two servers on one PostgreSQL under the mixed load of `bench/`: when one is stopped or killed, a client that retries
 * sees no failed operation, and every acknowledged write is stored once.
 *
 * One stop of each kind in `pnpm test:full`, twenty in `pnpm test:faults`.
 */
import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { assert, describe, it } from "vitest"
import { MAIN } from "./shared/ServerProcess.js"

const STOPS = process.env.ATTESTRY_FAULTS === "1" ? 20 : 2

describe("two servers", () => {
  it(`are stopped ${STOPS} times without a failed operation`, {
    timeout: 90_000 * STOPS
  }, async () => {
    const bench = join(import.meta.dirname, "../../../bench/run.mjs")
    const { stdout } = await promisify(execFile)(process.execPath, [bench, "two-processes"], {
      env: { ...process.env, BENCH_STOPS: String(STOPS), BENCH_WORKERS: "4", BENCH_SERVER: MAIN }
    })
    const counts = new RegExp(`(\\d+) operations, ${STOPS} stops, 0 failed, 0 wrong`).exec(stdout)
    assert.isAbove(Number(counts?.[1]), 50, stdout)
  })
})
