/** Serves the operations of builds. */
import { BuildApi, type BuildFilters, type BuildResponse } from "@attestry/api/BuildApi"
import { boundsOf } from "@attestry/api/QueryParam"
import * as Build from "@attestry/core/Build"
import { type BuildQuery, Builds } from "@attestry/core/Builds"
import * as Effect from "effect/Effect"
import { ok } from "../../shared/HttpMessage.js"
import { group } from "../../shared/internal/Handlers.js"
import * as Links from "../../shared/internal/Links.js"
import * as Paging from "../../shared/internal/Paging.js"
import { toWire } from "../../shared/internal/WireErrors.js"
import { PublicUrl } from "../../shared/PublicUrl.js"

const queryOf = (query: typeof BuildFilters.Type): BuildQuery => ({
  ...(query.repo_inner_id === undefined ? {} : { repoInnerId: query.repo_inner_id }),
  ...(query.repo_id === undefined ? {} : { repoId: query.repo_id }),
  ...(query.repo_name === undefined ? {} : { repoName: query.repo_name }),
  ...boundsOf(query)
})

const responseOf =
  (base: string, org: string) =>
  (build: Build.Build): typeof BuildResponse.Type => {
    const { record, flowName: flow } = build
    const { fingerprint } = record
    return {
      ...Build.describe(build),
      html_url: Links.artifactPage(base, { org, flow, fingerprint }, record.id)
    }
  }

/** Serves the operations of builds. */
export const BuildHandlers = group(
  BuildApi,
  Effect.gen(function* () {
    const builds = yield* Builds
    const base = yield* PublicUrl
    return {
      list: ({ path, urlParams, incoming }) => {
        const page = Paging.pageOf(urlParams)
        return builds.list(path.org, queryOf(urlParams), page).pipe(
          toWire,
          Effect.map(({ items, total }) =>
            ok({
              ...Paging.counters(base, incoming, { total, page }),
              builds: items.map(responseOf(base, path.org))
            })
          )
        )
      },
      statistics: ({ path, urlParams }) =>
        builds.statistics(path.org, queryOf(urlParams)).pipe(
          toWire,
          Effect.map(({ from, to, instants }) =>
            ok({ start_ts: from, end_ts: to, count: instants.length, timestamps: instants })
          )
        )
    }
  })
)
