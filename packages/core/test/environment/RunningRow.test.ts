import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as RunningRow from "../../src/environment/RunningRow.js"
import * as EnvironmentReport from "../../src/report/EnvironmentReport.js"
import * as Generated from "../../testing/EnvironmentReport.js"

const report = Generated.environmentReport("cloudx-apps")
const includeScaling = FastCheck.boolean()
const rowsOf = (given: EnvironmentReport.EnvironmentReport<"cloudx-apps">) =>
  EnvironmentReport.rows("cloudx-apps", given)
const identity = FastCheck.record({
  name: FastCheck.oneof(Generated.artifactName, FastCheck.string()),
  fingerprint: Generated.reportedFingerprint
})

describe("RunningRow", () => {
  it.prop(
    "keys are equal exactly when identities are",
    { one: identity, two: identity },
    (given) => {
      const same =
        given.one.name === given.two.name && given.one.fingerprint === given.two.fingerprint
      assert.strictEqual(RunningRow.keyOf(given.one) === RunningRow.keyOf(given.two), same)
      assert.strictEqual(RunningRow.byIdentity(given.one, given.two) === 0, same)
    }
  )

  it.prop(
    "the text of the running set is equal exactly when keys and recorded counts are",
    { one: report, two: report, includeScaling },
    (given) => {
      const text = (body: typeof given.one) =>
        RunningRow.runningSetText(rowsOf(body), { includeScaling: given.includeScaling })
      const said = (body: typeof given.one) =>
        rowsOf(body)
          .map(({ name, fingerprint, creationTimestamp }) =>
            JSON.stringify([name, fingerprint, given.includeScaling ? creationTimestamp.length : 0])
          )
          .sort()
      assert.strictEqual(
        text(given.one) === text(given.two),
        JSON.stringify(said(given.one)) === JSON.stringify(said(given.two))
      )
    }
  )

  it.prop("neither times nor order change the text", { given: report, includeScaling }, (one) => {
    const rows = rowsOf(one.given)
    const restarted = [...rows].reverse().map((row) => ({
      ...row,
      creationTimestamp: row.creationTimestamp.map((time) => time + 60)
    }))
    const text = (given: ReadonlyArray<RunningRow.RunningRow>) =>
      RunningRow.runningSetText(given, { includeScaling: one.includeScaling })
    assert.strictEqual(text(restarted), text(rows))
  })

  it("distinguishes a name that looks like another line", () => {
    const [a] = Generated.fingerprints
    const text = (...names: ReadonlyArray<string>) =>
      RunningRow.runningSetText(
        rowsOf({
          artifacts: names.map((name) => ({
            digests: { [name]: a },
            creationTimestamp: 1,
            app_name: "x",
            app_kind: "y",
            digests_source: "z"
          }))
        }),
        { includeScaling: false }
      )
    for (const name of [`one\n${a} two`, `one"\n${a} "two`, `one\\n${a} two`])
      assert.notStrictEqual(text("one", "two"), text(name))
    assert.strictEqual(text(), "")
  })
})
