/** The events of a new snapshot, and the content of its journal entry. */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { classOf } from "../../environment/EnvironmentEvent.js"
import { byIdentity, keyOf, type RowIdentity } from "../../environment/RunningRow.js"
import { SEMANTICS } from "../../policy/PolicySemantics.js"
import * as CanonicalJson from "../../shared/CanonicalJson.js"
import type { Secrets } from "../../shared/Secrets.js"
import * as Slices from "../../shared/Slices.js"
import * as Snapshot from "../Snapshot.js"
import * as SnapshotAnnotation from "../SnapshotAnnotation.js"
import type * as SnapshotDiff from "../SnapshotDiff.js"
import type { SnapshotDraft } from "../SnapshotStore.js"

const CLASS_RANK = { exited: 0, changed: 1, started: 2 } as const

/** The events of a snapshot, in the order of the event log. */
export const eventsOf = (
  rows: ReadonlyArray<SnapshotDiff.AnnotatedRow<RowIdentity>>,
  arrived: ReadonlySet<string>
): ReadonlyArray<Snapshot.RowEvent> =>
  rows
    .flatMap(({ row: { name, fingerprint }, annotation }) =>
      SnapshotAnnotation.isEvent(annotation.type)
        ? [
            {
              rank: CLASS_RANK[classOf(annotation.type)],
              event: {
                name,
                fingerprint,
                annotation,
                arrived: arrived.has(keyOf({ name, fingerprint }))
              }
            }
          ]
        : []
    )
    .sort((left, right) => left.rank - right.rank || byIdentity(left.event, right.event))
    .map(({ event }) => event)

/** What the journal says of a snapshot; the events are printed in slices, because there may be very many. */
export const contentOf = (draft: SnapshotDraft, { digest }: Context.Tag.Service<Secrets>) => {
  const { index, timestamp, verdict, counts, policies, reasons, events, begun, ended } = draft
  return Effect.gen(function* () {
    const printed = yield* Slices.map(events, CanonicalJson.print)
    const rows = {
      begun: begun.length,
      ended: ended.length,
      digest: yield* digest(Snapshot.printChanges(draft))
    }
    return {
      index,
      timestamp,
      verdict,
      counts,
      policies,
      ...(reasons === undefined ? {} : { reasons }),
      rows,
      evaluator: SEMANTICS,
      events: new CanonicalJson.Printed(`[${printed.join()}]`)
    }
  })
}
