/** Serves the operations of artifacts. */
import {
  ArtifactApi,
  type ArtifactRun as ArtifactRunResponse,
  PER_PAGE_DEFAULT
} from "@attestry/api/ArtifactApi"
import { type ArtifactRun, ArtifactRuns } from "@attestry/core/ArtifactRuns"
import { Artifacts } from "@attestry/core/Artifacts"
import { ArtifactViews } from "@attestry/core/ArtifactViews"
import type { FlowName, OrgName, TrailName } from "@attestry/core/Identifier"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { created, ok } from "../../shared/HttpMessage.js"
import { asOfIn } from "../../shared/internal/AsOfField.js"
import { group } from "../../shared/internal/Handlers.js"
import { counters, pageOf } from "../../shared/internal/Paging.js"
import { toWire } from "../../shared/internal/WireErrors.js"
import { PublicUrl } from "../../shared/PublicUrl.js"
import * as ArtifactResponse from "./ArtifactResponse.js"

interface PlaceRequest {
  readonly path: { readonly org: OrgName; readonly flow_name: FlowName }
  readonly urlParams: { readonly trail?: TrailName | "" }
}

const placeOf = ({ path, urlParams: { trail } }: PlaceRequest) => ({
  org: path.org,
  flow: path.flow_name,
  ...(trail === undefined || trail === "" ? {} : { trail })
})

const runResponseOf = (run: ArtifactRun): typeof ArtifactRunResponse.Type => ({
  environment: run.environment,
  name: run.name,
  first_index: run.firstIndex,
  started_at: run.startedAt,
  last_index: run.lastIndex,
  ended_at: run.endedAt,
  verdict: run.verdict
})

/** Serves the operations of artifacts. */
export const ArtifactHandlers = group(
  ArtifactApi,
  Effect.gen(function* () {
    const artifacts = yield* Artifacts
    const views = yield* ArtifactViews
    const runs = yield* ArtifactRuns
    const base = yield* PublicUrl
    return {
      report: ({ path, payload }) =>
        artifacts
          .report(path.org, path.flow_name, payload)
          .pipe(toWire, Effect.as(created("OK" as const))),
      list: ({ path, urlParams }) =>
        views
          .list(
            path.org,
            {
              flow: urlParams.flow_name,
              repo: urlParams.repo_name || undefined,
              search: urlParams.search
            },
            pageOf(urlParams, PER_PAGE_DEFAULT)
          )
          .pipe(
            toWire,
            Effect.map((found) =>
              ok(found.map((view) => ArtifactResponse.responseOf(base, path.org, view)))
            )
          ),
      get: (request) => {
        const { artifact_id, attestation_id, as_of: asOf } = request.urlParams
        const of = { prefix: request.path.fingerprint, id: artifact_id ?? attestation_id }
        return views.get(placeOf(request), of, asOf).pipe(
          toWire,
          Effect.map((view) =>
            ok({
              ...ArtifactResponse.responseOf(base, request.path.org, view),
              ...asOfIn(view)
            })
          )
        )
      },
      listByCommit: (request) =>
        views.listByCommit(placeOf(request), request.path.sha).pipe(
          toWire,
          Effect.map((found) =>
            ok(found.map((view) => ArtifactResponse.responseOf(base, request.path.org, view)))
          )
        ),
      latestCommit: ({ path, urlParams }) =>
        views
          .previousCommit(
            { org: path.org, flow: path.flow_name },
            { prefix: path.fingerprint, ...urlParams }
          )
          .pipe(
            toWire,
            Effect.map((commit) => ok({ latest_commit: Option.getOrNull(commit) }))
          ),
      runs: ({ path, urlParams, incoming }) => {
        const page = pageOf(urlParams)
        const direction = urlParams.sort_direction ?? "asc"
        return runs.list(path.org, { fingerprint: path.fingerprint, direction }, page).pipe(
          toWire,
          Effect.map(({ items, total }) =>
            ok({ ...counters(base, incoming, { total, page }), runs: items.map(runResponseOf) })
          )
        )
      }
    }
  })
)
