/** When the next report is due, and the health of a reporter. */
import { assert, describe, it } from "vitest"
import * as ReportHealth from "../../src/environment/ReportHealth.js"
import * as ReportSchedule from "../../src/environment/ReportSchedule.js"

describe("the pause between reports", () => {
  it("is the interval, give or take a tenth", () => {
    assert.deepStrictEqual(
      [0, 0.5, 1].map((chance) => ReportSchedule.successPauseMs(60_000, chance)),
      [54_000, 60_000, 66_000]
    )
  })

  it("doubles with failures from 5 seconds to 5 minutes", () => {
    assert.deepStrictEqual(
      [1, 2, 3, 4, 5, 6, 7, 8, 99].map(ReportSchedule.failurePauseMs),
      [5_000, 10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000, 300_000]
    )
  })

  it("begins anew after a success", () => {
    const first = ReportSchedule.failed(ReportSchedule.begin(0), 0)
    const second = ReportSchedule.failed(first, 5_000)
    assert.deepStrictEqual([first.dueMs, second.dueMs, second.failures], [5_000, 15_000, 2])
    const well = ReportSchedule.succeeded(15_000, 60_000)
    assert.deepStrictEqual(ReportSchedule.failed(well, 75_000).dueMs, 80_000)
  })
})

describe("a reporter", () => {
  const health = (succeededMs: number | undefined): ReportHealth.Health => ({
    environment: 'pr"od\\\n',
    everyMs: 60_000,
    progress: { dueMs: 0, failures: 1, succeededMs },
    succeeded: 3,
    failed: 1,
    units: 41,
    leftOut: 2,
    unknown: 1
  })

  it("is ready for three intervals after a success, and not before the first", () => {
    const statusAt = (nowMs: number, succeededMs: number | undefined) =>
      ReportHealth.answerOf("/ready", [health(succeededMs)], nowMs).status
    assert.strictEqual(statusAt(0, undefined), 503)
    assert.strictEqual(statusAt(180_000, 0), 200)
    assert.strictEqual(statusAt(180_001, 0), 503)
    assert.strictEqual(ReportHealth.answerOf("/live", [], 0).status, 200)
    assert.strictEqual(ReportHealth.answerOf("/other", [], 0).status, 404)
  })

  it("has metrics in the format of their readers, with labels escaped", () => {
    const { body } = ReportHealth.answerOf("/metrics", [health(1_000)], 31_000)
    const label = 'environment="pr\\"od\\\\\\n"'
    assert.include(body, `attestry_report_age_seconds{${label}} 30\n`)
    assert.include(body, `attestry_reports_total{${label},outcome="failed"} 1\n`)
    assert.include(body, `attestry_report_units{${label}} 41\n`)
    assert.include(body, `attestry_report_left_out{${label}} 2\n`)
    assert.include(body, `attestry_report_unknown_digests{${label}} 1\n`)
    assert.notInclude(
      ReportHealth.answerOf("/metrics", [health(undefined)], 0).body,
      "age_seconds{"
    )
  })
})
