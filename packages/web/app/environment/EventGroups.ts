/** Groups the events of an environment by snapshot, newest first, with the verdicts that events determine. */
import type { EnvironmentEvent } from "../shared/Contract.js"
import type { Verdict } from "../shared/Verdict.js"

export interface EventGroup {
  readonly index: number
  readonly seconds: number
  readonly verdict: Verdict | undefined
  readonly events: ReadonlyArray<EnvironmentEvent>
}

/**
 * The verdict of the artifact of an event. The API only reports yes or no, and "no" includes an artifact that no
 * policy evaluated, so only some kinds of events determine a verdict.
 */
export const verdictOf = ({ type, artifact_compliance }: EnvironmentEvent): Verdict | undefined => {
  switch (type) {
    case "started-unknown":
      return "unknown"
    case "started-non-compliant":
    case "became-non-compliant":
      return "non-compliant"
    default:
      return artifact_compliance ? "compliant" : undefined
  }
}

/** The verdict of the environment after a snapshot, if its events determine one. */
const groupVerdict = (events: ReadonlyArray<EnvironmentEvent>): Verdict | undefined => {
  if (events.some(({ snapshot_compliance }) => snapshot_compliance)) return "compliant"
  const known = events.map(verdictOf)
  if (known.includes("non-compliant")) return "non-compliant"
  return known.includes("unknown") ? "unknown" : undefined
}

/** The events by snapshot, in their order. A snapshot at the end of a page may continue on the next. */
export const groupsOf = (events: ReadonlyArray<EnvironmentEvent>): ReadonlyArray<EventGroup> => {
  const groups: Array<{ readonly index: number; readonly events: Array<EnvironmentEvent> }> = []
  for (const event of events) {
    const last = groups.at(-1)
    if (last?.index === event.snapshot_index) last.events.push(event)
    else groups.push({ index: event.snapshot_index, events: [event] })
  }
  return groups.map(({ index, events: own }) => ({
    index,
    seconds: own[0]?.reported_at ?? 0,
    verdict: groupVerdict(own),
    events: own
  }))
}

/** The instance counts in the text of an event: `3 instances started running (from 0 to 3)`. */
export const countsOf = (
  description: string
): { readonly was: number; readonly now: number } | undefined => {
  const [, was, now] = /\(from (\d+) to (\d+)\)/.exec(description) ?? []
  return was === undefined || now === undefined ? undefined : { was: Number(was), now: Number(now) }
}
