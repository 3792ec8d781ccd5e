/** Serves the operations of deployments. */
import { DeploymentApi, type DeploymentResponse } from "@attestry/api/DeploymentApi"
import { PAGE_SIZE_DEFAULT } from "@attestry/api/Paging"
import { boundsOf } from "@attestry/api/QueryParam"
import type { Deployment } from "@attestry/core/Deployment"
import * as DeploymentSeries from "@attestry/core/DeploymentSeries"
import { type DeploymentQuery, Deployments } from "@attestry/core/Deployments"
import type { EnvironmentName } from "@attestry/core/Identifier"
import { LiveArtifacts } from "@attestry/core/LiveArtifacts"
import * as TimeWindow from "@attestry/core/TimeWindow"
import * as Effect from "effect/Effect"
import { ok } from "../../shared/HttpMessage.js"
import { group } from "../../shared/internal/Handlers.js"
import * as Links from "../../shared/internal/Links.js"
import * as Paging from "../../shared/internal/Paging.js"
import { toWire } from "../../shared/internal/WireErrors.js"
import { PublicUrl } from "../../shared/PublicUrl.js"
import * as LiveArtifactsResponse from "./LiveArtifactsResponse.js"

/** Deployments in the form of a response, with the verdict where the request includes it. */
const responseOf =
  (base: string, org: string, include: ReadonlyArray<string> = []) =>
  ({ verdict, ...deployment }: Deployment): typeof DeploymentResponse.Type => {
    const { id, env_name, fingerprint, flow_name, snapshot_index } = deployment
    const link = (...path: ReadonlyArray<string | number>) => ({ href: Links.api(base, ...path) })
    return {
      ...deployment,
      ...(include.includes("verdict") ? { verdict } : {}),
      _links: {
        self: link("deployments", org, id),
        snapshot: link("snapshots", org, env_name, snapshot_index),
        ...(flow_name === null
          ? {}
          : { artifact: link("artifacts", org, flow_name, "fingerprint", fingerprint) })
      }
    }
  }

const environmentsOf = (
  ...names: ReadonlyArray<ReadonlyArray<EnvironmentName> | undefined>
): Pick<DeploymentQuery, "environments"> =>
  names.every((given) => given === undefined)
    ? {}
    : { environments: names.flatMap((given) => given ?? []) }

/** Serves the operations of deployments. */
export const DeploymentHandlers = group(
  DeploymentApi,
  Effect.gen(function* () {
    const deployments = yield* Deployments
    const live = yield* LiveArtifacts
    const base = yield* PublicUrl
    return {
      list: ({ path, urlParams, incoming }) => {
        const { environment, env_name, repo_name, flow, fingerprint, include } = urlParams
        const page = Paging.pageOf(urlParams)
        const bounds = boundsOf(urlParams)
        const query: DeploymentQuery = {
          ...environmentsOf(environment, env_name),
          ...(flow === undefined ? {} : { flow }),
          ...(fingerprint === undefined ? {} : { fingerprint }),
          ...(repo_name === undefined ? {} : { repoName: repo_name }),
          ...(TimeWindow.isBounded(bounds) ? { window: { ...bounds, days: TimeWindow.DAYS } } : {})
        }
        return deployments.list(path.org, query, page).pipe(
          toWire,
          Effect.map(({ items, total }) =>
            ok({
              ...Paging.counters(base, incoming, { total, page }),
              deployments: items.map(responseOf(base, path.org, include))
            })
          )
        )
      },
      get: ({ path }) =>
        deployments
          .get(path.org, path.deployment_id)
          .pipe(toWire, Effect.map(responseOf(base, path.org)), Effect.map(ok)),
      newest: ({ path }) =>
        deployments
          .newest(path.org, path.env_name, path.fingerprint)
          .pipe(toWire, Effect.map(responseOf(base, path.org)), Effect.map(ok)),
      listByEnvironment: ({ path, urlParams, incoming }) => {
        const { from, to, page: number = 1, page_size = PAGE_SIZE_DEFAULT } = urlParams
        const page = { page: number, perPage: page_size }
        const window = {
          ...(from === undefined ? {} : { from }),
          ...(to === undefined ? {} : { to }),
          days: TimeWindow.ENVIRONMENT_DAYS
        }
        return deployments.list(path.org, { environments: [path.env_name], window }, page).pipe(
          toWire,
          Effect.map(({ items, total }) => {
            const { per_page: _, ...counters } = Paging.counters(base, incoming, { total, page })
            return ok({
              ...counters,
              page_size,
              deployments: items.map(responseOf(base, path.org))
            })
          })
        )
      },
      listByRepo: ({ path, urlParams, incoming }) => {
        const page = Paging.pageOf(urlParams)
        const query: DeploymentQuery = {
          repoId: path.repo,
          ...environmentsOf(urlParams.env),
          window: { ...boundsOf(urlParams), days: TimeWindow.DAYS }
        }
        return deployments.list(path.org, query, page).pipe(
          toWire,
          Effect.map(({ items, total }) =>
            ok({
              ...Paging.counters(base, incoming, { total, page }),
              deployments: items.map(responseOf(base, path.org))
            })
          )
        )
      },
      statistics: ({ path, urlParams }) => {
        const window = { ...boundsOf(urlParams), days: TimeWindow.DAYS }
        const asked = { ...environmentsOf(urlParams.env), window }
        return deployments.statistics(path.org, path.repo, asked).pipe(
          toWire,
          Effect.map(({ window: { from, to }, environments }) =>
            ok({
              start_ts: from,
              end_ts: to,
              environments: environments.map((series) => ({
                env_name: series.environmentName,
                deployed_at: series.deployments.map(({ deployedAt }) => deployedAt),
                lead_time_seconds: DeploymentSeries.leadTimes(series)
              }))
            })
          )
        )
      },
      liveArtifacts: ({ path, urlParams: { include = [], ...choice } }) =>
        live.list(path.org, { name: path.repo_name, ...choice }).pipe(
          toWire,
          Effect.map((found) =>
            ok(LiveArtifactsResponse.make(base, { org: path.org, include }, found))
          )
        )
    }
  })
)
