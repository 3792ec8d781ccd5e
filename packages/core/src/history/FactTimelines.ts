/** Loads the fact timelines of fingerprints, each once. */
import * as Effect from "effect/Effect"
import { distinctKnown, type ReportedFingerprint } from "../artifact/Fingerprint.js"
import type { OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import * as FactTimeline from "./FactTimeline.js"
import * as FingerprintHistory from "./FingerprintHistory.js"
import type { HistoryStore } from "./HistoryStore.js"

/** The timeline of a fingerprint without records. */
const NOTHING: FactTimeline.FactTimeline = { at: () => [], events: [] }

/** The timeline of a fingerprint; empty for one that was not read. */
export type TimelineOf = (fingerprint: string) => FactTimeline.FactTimeline

/** Loads the evidence about fingerprints; an unknown fingerprint has none. */
export const read = (
  store: HistoryStore["Type"],
  org: OrgId,
  fingerprints: Iterable<ReportedFingerprint>
): Effect.Effect<TimelineOf, StoreError> => {
  const wanted = distinctKnown(fingerprints)
  if (wanted.length === 0) return Effect.succeed(() => NOTHING)
  return Effect.map(store.evidence(org, { fingerprints: wanted }), (evidence) => {
    const historyOf = FingerprintHistory.group(evidence)
    const templateOf = FactTimeline.templatesOf(evidence)
    const known = new Map<string, FactTimeline.FactTimeline>()
    const asked = new Set<string>(wanted)
    return (fingerprint) => {
      const found = known.get(fingerprint)
      if (found !== undefined) return found
      const made = asked.has(fingerprint)
        ? FactTimeline.make(historyOf(fingerprint), templateOf)
        : NOTHING
      known.set(fingerprint, made)
      return made
    }
  })
}
