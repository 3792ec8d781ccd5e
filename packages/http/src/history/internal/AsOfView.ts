/** A snapshot in a response; as of an instant, with the recorded verdicts beside those of the instant. */
import type { SnapshotResponse } from "@attestry/api/SnapshotApi"
import type { OrgName } from "@attestry/core/Identifier"
import type { CompleteSnapshot } from "@attestry/core/Snapshots"
import type { SnapshotAsOf } from "@attestry/core/SnapshotViews"
import { toBoolean } from "@attestry/core/Verdict"
import * as Effect from "effect/Effect"
import * as SnapshotView from "../../snapshot/internal/SnapshotView.js"

const withRecorded = (
  response: typeof SnapshotResponse.Type,
  found: SnapshotAsOf
): typeof SnapshotResponse.Type => ({
  ...response,
  as_of: found.asOf,
  recorded: { compliant: toBoolean(found.recorded) },
  // INVARIANT: artifacts come in the order of the rows.
  artifacts: response.artifacts.map((artifact, index) => {
    const row = found.rows[index]
    return row === undefined
      ? artifact
      : {
          ...artifact,
          recorded: { compliant: toBoolean(row.recorded) },
          late_evidence: row.late
        }
  })
})

/** The response of a snapshot. */
export const responseOf = (
  base: string,
  org: OrgName,
  found: CompleteSnapshot | SnapshotAsOf
): Effect.Effect<typeof SnapshotResponse.Type> =>
  Effect.map(SnapshotView.responseOf(base, org, found), (response) =>
    "asOf" in found ? withRecorded(response, found) : response
  )
