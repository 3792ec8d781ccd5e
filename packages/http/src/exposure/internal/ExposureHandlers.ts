/** Serves the operation of exposures. */

import { ExposureApi, type ExposureResponse } from "@attestry/api/ExposureApi"
import * as Exposure from "@attestry/core/Exposure"
import { type ExposurePage, Exposures, type NamedSubject } from "@attestry/core/Exposures"
import type { FingerprintPrefix } from "@attestry/core/Fingerprint"
import { toHidden } from "@attestry/core/Hidden"
import type { CommitSha, FlowName, SlotName } from "@attestry/core/Identifier"
import * as Purl from "@attestry/core/Purl"
import { toState } from "@attestry/core/Verdict"
import * as VersionRange from "@attestry/core/VersionRange"
import * as Effect from "effect/Effect"
import { ok } from "../../shared/HttpMessage.js"
import { group } from "../../shared/internal/Handlers.js"
import * as Paging from "../../shared/internal/Paging.js"
import { toWire } from "../../shared/internal/WireErrors.js"
import { PublicUrl } from "../../shared/PublicUrl.js"

const responseOf =
  ({ containment, now }: ExposurePage, vulnerability: string | undefined) =>
  (exposure: Exposure.Exposure): typeof ExposureResponse.Type => ({
    environment: exposure.environmentName,
    name: exposure.name,
    fingerprint: exposure.fingerprint,
    first_index: exposure.firstIndex,
    last_index: exposure.lastIndex,
    from: exposure.from,
    to: exposure.to,
    seconds: Exposure.seconds(exposure, now),
    flow_name: exposure.record?.flowName ?? null,
    trail_name: exposure.record?.trailName ?? null,
    git_commit: exposure.record?.commit ?? null,
    ...toHidden(exposure.hidden === true),
    ...(containment === null
      ? {}
      : { components: containment.components.get(exposure.fingerprint) ?? [] }),
    ...(vulnerability === undefined ? {} : { vulnerability }),
    ...(containment === null || containment.mitigated === null
      ? {}
      : { mitigated: containment.mitigated.has(exposure) }),
    compliant: {
      at_start: toState(exposure.startedVerdict),
      at_end: toState(exposure.verdict),
      seconds_non_compliant: Exposure.nonCompliantSeconds(exposure, now)
    }
  })

interface SubjectParams {
  readonly fingerprint?: FingerprintPrefix
  readonly commit?: CommitSha
  readonly flow_name?: FlowName
  readonly template_reference_name?: SlotName
  readonly repo_name?: string
  readonly author?: string
  readonly builder?: string
  readonly purl?: string
  readonly versions?: string
  readonly vulnerability?: string
}

const componentOf = (purl: string, versions: string | undefined) =>
  Effect.gen(function* () {
    const meant = { _tag: "Component", purl: yield* Purl.parse(purl) } as const
    return versions === undefined
      ? meant
      : { ...meant, versions: yield* VersionRange.parse(versions) }
    // WHY: the contract lets nothing through that is no purl or no range.
  }).pipe(Effect.orDie)

/** The subject of a query. INVARIANT: the contract lets exactly one parameter through. */
const recordedOf = (params: SubjectParams): NamedSubject => {
  const { author, builder, commit, fingerprint, flow_name, repo_name } = params
  const slot = params.template_reference_name
  if (fingerprint !== undefined) return { _tag: "Content", prefix: fingerprint }
  if (commit !== undefined) return { _tag: "Commit", commit }
  if (flow_name !== undefined)
    return { _tag: "Flow", flow: flow_name, ...(slot === undefined ? {} : { slot }) }
  if (repo_name !== undefined) return { _tag: "Repo", name: repo_name }
  return author === undefined
    ? { _tag: "Builder", builder: builder ?? "" }
    : { _tag: "Author", author }
}

const subjectOf = (params: SubjectParams): Effect.Effect<NamedSubject> => {
  const { purl, versions, vulnerability } = params
  if (purl !== undefined) return componentOf(purl, versions)
  return Effect.succeed(
    vulnerability === undefined ? recordedOf(params) : { _tag: "Vulnerability", vulnerability }
  )
}

/** Serves the operation of exposures. */
export const ExposureHandlers = group(
  ExposureApi,
  Effect.gen(function* () {
    const exposures = yield* Exposures
    const base = yield* PublicUrl
    return {
      list: ({ path, urlParams, incoming }) => {
        const page = Paging.pageOf(urlParams)
        const { environment, from_timestamp, running, to_timestamp } = urlParams
        const query = {
          ...(environment === undefined ? {} : { environments: environment }),
          ...(from_timestamp === undefined ? {} : { from: from_timestamp }),
          ...(to_timestamp === undefined ? {} : { to: to_timestamp }),
          ...(running === undefined ? {} : { running })
        }
        return subjectOf(urlParams).pipe(
          Effect.flatMap((subject) => exposures.list(path.org, { ...query, subject }, page)),
          toWire,
          Effect.map((found) => {
            const { containment, items, summary, total } = found
            return ok({
              ...Paging.counters(base, incoming, { total, page }),
              exposures: items.map(responseOf(found, urlParams.vulnerability)),
              summary: {
                environments: summary.environments,
                running_now: summary.runningNow,
                first: summary.first,
                total_seconds: summary.totalMicros / 1_000_000,
                ...(containment === null ? {} : { without_sbom: containment.withoutSbom })
              }
            })
          })
        )
      }
    }
  })
)
