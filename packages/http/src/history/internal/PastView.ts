/** A snapshot as of an instant in a response: the fields of a snapshot, and what the record says beside them. */
import type { SnapshotResponse } from "@attestry/api/SnapshotApi"
import type { OrgName } from "@attestry/core/Identifier"
import type { PastSnapshot } from "@attestry/core/PastSnapshots"
import { toBoolean } from "@attestry/core/Verdict"
import * as Effect from "effect/Effect"
import * as SnapshotView from "../../snapshot/internal/SnapshotView.js"

/** A snapshot as of an instant. */
export const responseOf = (
  base: string,
  org: OrgName,
  found: PastSnapshot
): Effect.Effect<typeof SnapshotResponse.Type> =>
  Effect.map(
    SnapshotView.responseOf(base, org, found),
    (response): typeof SnapshotResponse.Type => ({
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
  )
