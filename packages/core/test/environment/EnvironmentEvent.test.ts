import { assert, describe, it } from "@effect/vitest"
import { FastCheck, Schema } from "effect"
import * as EnvironmentEvent from "../../src/environment/EnvironmentEvent.js"
import { EnvironmentName } from "../../src/shared/Identifier.js"
import * as Timestamp from "../../src/shared/Timestamp.js"
import * as Generated from "../../testing/arbitrary/EnvironmentEvent.js"
import * as Reports from "../../testing/EnvironmentReport.js"

const { environmentEvent } = Generated
const links = {
  artifact: { self: "a", html: "b" },
  snapshot: { self: "c", html: "d" }
}
const { byOccurrence, classOf, describe: inWords, toView } = EnvironmentEvent

describe("EnvironmentEvent", () => {
  it.prop(
    "has one order for any input order",
    { events: FastCheck.array(environmentEvent) },
    (given) => {
      const view = (events: ReadonlyArray<EnvironmentEvent.EnvironmentEvent>) =>
        [...events]
          .sort(byOccurrence)
          .map(({ snapshotIndex, kind, name, fingerprint }) => [
            snapshotIndex,
            classOf(kind),
            name,
            fingerprint
          ])
      assert.deepStrictEqual(view([...given.events].reverse()), view(given.events))
    }
  )

  it.prop("encodes and decodes its view", { event: environmentEvent }, ({ event }) => {
    const view = toView(event, links)
    const sent = Schema.encodeSync(EnvironmentEvent.EnvironmentEventView)(view)
    assert.strictEqual(sent.reported_at, Timestamp.toSeconds(event.at))
    assert.deepStrictEqual(
      Schema.decodeUnknownSync(EnvironmentEvent.EnvironmentEventView)(
        JSON.parse(JSON.stringify(sent))
      ),
      view
    )
  })

  it.each([
    ["started-compliant", "started"],
    ["started-non-compliant", "started"],
    ["started-unknown", "started"],
    ["became-compliant", "changed"],
    ["became-non-compliant", "changed"],
    ["scaled", "changed"],
    ["updated-provenance", "changed"],
    ["changed", "changed"],
    ["exited", "exited"]
  ] as const)("`%s` is of class `%s`", (kind, expected) =>
    assert.strictEqual(classOf(kind), expected)
  )

  it.each([
    ["started-unknown", 0, 1, "1 instance started running (from 0 to 1)"],
    ["started-compliant", 0, 3, "3 instances started running (from 0 to 3)"],
    ["exited", 2, 0, "2 instances stopped running (from 2 to 0)"],
    ["changed", 3, 3, "3 instances changed"],
    ["scaled", 1, 2, "2 instances changed"]
  ] as const)("`%s` from %i to %i reads `%s`", (kind, was, now, text) =>
    assert.strictEqual(inWords({ kind, was, now }), text)
  )

  it("has the form of the event log", () =>
    assert.deepStrictEqual(
      toView(
        {
          environment: EnvironmentName.make("prod"),
          snapshotIndex: 4,
          at: Timestamp.fromSeconds(12.5),
          kind: "updated-provenance",
          name: "shop",
          fingerprint: Reports.fingerprints[0],
          was: 1,
          now: 1,
          verdict: "Compliant",
          snapshotVerdict: "Unknown",
          flowNames: ["build", "release"],
          repoNames: ["acme/shop"],
          gitCommit: null,
          commitUrl: null,
          diffUrl: null
        },
        links
      ),
      {
        environment_name: EnvironmentName.make("prod"),
        snapshot_index: 4,
        artifact_name: "shop",
        sha256: Reports.fingerprints[0],
        description: "1 instance changed",
        reported_at: Timestamp.fromSeconds(12.5),
        pipeline: "build",
        deployments: [],
        flows: [
          { flow_name: "build", deployments: null },
          { flow_name: "release", deployments: null }
        ],
        artifact_compliance: true,
        snapshot_compliance: false,
        type: "updated-provenance",
        code_diff: "",
        _links: links
      }
    ))
})
