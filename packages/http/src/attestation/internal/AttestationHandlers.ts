/** Serves the operations of attestations. */
import { AttestationApi } from "@attestry/api/AttestationApi"
import { PER_PAGE_DEFAULT } from "@attestry/api/AttestationQuery"
import { Forbidden } from "@attestry/api/HttpError"
import { CurrentActor } from "@attestry/core/Actor"
import { AttestationLists } from "@attestry/core/AttestationLists"
import * as AttestationReport from "@attestry/core/AttestationReport"
import { Attestations } from "@attestry/core/Attestations"
import { type AttestationView, AttestationViews } from "@attestry/core/AttestationViews"
import type { FlowName, OrgName, TrailName } from "@attestry/core/Identifier"
import * as Page from "@attestry/core/Page"
import * as SystemAttestationType from "@attestry/core/SystemAttestationType"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { FeatureFlags } from "../../shared/FeatureFlags.js"
import { created, type IncomingRequest, ok } from "../../shared/HttpMessage.js"
import { asOfIn } from "../../shared/internal/AsOfField.js"
import { disposition } from "../../shared/internal/ContentDisposition.js"
import { group } from "../../shared/internal/Handlers.js"
import { after as afterPlace, cursorLinks, inData, pageOf } from "../../shared/internal/Paging.js"
import type { UploadedFile } from "../../shared/internal/Upload.js"
import { toWire } from "../../shared/internal/WireErrors.js"
import { PublicUrl } from "../../shared/PublicUrl.js"
import * as AttestationFilters from "./AttestationFilters.js"
import * as AttestationResponse from "./AttestationResponse.js"

interface ReportRequest<Body> {
  readonly path: {
    readonly org: OrgName
    readonly flow_name: FlowName
    readonly trail_name: TrailName
  }
  readonly payload: Body
  readonly files: ReadonlyArray<UploadedFile>
}

const trailOf = ({ path }: Pick<ReportRequest<unknown>, "path">) => ({
  org: path.org,
  flow: path.flow_name,
  trail: path.trail_name
})

/** Serves the operations of attestations. */
export const AttestationHandlers = group(
  AttestationApi,
  Effect.gen(function* () {
    const attestations = yield* Attestations
    const views = yield* AttestationViews
    const lists = yield* AttestationLists
    const base = yield* PublicUrl

    const flags = yield* FeatureFlags

    /** 403 while the feature of decisions is disabled for the request. */
    const gated = ({
      incoming: { headers },
      path: { org }
    }: {
      readonly incoming: IncomingRequest
      readonly path: { readonly org: OrgName }
    }) =>
      Effect.flatMap(CurrentActor, (actor) =>
        Effect.flatMap(
          flags.closed({ feature: "controls", org, actor, headers }),
          Option.match({
            onNone: () => Effect.void,
            onSome: (message) => new Forbidden({ message })
          })
        )
      )
    const shownIn = (org: OrgName) => (view: AttestationView) =>
      AttestationResponse.responseOf(base, org, view)

    const take =
      <Body>(read: (body: Body) => AttestationReport.AttestationReport) =>
      (request: ReportRequest<Body>) =>
        attestations
          .report(trailOf(request), read(request.payload), request.files)
          .pipe(toWire, Effect.as(created("OK" as const)))

    return {
      generic: take(AttestationReport.generic),
      junit: take(AttestationReport.junit),
      snyk: take(AttestationReport.snyk),
      sonar: take(AttestationReport.sonar),
      jira: take(AttestationReport.jira),
      pull_request: take(AttestationReport.pullRequest),
      custom: (request) =>
        attestations
          .reportCustom(trailOf(request), request.payload, request.files)
          .pipe(toWire, Effect.as(created("OK" as const))),
      system: ({ payload, ...request }) =>
        AttestationReport.isDecision(payload)
          ? Effect.zipRight(
              gated(request),
              attestations
                .reportDecision(trailOf(request), payload, request.files)
                .pipe(toWire, Effect.as(created("OK" as const)))
            )
          : take(AttestationReport.described)({ ...request, payload }),
      override: (request) =>
        attestations
          .report<never>(trailOf(request), AttestationReport.override(request.payload), [])
          .pipe(toWire, Effect.as(ok("OK" as const))),
      listSystemTypes: () => Effect.succeed(ok(SystemAttestationType.ALL)),
      list: ({ path, urlParams, incoming }) => {
        const page = pageOf(urlParams, PER_PAGE_DEFAULT)
        const links = (next: Option.Option<number>) => ({
          _links: cursorLinks(base, incoming, Option.map(next, afterPlace))
        })
        const { after, as_of: asOf } = urlParams
        return Effect.gen(function* () {
          const query = yield* AttestationFilters.queryOf(urlParams)
          if (after === undefined) {
            const found = yield* lists.list(path.org, { query, asOf }, page)
            const { items, total, next } = found
            const shown = inData({ items: items.map(shownIn(path.org)), total }, page)
            return ok({ ...shown, ...links(next), ...asOfIn(found) })
          }
          const place = { after, limit: page.perPage }
          const found = yield* lists.listAfter(path.org, { query, asOf }, place)
          const data = found.items.map(shownIn(path.org))
          return ok({ data, ...links(found.next), pagination: null, ...asOfIn(found) })
        }).pipe(toWire)
      },
      listForCriteria: ({ path, urlParams }) =>
        views
          .listOfCommits(path.org, AttestationFilters.criteriaOf(urlParams), urlParams.commit_list)
          .pipe(
            toWire,
            Effect.map((found) =>
              ok(
                Object.fromEntries(
                  Array.from(found, ([sha, of]) => [sha, of.map(shownIn(path.org))])
                )
              )
            )
          ),
      listOfFlow: ({ path, urlParams }) => {
        const page = pageOf(urlParams, PER_PAGE_DEFAULT)
        const query = { flowNames: [path.flow_name], ...AttestationFilters.periodOf(urlParams) }
        return views.list(path.org, query, page).pipe(
          toWire,
          Effect.map((found) => ok(inData(Page.map(found, shownIn(path.org)), page)))
        )
      },
      listOnTrail: (request) =>
        lists
          .listOnTrail(trailOf(request), request.path.attestation_name, request.urlParams.as_of)
          .pipe(
            toWire,
            Effect.map((found) => ok(found.map(shownIn(request.path.org))))
          ),
      listOnArtifact: ({ path, urlParams: { as_of: asOf } }) => {
        const at = { org: path.org, flow: path.flow_name, prefix: path.fingerprint }
        return lists.listOnArtifact(at, path.attestation_name, asOf).pipe(
          toWire,
          Effect.map((all) => ok(all.map(shownIn(path.org))))
        )
      },
      evidence: (request) =>
        views
          .evidence(trailOf(request), {
            id: request.path.attestation_id,
            fingerprint: request.urlParams.fingerprint
          })
          .pipe(
            toWire,
            Effect.map(({ filename, size, content }) => ({
              status: 200,
              stream: content,
              // P-OUT: a browser must not render a file that a client has sent.
              headers: {
                "content-type": "application/octet-stream",
                "content-length": String(size),
                "content-disposition": disposition(filename),
                "x-content-type-options": "nosniff"
              }
            }))
          )
    }
  })
)
