/** Events by snapshot. */
import { assert, describe, it } from "vitest"
import { countsOf, groupsOf, verdictOf } from "../../app/environment/EventGroups.js"
import type { EnvironmentEvent } from "../../app/shared/Contract.js"

const eventOf = (
  snapshot_index: number,
  type: EnvironmentEvent["type"],
  more: Partial<EnvironmentEvent> = {}
): EnvironmentEvent => ({
  environment_name: "prod",
  snapshot_index,
  artifact_name: "shop",
  sha256: "",
  description: "",
  reported_at: snapshot_index * 10,
  pipeline: "",
  deployments: [],
  flows: [],
  artifact_compliance: false,
  snapshot_compliance: false,
  type,
  code_diff: "",
  _links: { artifact: { self: "", html: "" }, snapshot: { self: "", html: "" } },
  ...more
})

describe("events", () => {
  it("are grouped by snapshot in their order", () => {
    const groups = groupsOf([
      eventOf(3, "exited"),
      eventOf(3, "started-non-compliant"),
      eventOf(2, "started-unknown"),
      eventOf(1, "started-compliant", { artifact_compliance: true, snapshot_compliance: true })
    ])
    assert.deepStrictEqual(
      groups.map(({ index, seconds, verdict, events }) => [index, seconds, verdict, events.length]),
      [
        [3, 30, "non-compliant", 2],
        [2, 20, "unknown", 1],
        [1, 10, "compliant", 1]
      ]
    )
    assert.deepStrictEqual(groupsOf([]), [])
  })

  it("say no verdict that the log does not know", () => {
    assert.isUndefined(verdictOf(eventOf(1, "exited")))
    assert.strictEqual(verdictOf(eventOf(1, "exited", { artifact_compliance: true })), "compliant")
    assert.strictEqual(verdictOf(eventOf(1, "became-non-compliant")), "non-compliant")
    assert.isUndefined(groupsOf([eventOf(1, "exited")])[0]?.verdict)
  })

  it("read counts", () => {
    assert.deepStrictEqual(countsOf("3 instances started running (from 0 to 3)"), {
      was: 0,
      now: 3
    })
    assert.isUndefined(countsOf("3 instances changed"))
  })
})
