/** What evaluations could see of a fingerprint: as the slow model says, and never anything later. */

import * as CommitPosition from "@attestry/core/CommitPosition"
import * as FactTimeline from "@attestry/core/FactTimeline"
import type { FingerprintHistory, TrailHistory } from "@attestry/core/FingerprintHistory"
import { FlowId, FlowName, TemplateId, TrailId, TrailName } from "@attestry/core/Identifier"
import * as Timestamp from "@attestry/core/Timestamp"
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Model from "../../testing/internal/model/FactTimelineModel.js"

const FLOWS = ["build", "release"].map((id) => FlowId.make(id))
const CONTENT = "a".repeat(64)
const TEMPLATES = new Map([
  [TemplateId.make("none"), "version: 1\n"],
  [TemplateId.make("scan"), "version: 1\ntrail:\n  attestations: [{name: scan, type: generic}]\n"]
])
const NONE = TemplateId.make("none")

const event = FastCheck.record({
  flow: FastCheck.nat(1),
  trail: FastCheck.nat(1),
  what: FastCheck.constantFrom("record", "other", "pass", "fail", "version"),
  template: FastCheck.constantFrom(...TEMPLATES.keys()),
  /** How much later the transaction draws its number than it drew its entry. */
  delay: FastCheck.nat(3)
})

type Drawn = typeof event extends FastCheck.Arbitrary<infer A> ? A : never

const at = (sequence: number) => Timestamp.fromMicros(1_000_000 + sequence)

const attestationOf = (trail: string, sequence: number, isCompliant: boolean) => ({
  sequence,
  id: `attestation-${sequence}`,
  name: "scan",
  type: "generic",
  isCompliant,
  isOverride: false,
  fingerprint: null,
  slots: [],
  commit: null,
  trail_id: trail,
  control: null,
  at: at(sequence)
})

/** Events in the order of the journal; numbers rise within a trail and within a flow, and elsewhere in any order. */
const historyOf = (events: ReadonlyArray<Drawn>): FingerprintHistory => {
  const numbers = new Map<string, number>()
  const numberOf = (key: string, sequence: number, delay: number) => {
    const position = Math.max((numbers.get(key) ?? 0) + 1, (sequence + delay) * 10 + key.length)
    numbers.set(key, position)
    return position
  }
  const trails = FLOWS.flatMap((flow_id, flow) =>
    [0, 1].map((trail): TrailHistory => {
      const id = TrailId.make(`${flow_id}-${trail}`)
      const own = events.flatMap((each, index) =>
        each.flow === flow && each.trail === trail && each.what !== "version"
          ? [{ ...each, sequence: index + 1 }]
          : []
      )
      return {
        id,
        flow_id,
        name: TrailName.make(id),
        evaluated: {
          status: "COMPLIANT",
          template_id: own.at(-1)?.template ?? NONE
        },
        events: own.map(({ delay, sequence, template }) => ({
          sequence,
          position: numberOf(id, sequence, delay),
          at: at(sequence),
          template_id: template,
          status: ""
        })),
        artifacts: own
          .filter(({ what }) => what === "record" || what === "other")
          .map(({ sequence, what }) => ({
            sequence,
            id: `record-${sequence}`,
            slot: "app",
            fingerprint: what === "record" ? CONTENT : "b".repeat(64),
            commit: null,
            at: at(sequence)
          })),
        attestations: own
          .filter(({ what }) => what === "pass" || what === "fail")
          .map(({ sequence, what }) => attestationOf(id, sequence, what === "pass"))
      }
    })
  )
  const flows = new Map(
    FLOWS.map((flow_id, flow) => [
      flow_id,
      [
        { flow_id, position: 0, at: at(0), name: FlowName.make(flow_id), tags: {} },
        ...events.flatMap((each, index) =>
          each.flow === flow && each.what === "version"
            ? [
                {
                  flow_id,
                  position: numberOf(flow_id, index + 1, each.delay),
                  at: at(index + 1),
                  name: FlowName.make(`${flow_id}-${index}`),
                  tags: { risk: String(each.trail) }
                }
              ]
            : []
        )
      ].map((version) => ({ ...version, template_id: NONE, archived_at: null }))
    ])
  )
  return { fingerprint: CONTENT, trails, flows, templates: TEMPLATES }
}

const events = FastCheck.array(event, { maxLength: 24, size: "max" })

const short = (flows: ReadonlyArray<FactTimeline.KnownFlow>): ReadonlyArray<Model.ModelFlow> =>
  flows.map(({ artifact_id, flow_id, status, trail_id, view }) => [
    flow_id,
    view.flow_name,
    view.tags,
    trail_id,
    artifact_id,
    status
  ])

describe("FactTimeline", () => {
  it.prop("agrees with the model, by numbers and by instants", { events }, ({ events: drawn }) => {
    const history = historyOf(drawn)
    const timeline = FactTimeline.make(history)
    const evaluations = [
      CommitPosition.everything,
      ...drawn.flatMap((_, index) => [
        { position: index * 10 + 5, at: at(index) },
        CommitPosition.asOf(at(index))
      ])
    ]
    for (const evaluation of evaluations)
      assert.deepStrictEqual(short(timeline.at(evaluation)), Model.at(history, evaluation))
  })

  it.prop(
    "HIST-3: uses nothing with a number that is not lower",
    { events },
    ({ events: drawn }) => {
      const history = historyOf(drawn)
      const evaluation = { position: 60, at: at(6) }
      const cut: FingerprintHistory = {
        ...history,
        trails: history.trails.map((trail) => {
          const events = trail.events.filter(({ position }) => position < 60)
          const kept = new Set(events.map(({ sequence }) => sequence))
          return {
            ...trail,
            events,
            evaluated: {
              template_id: events.at(-1)?.template_id ?? NONE,
              status: "COMPLIANT"
            },
            artifacts: trail.artifacts.filter(({ sequence }) => kept.has(sequence)),
            attestations: trail.attestations.filter(({ sequence }) => kept.has(sequence))
          }
        })
      }
      assert.deepStrictEqual(
        FactTimeline.make(cut).at(evaluation),
        FactTimeline.make(history).at(evaluation)
      )
    }
  )

  it.prop("changes only at its events", { events }, ({ events: drawn }) => {
    const timeline = FactTimeline.make(historyOf(drawn))
    const numbers = timeline.events.map(({ position }) => position)
    assert.deepStrictEqual(
      numbers,
      [...numbers].sort((left, right) => left - right)
    )
    for (const position of numbers)
      assert.deepStrictEqual(
        timeline.at({ position, at: at(0) }),
        timeline.at({ position: position - 0.5, at: at(0) }),
        "what has a number is not visible to an evaluation of the same number"
      )
  })
})
