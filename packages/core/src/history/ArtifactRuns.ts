/** Reads where one fingerprint ran and runs, whether or not a flow knows it. */
import * as Effect from "effect/Effect"
import { Reaches } from "../access/Reaches.js"
import type { Fingerprint } from "../artifact/Fingerprint.js"
import * as Placement from "../artifact/Placement.js"
import { beside, show } from "../shared/DamagedRecords.js"
import type { EnvironmentName, OrgName } from "../shared/Identifier.js"
import * as Page from "../shared/Page.js"
import type { Timestamp } from "../shared/Timestamp.js"
import * as Verdict from "../shared/Verdict.js"
import { ReadModels } from "../snapshot/ReadModels.js"

/** One unbroken run in an environment. */
export interface ArtifactRun {
  readonly environment: EnvironmentName
  /** The name of the row in the newest snapshot of the run; the first by name where there are several. */
  readonly name: string
  readonly firstIndex: number
  readonly startedAt: Timestamp
  /** The last snapshot that contains it; null while it runs. */
  readonly lastIndex: number | null
  /** When the first snapshot without it was made; null while it runs. */
  readonly endedAt: Timestamp | null
  /** The worst verdict of its rows in the newest snapshot of the run. */
  readonly verdict: Verdict.Verdict
}

const runOf = (
  { environmentName, exited, newest, started }: Placement.PlacedRun,
  rows: ReadonlyArray<Placement.PlacedContent>
): ArtifactRun | undefined => {
  const own = rows.filter(
    ({ environment, index }) => environment === newest.environment && index === newest.index
  )
  const [name] = own.map((row) => row.name).sort()
  if (name === undefined) return undefined
  return {
    environment: environmentName,
    name,
    firstIndex: started.index,
    startedAt: started.at,
    lastIndex: exited === null ? null : newest.index,
    endedAt: exited?.at ?? null,
    verdict: Verdict.minimum(own.map(({ verdict }) => verdict))
  }
}

/** Use cases of reading where fingerprints ran. */
export class ArtifactRuns extends Effect.Service<ArtifactRuns>()("@attestry/core/ArtifactRuns", {
  effect: Effect.gen(function* () {
    const placements = yield* ReadModels
    const reaches = yield* Reaches

    /** One page of the runs of a fingerprint in physical environments, archived ones included, by their starts. */
    const list = Effect.fn("ArtifactRuns.list")(function* (
      org: OrgName,
      query: { readonly fingerprint: Fingerprint; readonly direction: "asc" | "desc" },
      page: Page.Page
    ) {
      const granted = yield* reaches.authorize(org, "org.read")
      const { orgId } = granted
      const readable = yield* reaches.keepReadable(granted, {
        kind: "environment",
        things: yield* placements.placements(orgId, [query.fingerprint]),
        idOf: ({ environment }) => environment
      })
      const oldestFirst = Placement.runsOf(readable)
      const found = Page.slice(
        query.direction === "asc" ? oldestFirst : [...oldestFirst].reverse(),
        page
      )
      const keys = found.items.map(({ newest }) => newest)
      const rows = yield* beside(placements.placedRows(orgId, keys))
      const items = yield* show(found.items, (run) => runOf(run, rows))
      return { items, total: found.total } satisfies Page.Paged<ArtifactRun>
    })

    return { list } as const
  })
}) {}
