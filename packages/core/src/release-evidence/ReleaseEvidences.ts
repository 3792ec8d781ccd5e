/** The evidence of releases in a period: a page with the numbers of the whole selection, or a file. SPEC §4.36 */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { type Page, slice } from "../shared/Page.js"
import type * as TimeWindow from "../shared/TimeWindow.js"
import * as ReleaseReading from "./internal/ReleaseReading.js"
import type { Release, ReleaseTotals, RequirementTotal } from "./ReleaseEvidence.js"
import * as ReleaseEvidenceCsv from "./ReleaseEvidenceCsv.js"
import * as RequirementTotals from "./RequirementTotals.js"

/** Whose releases, and which of them. */
export type { ReleaseOwner, ReleaseQuery } from "./internal/ReleaseReading.js"

/** One page of releases, newest first, with the numbers of the whole selection. */
export interface ReleasePage extends TimeWindow.WholeWindow {
  /** The name and the version of the policy; null for templates. */
  readonly policy: { readonly name: string; readonly version: number } | null
  readonly totals: ReleaseTotals
  readonly requirements: ReadonlyArray<RequirementTotal>
  readonly releases: ReadonlyArray<Release>
}

/** Use cases: the evidence of releases. */
export class ReleaseEvidences extends Effect.Service<ReleaseEvidences>()(
  "@attestry/core/ReleaseEvidences",
  {
    effect: Effect.gen(function* () {
      const reading = yield* ReleaseReading.make

      /**
       * One page of the releases of a period, and the numbers of all of them. The same selection of a period that is
       * over has the same numbers later.
       */
      const list = Effect.fn("ReleaseEvidences.list")(function* (
        owner: ReleaseReading.ReleaseOwner,
        query: ReleaseReading.ReleaseQuery,
        page: Page
      ) {
        const selection = yield* reading.selectionOf(owner, query)
        const { filter, policy } = selection
        const all = yield* reading.all(selection)
        const shown = slice(all, page)
        return {
          from: filter.from,
          to: filter.to,
          policy: policy === null ? null : { name: policy.name, version: policy.version },
          ...RequirementTotals.of(all),
          releases: yield* reading.completed(selection, shown.items)
        } satisfies ReleasePage
      })

      /**
       * All releases of a period as a CSV file in UTF-8, in the order of the pages. It is read while it is sent, so the
       * memory does not depend on its length. WHY it is consistent: releases are of instants before the call, and each
       * is judged by what was known at its snapshot.
       */
      const exportCsv = Effect.fn("ReleaseEvidences.exportCsv")(function* (
        owner: ReleaseReading.ReleaseOwner,
        query: ReleaseReading.ReleaseQuery
      ) {
        const selection = yield* reading.selectionOf(owner, query)
        const lines = reading.batches(selection).pipe(
          Stream.mapEffect((releases) =>
            Effect.map(reading.completed(selection, releases), (shown) =>
              shown
                .map((release, at) => {
                  const { results = [] } = releases[at] ?? {}
                  const known = new Map(results.map((each) => [each.requirement.key, each]))
                  return ReleaseEvidenceCsv.printRelease(
                    release,
                    (key) => known.get(key)?.requirement
                  )
                })
                .join("")
            )
          )
        )
        return Stream.encodeText(Stream.concat(Stream.make(ReleaseEvidenceCsv.header), lines))
      })

      return { list, exportCsv } as const
    })
  }
) {}
