/** Serves the operations of snapshots. */
import type { Environment } from "@attestry/core/Environment"
import type { OrgName } from "@attestry/core/Identifier"
import type { ListedRow, Snapshot } from "@attestry/core/Snapshot"
import { Snapshots } from "@attestry/core/Snapshots"
import * as SnapshotTimeline from "@attestry/core/SnapshotTimeline"
import { toBoolean } from "@attestry/core/Verdict"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { ok } from "../shared/Exchange.js"
import { group } from "../shared/Handlers.js"
import * as Links from "../shared/Links.js"
import { toWire } from "../shared/WireErrors.js"
import { SnapshotApi, type SnapshotArtifact, type SnapshotResponse } from "./SnapshotApi.js"

const artifactOf = ({
  verdict,
  cloudx_app_context: _,
  ...row
}: ListedRow): typeof SnapshotArtifact.Type => ({
  ...row,
  compliant: toBoolean(verdict)
})

const responseOf = (
  { base, org }: { readonly base: string; readonly org: OrgName },
  environment: Environment,
  snapshot: Snapshot
): typeof SnapshotResponse.Type => ({
  index: snapshot.index,
  ...SnapshotTimeline.neighbours(Option.fromNullable(snapshot.next_timestamp)),
  artifact_compliance_count: snapshot.counts,
  timestamp: snapshot.timestamp,
  type: environment.type,
  compliant: toBoolean(snapshot.verdict),
  html_url: Links.snapshotPage(base, { org, environment: environment.name, index: snapshot.index }),
  artifacts: snapshot.rows.map(artifactOf)
})

/** Serves the operations of snapshots. */
export const SnapshotHandlers = group(
  SnapshotApi,
  Effect.gen(function* () {
    const snapshots = yield* Snapshots
    const base = yield* Links.PublicUrl
    return {
      get: ({ path }) =>
        snapshots.get(path.org, path.env_name, path.snapshot_expression).pipe(
          toWire,
          Effect.map(({ environment, snapshot }) =>
            ok(responseOf({ base, org: path.org }, environment, snapshot))
          )
        )
    }
  })
)
