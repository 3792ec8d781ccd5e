/** Serves the evidence of releases: pages, and a file that is streamed. */
import { CSV } from "@attestry/api/EventApi"
import { ReleaseEvidenceApi } from "@attestry/api/ReleaseEvidenceApi"
import * as Log from "@attestry/core/Log"
import { ReleaseEvidences, type ReleaseQuery } from "@attestry/core/ReleaseEvidences"
import * as Effect from "effect/Effect"
import { ok, streamed } from "../../shared/HttpMessage.js"
import { group } from "../../shared/internal/Handlers.js"
import * as Paging from "../../shared/internal/Paging.js"
import { toWire } from "../../shared/internal/WireErrors.js"
import { PublicUrl } from "../../shared/PublicUrl.js"

type Filters = Omit<ReleaseQuery, "environments"> & {
  readonly environment?: ReleaseQuery["environments"]
}

const queryOf = ({ environment, flow, from, policy, to }: Filters): ReleaseQuery => ({
  ...(environment === undefined ? {} : { environments: environment }),
  ...(flow === undefined ? {} : { flow }),
  ...(policy === undefined ? {} : { policy }),
  ...(from === undefined ? {} : { from }),
  ...(to === undefined ? {} : { to })
})

/** Serves the operations of the evidence of releases. */
export const ReleaseEvidenceHandlers = group(
  ReleaseEvidenceApi,
  Effect.gen(function* () {
    const evidence = yield* ReleaseEvidences
    const base = yield* PublicUrl
    return {
      list: ({ path: { org }, urlParams, incoming }) => {
        const page = Paging.pageOf(urlParams)
        const owner = { org, origin: Log.originOf(base, org) }
        return evidence.list(owner, queryOf(urlParams), page).pipe(
          toWire,
          Effect.map((found) => {
            const total = found.totals.releases
            return ok({ ...Paging.counters(base, incoming, { total, page }), ...found })
          })
        )
      },
      export: ({ path: { org }, urlParams }) =>
        evidence.exportCsv({ org, origin: Log.originOf(base, org) }, queryOf(urlParams)).pipe(
          toWire,
          Effect.map((lines) =>
            streamed(lines, {
              "content-type": CSV,
              "content-disposition": `attachment; filename="${org}-release-evidence.csv"`,
              "x-content-type-options": "nosniff"
            })
          )
        )
    }
  })
)
