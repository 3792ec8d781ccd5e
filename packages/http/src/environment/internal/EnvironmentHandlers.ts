/** Serves the operations of environments. */

import {
  EnvironmentApi,
  type EnvironmentResponse,
  type INCLUDES
} from "@attestry/api/EnvironmentApi"
import * as Cadence from "@attestry/core/Cadence"
import { type EnvironmentView, kindWord, settingsOf } from "@attestry/core/Environment"
import type { EnvironmentQuery } from "@attestry/core/EnvironmentList"
import { type EnvironmentOverview, EnvironmentOverviews } from "@attestry/core/EnvironmentOverviews"
import { Environments, type EnvironmentsInSpaces } from "@attestry/core/Environments"
import { EnvironmentViews } from "@attestry/core/EnvironmentViews"
import { toHiddenRows } from "@attestry/core/Hidden"
import type { OrgName } from "@attestry/core/Identifier"
import { PolicyAttachments } from "@attestry/core/PolicyAttachments"
import { toState } from "@attestry/core/Verdict"
import { PolicyPreviews, type TurningRow } from "@attestry/policy-lab/PolicyPreviews"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { ok } from "../../shared/HttpMessage.js"
import { asOfIn } from "../../shared/internal/AsOfField.js"
import { group } from "../../shared/internal/Handlers.js"
import * as OkBody from "../../shared/internal/OkBody.js"
import * as Paging from "../../shared/internal/Paging.js"
import * as SpaceLabels from "../../shared/internal/SpaceLabels.js"
import { toWire } from "../../shared/internal/WireErrors.js"
import { PublicUrl } from "../../shared/PublicUrl.js"

const turningOf = ({ reasons, ...row }: TurningRow) => ({
  ...row,
  reasons_for_incompliance: reasons
})

/** An environment in a response. */
export const responseOf = ({
  org,
  environment,
  included,
  policies,
  policyModes
}: EnvironmentView): typeof EnvironmentResponse.Type => ({
  org,
  name: environment.name,
  type: kindWord(environment),
  ...settingsOf(environment),
  last_modified_at: environment.last_modified_at,
  last_reported_at: environment.last_reported_at,
  last_changed_at: environment.last_changed_at,
  due_at: environment.due_at ?? null,
  state: environment.verdict === null ? null : toState(environment.verdict),
  ...(environment.verdict_pending === undefined ? {} : { verdict_pending: true }),
  tags: environment.tags,
  policies,
  policy_modes: policyModes,
  ...Cadence.of(environment),
  silent_since: environment.silent_since ?? null,
  included_environments: included
})

type Include = ReadonlyArray<(typeof INCLUDES)[number]>

const overviewOf = (
  { latest, day, isStale }: EnvironmentOverview,
  include: Include
): Pick<typeof EnvironmentResponse.Type, "latest_snapshot" | "is_stale" | "day"> => ({
  ...(include.includes("latest_snapshot")
    ? {
        latest_snapshot:
          latest === null ? null : { ...latest.head, verdict_since: latest.verdictSince },
        is_stale: isStale
      }
    : {}),
  ...(include.includes("day") ? { day } : {})
})

/** The verdicts by their words in a query. */
const VERDICTS = { true: "Compliant", false: "NonCompliant", null: "Unknown" } as const

const queryOf = (params: {
  readonly name?: string
  readonly type?: EnvironmentQuery["types"]
  readonly tag?: ReadonlyArray<string>
  readonly space_id?: ReadonlyArray<string>
  readonly state?: keyof typeof VERDICTS
  readonly silent?: boolean
  readonly sort?: EnvironmentQuery["sort"]
  readonly sort_direction?: "asc" | "desc"
}): EnvironmentQuery & EnvironmentsInSpaces => ({
  ...(params.name === undefined ? {} : { name: params.name }),
  ...(params.type === undefined ? {} : { types: params.type }),
  ...(params.tag === undefined ? {} : { tags: params.tag }),
  ...(params.space_id === undefined ? {} : { spaces: params.space_id }),
  ...(params.state === undefined ? {} : { verdict: VERDICTS[params.state] }),
  ...(params.silent === undefined ? {} : { silent: params.silent }),
  ...(params.sort === undefined ? {} : { sort: params.sort }),
  descending: params.sort_direction === "desc"
})

/** Serves the operations of environments. */
export const EnvironmentHandlers = group(
  EnvironmentApi,
  Effect.gen(function* () {
    const environments = yield* Environments
    const attachments = yield* PolicyAttachments
    const reading = yield* EnvironmentViews
    const previews = yield* PolicyPreviews
    const overviews = yield* EnvironmentOverviews
    const base = yield* PublicUrl
    const labels = yield* SpaceLabels.make
    /** Environments with their spaces and what the request includes. */
    const shownOf = (org: OrgName, views: ReadonlyArray<EnvironmentView>, include: Include = []) =>
      Effect.gen(function* () {
        const shown = views.map(({ environment }) => environment)
        const ids = shown.map(({ id }) => id)
        const label = yield* labels(shown[0]?.org_id, "environment", ids)
        const found = include.length === 0 ? [] : yield* overviews.of(org, shown)
        return views.map((view, at) => {
          const overview = found[at]
          return {
            ...responseOf(view),
            ...label(view.environment.id),
            ...(overview === undefined ? {} : overviewOf(overview, include))
          }
        })
      })
    const done = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.as(effect, ok("OK" as const))
    return {
      put: ({ path, payload }) =>
        environments.put(path.org, payload).pipe(toWire, Effect.map(OkBody.ofPut)),
      list: ({ path, urlParams, incoming }) =>
        Effect.gen(function* () {
          const { include } = urlParams
          const isPaged = urlParams.page !== undefined || urlParams.per_page !== undefined
          const page = isPaged ? Option.some(Paging.pageOf(urlParams)) : Option.none()
          const { items, total } = yield* environments.list(path.org, queryOf(urlParams), page)
          const shown = yield* shownOf(path.org, items, include)
          return ok(
            Option.match(page, {
              onNone: () => shown,
              onSome: (asked) => ({
                ...Paging.counters(base, incoming, { total, page: asked }),
                environments: shown
              })
            })
          )
        }).pipe(toWire),
      get: ({ path, urlParams }) =>
        Effect.gen(function* () {
          const view = yield* reading.get(path.org, path.env_name, urlParams.as_of)
          // Overviews are of now.
          const include = view.asOf === undefined ? urlParams.include : []
          const [shown = responseOf(view)] = yield* shownOf(path.org, [view], include)
          return ok({ ...shown, ...asOfIn(view) })
        }).pipe(toWire),
      patch: ({ path, payload }) =>
        environments.patch(path.org, path.env_name, payload).pipe(toWire, done),
      archive: ({ path }) => environments.archive(path.org, path.env_name).pipe(toWire, done),
      rename: ({ path, payload }) =>
        environments.rename(path.org, path.env_name, payload.new_name).pipe(toWire, done),
      attach: ({ path, payload }) =>
        attachments
          .attach(path.org, path.env_name, {
            names: payload.policy_names,
            ...(payload.mode === undefined ? {} : { mode: payload.mode }),
            ...(payload.reason === undefined ? {} : { reason: payload.reason })
          })
          .pipe(toWire, done),
      detach: ({ path, payload }) =>
        attachments
          .detach(path.org, path.env_name, {
            names: payload.policy_names,
            ...(payload.reason === undefined ? {} : { reason: payload.reason })
          })
          .pipe(toWire, done),
      preview: ({ path, urlParams: { mode = "enforce", policy_name: names } }) =>
        Effect.map(
          previews.preview(path.org, path.env_name, {
            mode,
            ...(names === undefined ? {} : { names })
          }),
          ({ after, hidden, leftOut, now, released, turning, warned }) =>
            ok({
              mode,
              now,
              after,
              rows_warning: warned,
              turning_red: turning.map(turningOf),
              no_longer_red: released.map(turningOf),
              left_out: leftOut,
              ...toHiddenRows(hidden)
            })
        ).pipe(toWire),
      join: ({ path, payload }) =>
        environments.join(path.org, path.env_name, payload.physical_env_name).pipe(toWire, done)
    }
  })
)
