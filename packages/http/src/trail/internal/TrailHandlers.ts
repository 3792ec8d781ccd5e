/** Serves the operations of trails. */
import { NotFound } from "@attestry/api/HttpError"
import { type ListTrails, PER_PAGE_DEFAULT, TrailApi } from "@attestry/api/TrailApi"
import { FlowName, type OrgName } from "@attestry/core/Identifier"
import * as Page from "@attestry/core/Page"
import { Trails } from "@attestry/core/Trails"
import { TrailViews } from "@attestry/core/TrailViews"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { ok, streamed } from "../../shared/HttpMessage.js"
import { asOfIn } from "../../shared/internal/AsOfField.js"
import { JSON_TYPE } from "../../shared/internal/FailureResponse.js"
import { group } from "../../shared/internal/Handlers.js"
import * as OkBody from "../../shared/internal/OkBody.js"
import { inData, pageOf } from "../../shared/internal/Paging.js"
import { toWire } from "../../shared/internal/WireErrors.js"
import { PublicUrl } from "../../shared/PublicUrl.js"
import * as TrailResponse from "./TrailResponse.js"
import * as TrailStream from "./TrailStream.js"

/** A text that is no valid name of a flow means an unknown flow. */
const flowOf = (org: OrgName, text: string | undefined) => {
  if (text === undefined) return Effect.succeed({})
  return isFlowName(text)
    ? Effect.succeed({ flow: text })
    : new NotFound({
        message: `Flow named '${text}' does not exist for organization '${org}'`
      })
}

const isFlowName = Schema.is(FlowName)

const tagOf = (text: string) => {
  const mark = text.indexOf("=")
  return mark < 0
    ? { key: text, value: "" }
    : { key: text.slice(0, mark), value: text.slice(mark + 1) }
}

const queryOf = (given: typeof ListTrails.Type) => {
  const { fingerprint, flow_tag, search, compliance_state: status } = given
  return {
    ...(fingerprint === undefined ? {} : { fingerprint }),
    ...(search === undefined ? {} : { search }),
    ...(status === undefined ? {} : { status }),
    ...(flow_tag === undefined ? {} : { flowTag: tagOf(flow_tag) })
  }
}

/** Serves the operations of trails. */
export const TrailHandlers = group(
  TrailApi,
  Effect.gen(function* () {
    const trails = yield* Trails
    const views = yield* TrailViews
    const base = yield* PublicUrl
    return {
      begin: ({ path, payload: { template_file, ...draft } }) =>
        trails
          .begin(path.org, path.flow_name, {
            ...draft,
            ...(template_file === undefined ? {} : { template: template_file })
          })
          .pipe(toWire, Effect.map(OkBody.ofPut)),
      get: ({ path, urlParams: { as_of: asOf } }) =>
        views.get(path.org, { flow: path.flow_name, trail: path.trail_name }, asOf).pipe(
          toWire,
          Effect.flatMap((view) =>
            Effect.map(TrailResponse.inSlices(base, path.org, view), (response) =>
              ok({ ...response, ...asOfIn(view) })
            )
          )
        ),
      list: ({ path, urlParams }) =>
        Effect.gen(function* () {
          const page = pageOf(urlParams, PER_PAGE_DEFAULT)
          const query = queryOf(urlParams)
          const flow = yield* flowOf(path.org, urlParams.flow)
          const found = yield* views.list(path.org, { ...query, ...flow }, page)
          const shown = Page.map(found, (view) => TrailResponse.summaryOf(base, path.org, view))
          return ok(inData(shown, page))
        }).pipe(toWire),
      listFlow: ({ path, urlParams: { page: number, per_page } }) => {
        if (per_page === undefined) {
          return views.listFlow(path.org, path.flow_name).pipe(
            toWire,
            Effect.map((slices) => streamed(TrailStream.print(base, path.org, slices), JSON_TYPE))
          )
        }
        const page = { page: number ?? 1, perPage: per_page }
        return views.list(path.org, { flow: path.flow_name }, page).pipe(
          toWire,
          Effect.map((found) => {
            const shown = Page.map(found, (view) => TrailResponse.summaryOf(base, path.org, view))
            return ok(inData(shown, page))
          })
        )
      }
    }
  })
)
