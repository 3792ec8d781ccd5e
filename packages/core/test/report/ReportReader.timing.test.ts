/** Large reports are read in slices. */
import { performance } from "node:perf_hooks"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ReportReader } from "../../src/report/ReportReader.js"
import { EnvironmentName, OrgId } from "../../src/shared/Identifier.js"
import * as ReportFixture from "../../testing/ReportFixture.js"

/** About as many as the fast reader scans, and as a body of 16 MiB has room for. */
const SIZES = [18_000, 140_000]
const SLICE_MS_MAX = 50
const ATTEMPTS_MAX = 8

const textOf = (rows: number) =>
  JSON.stringify({
    artifacts: Array.from({ length: rows }, (_, at) => ({
      digests: { [`i${at}`]: at.toString(16).padStart(64, "0") },
      creationTimestamp: at
    }))
  })

/** Milliseconds in which the loop was busy, and in which this process had a processor. */
const moment = () => {
  const { user, system } = process.cpuUsage()
  return { active: performance.eventLoopUtilization().active, cpu: (user + system) / 1_000 }
}

/**
 * The longest time without a turn of the event loop. WHY the lesser of two: one measure includes other processes, the
 * other includes other threads of this process.
 */
const longestSlice = async (work: () => Promise<void>): Promise<number> => {
  let [last, longest] = [moment(), 0]
  const look = () => {
    const now = moment()
    longest = Math.max(longest, Math.min(now.active - last.active, now.cpu - last.cpu))
    last = now
  }
  const timer = setInterval(look, 1)
  await work()
  look()
  clearInterval(timer)
  return longest
}

const org = OrgId.make("00000000-0000-4000-8000-000000000000")
const name = EnvironmentName.make("prod")

const readAll = (text: string, rows: number) =>
  Effect.gen(function* () {
    const reader = yield* ReportReader
    const content = yield* reader.read({ org, name, kind: "docker", text })
    const { length } = yield* content.runningSetText({ includeScaling: true })
    assert.isAbove(length, text.length / 2)
    assert.lengthOf(yield* content.rows, rows)
  })

for (const [reading, reader] of ReportFixture.readers)
  describe(`${reading} reader`, () => {
    for (const rows of SIZES)
      it(`reads ${rows} rows in slices`, { timeout: 120_000 }, async () => {
        const text = textOf(rows)
        const work = () => Effect.runPromise(Effect.provide(readAll(text, rows), reader))
        let least = Number.POSITIVE_INFINITY
        for (let attempt = 0; attempt < ATTEMPTS_MAX && least >= SLICE_MS_MAX; attempt++)
          least = Math.min(least, await longestSlice(work))
        assert.isBelow(least, SLICE_MS_MAX)
      })
  })
