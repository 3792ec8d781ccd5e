/** Serves the operations of controls. */
import {
  ControlApi,
  type ControlDecisionDetails,
  type ControlDecisionResponse,
  type ControlListItem,
  type ControlResponse,
  type ListControls,
  type ListCoverage,
  type ListDecisions,
  ReportedUserData,
  type UpdateControl
} from "@attestry/api/ControlApi"
import { MATRIX_ENVIRONMENTS, MATRIX_PER_PAGE } from "@attestry/api/ControlMatrix"
import { tagFilter } from "@attestry/api/QueryParam"
import type { Control, ControlPatch } from "@attestry/core/Control"
import type { CoverageFilter } from "@attestry/core/ControlCoverage"
import type { ControlDecision } from "@attestry/core/ControlDecision"
import { ControlMatrices } from "@attestry/core/ControlMatrices"
import type { ControlQuery } from "@attestry/core/ControlStore"
import { Controls } from "@attestry/core/Controls"
import { type ControlView, ControlViews, type DecisionQuery } from "@attestry/core/ControlViews"
import type { ControlIdentifier, OrgName } from "@attestry/core/Identifier"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { evidencePath } from "../../attestation/internal/AttestationResponse.js"
import { created, ok } from "../../shared/HttpMessage.js"
import { group } from "../../shared/internal/Handlers.js"
import { counters, pageOf } from "../../shared/internal/Paging.js"
import type { SpaceLabel } from "../../shared/internal/SpaceLabels.js"
import * as SpaceLabels from "../../shared/internal/SpaceLabels.js"
import { toWire } from "../../shared/internal/WireErrors.js"
import { PublicUrl } from "../../shared/PublicUrl.js"

const itemOf = ({ org_id: _, ...control }: Control): typeof ControlListItem.Type => control

const responseOf = (
  { control, policies }: ControlView,
  label: SpaceLabel
): typeof ControlResponse.Type => ({
  ...itemOf(control),
  ...label,
  policies_referencing: policies
})

const decisionOf = (decision: ControlDecision): typeof ControlDecisionResponse.Type => ({
  attestation_id: decision.attestation.id,
  attestation_name: decision.attestation.name,
  control: decision.control,
  control_version: decision.control_version,
  is_compliant: decision.attestation.isCompliant,
  flow_name: decision.flow,
  trail_name: decision.trail,
  artifact_fingerprint: decision.attestation.fingerprint,
  artifact_name: decision.artifactName,
  timestamp: decision.attestation.created_at,
  created_by: decision.attestation.created_by
})

const isUserData = Schema.is(ReportedUserData)
const textOrNull = (value: unknown): string | null => (typeof value === "string" ? value : null)

const detailsOf = (
  base: string,
  org: OrgName,
  decision: ControlDecision
): typeof ControlDecisionDetails.Type => {
  const { attachments, body } = decision.attestation
  return {
    ...decisionOf(decision),
    description: textOrNull(body.description),
    origin_url: textOrNull(body.origin_url),
    user_data: isUserData(body.user_data) ? body.user_data : {},
    evidence_files: attachments.map(({ filename, fingerprint }) => ({
      filename,
      download_url:
        base + evidencePath(org, decision, attachments.length > 1 ? fingerprint : undefined)
    }))
  }
}

/** An empty text means no description. */
const descriptionOf = (given: string | null | undefined): string | null => given || null

const patchOf = ({ name, description, links }: typeof UpdateControl.Type): ControlPatch => ({
  ...(name === undefined ? {} : { name }),
  ...(description === undefined ? {} : { description: descriptionOf(description) }),
  ...(links === undefined ? {} : { links: links ?? {} })
})

const queryOf = (query: typeof ListControls.Type): ControlQuery => ({
  archived: query.archived ?? false,
  ...(query.search === undefined ? {} : { search: query.search }),
  tags: (query.tag ?? []).flatMap(tagFilter),
  direction: query.sort_direction ?? "asc"
})

const decisionsOf = (query: typeof ListDecisions.Type): DecisionQuery => ({
  ...(query.flow_name === undefined ? {} : { flowNames: query.flow_name }),
  ...(query.flow_id === undefined ? {} : { flowIds: query.flow_id }),
  ...(query.is_compliant === undefined ? {} : { isCompliant: query.is_compliant }),
  ...(query.from_timestamp === undefined ? {} : { from: query.from_timestamp }),
  ...(query.to_timestamp === undefined ? {} : { to: query.to_timestamp }),
  direction: query.sort_direction ?? "desc"
})

const filterOf = ({ covered, search }: typeof ListCoverage.Type): CoverageFilter => ({
  ...(covered === undefined ? {} : { covered }),
  ...(search === undefined ? {} : { search })
})

const pathOf = (path: { readonly org: OrgName; readonly identifier: ControlIdentifier }) => ({
  org: path.org,
  control: path.identifier
})

/** Serves the operations of controls. */
export const ControlHandlers = group(
  ControlApi,
  Effect.gen(function* () {
    const controls = yield* Controls
    const views = yield* ControlViews
    const matrices = yield* ControlMatrices
    const base = yield* PublicUrl
    const labels = yield* SpaceLabels.make
    const shown = (view: ControlView) => {
      const { identifier, org_id } = view.control
      return Effect.map(labels(org_id, "control", [identifier]), (label) =>
        responseOf(view, label(identifier))
      )
    }
    return {
      create: ({ path, payload: { identifier, name, description, links, space } }) =>
        controls
          .create(path.org, {
            identifier,
            name,
            description: descriptionOf(description),
            links: links ?? {},
            ...(space === undefined ? {} : { space })
          })
          .pipe(Effect.flatMap(shown), toWire, Effect.map(created)),
      list: ({ path, urlParams, incoming }) => {
        const page = pageOf(urlParams)
        return views.list(path.org, queryOf(urlParams), page).pipe(
          toWire,
          Effect.map(({ items, total }) =>
            ok({ ...counters(base, incoming, { total, page }), controls: items.map(itemOf) })
          )
        )
      },
      get: ({ path }) =>
        views.get(pathOf(path)).pipe(Effect.flatMap(shown), toWire, Effect.map(ok)),
      update: ({ path, payload }) =>
        controls
          .update(pathOf(path), patchOf(payload))
          .pipe(Effect.flatMap(shown), toWire, Effect.map(ok)),
      archive: ({ path }) =>
        controls.archive(pathOf(path)).pipe(Effect.flatMap(shown), toWire, Effect.map(ok)),
      unarchive: ({ path }) =>
        controls.unarchive(pathOf(path)).pipe(Effect.flatMap(shown), toWire, Effect.map(ok)),
      coverage: ({ path, urlParams, incoming }) => {
        const page = pageOf(urlParams)
        return views.coverage(pathOf(path), filterOf(urlParams), page).pipe(
          toWire,
          Effect.map(({ environments: { items, total }, ...totals }) =>
            ok({
              ...counters(base, incoming, { total, page }),
              ...totals,
              environments: items
            })
          )
        )
      },
      matrix: ({ path, urlParams, incoming }) => {
        const page = pageOf(urlParams, MATRIX_PER_PAGE)
        const environments = {
          page: urlParams.environments_page ?? 1,
          perPage: urlParams.environments_per_page ?? MATRIX_ENVIRONMENTS
        }
        const pages = { controls: page, environments }
        return matrices.list(path.org, queryOf(urlParams), pages).pipe(
          toWire,
          Effect.map(({ total, ...matrix }) =>
            ok({ ...counters(base, incoming, { total, page }), ...matrix })
          )
        )
      },
      tags: ({ path }) => views.tags(path.org).pipe(toWire, Effect.map(ok)),
      versions: ({ path, urlParams, incoming }) => {
        const page = pageOf(urlParams)
        return views.versions(pathOf(path), urlParams.sort_direction ?? "desc", page).pipe(
          toWire,
          Effect.map(({ items, total }) =>
            ok({ ...counters(base, incoming, { total, page }), versions: items })
          )
        )
      },
      version: ({ path }) => views.version(pathOf(path), path.version).pipe(toWire, Effect.map(ok)),
      decision: ({ path }) =>
        views.decision(pathOf(path), path.decision_id).pipe(
          toWire,
          Effect.map((found) => ok(detailsOf(base, path.org, found)))
        ),
      decisions: ({ path, urlParams, incoming }) => {
        const page = pageOf(urlParams)
        return views.decisions(pathOf(path), decisionsOf(urlParams), page).pipe(
          toWire,
          Effect.map(({ items, total }) =>
            ok({
              ...counters(base, incoming, { total, page }),
              decisions: items.map(decisionOf)
            })
          )
        )
      }
    }
  })
)
