/**
 * The slow reference model of `FactTimeline`: applies the visible events one after another, and reads the facts at
 * the end.
 */

import * as CommitPosition from "@attestry/core/CommitPosition"
import type {
  FingerprintHistory,
  TimedRecord,
  TrailHistory
} from "@attestry/core/FingerprintHistory"
import * as FlowTemplate from "@attestry/core/FlowTemplate"
import * as TrailCompliance from "@attestry/core/TrailCompliance"
import * as Either from "effect/Either"

/** What one flow knew, in short: flow, name, tags, trail, record, status, and the attestations that count. */
export type ModelFlow = readonly [
  flow: string,
  name: string,
  tags: object,
  trail: string,
  record: string,
  status: string
]

const evaluated = (
  history: FingerprintHistory,
  trail: TrailHistory,
  evaluation: CommitPosition.VisibilityBound
) => {
  const events = trail.events.filter((event) => CommitPosition.isVisible(event, evaluation))
  const last = events[events.length - 1]
  const seen = (sequence: number) => events.some((event) => event.sequence === sequence)
  const text = last === undefined ? "" : (history.templates.get(last.template_id) ?? "")
  return TrailCompliance.evaluate({
    template: Either.getOrElse(FlowTemplate.parse(text), () => FlowTemplate.empty),
    artifacts: trail.artifacts.filter(({ sequence }) => seen(sequence)),
    attestations: trail.attestations.filter(({ sequence }) => seen(sequence))
  })
}

/** What flows knew about the fingerprint, in the order in which they first recorded it. */
export const at = (
  history: FingerprintHistory,
  evaluation: CommitPosition.VisibilityBound
): ReadonlyArray<ModelFlow> => {
  const records: Array<{ readonly trail: TrailHistory; readonly record: TimedRecord }> = []
  for (const trail of history.trails)
    for (const record of trail.artifacts)
      for (const event of trail.events)
        if (
          event.sequence === record.sequence &&
          record.fingerprint === history.fingerprint &&
          CommitPosition.isVisible(event, evaluation)
        )
          records.push({ trail, record })
  records.sort((left, right) => left.record.sequence - right.record.sequence)
  const order = [...new Set(records.map(({ trail }) => trail.flow_id))]
  return order.map((flow) => {
    const own = records.filter(({ trail }) => trail.flow_id === flow)
    const newest = own[own.length - 1]
    const versions = history.flows.get(flow) ?? []
    let version = versions[0]
    for (const each of versions) if (CommitPosition.isVisible(each, evaluation)) version = each
    const status =
      newest === undefined
        ? undefined
        : evaluated(history, newest.trail, evaluation).records.find(
            ({ artifact_id }) => artifact_id === newest.record.id
          )?.status
    return [
      flow,
      version?.name ?? "",
      version?.tags ?? {},
      newest?.trail.id ?? "",
      newest?.record.id ?? "",
      status ?? ""
    ]
  })
}
