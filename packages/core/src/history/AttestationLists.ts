/** Lists attestations, now or as of an instant: those accepted by then. SPEC §4.12 */
import * as Effect from "effect/Effect"
import { Reaches } from "../access/Reaches.js"
import type { FingerprintPrefix } from "../artifact/Fingerprint.js"
import type { TrailPath } from "../attestation/Attestations.js"
import {
  type AttestationQuery,
  type AttestationsInOrder,
  type AttestationView,
  AttestationViews
} from "../compliance/AttestationViews.js"
import * as AttestationLookup from "../compliance/internal/AttestationLookup.js"
import { FlowNotFound } from "../flow/Flow.js"
import type { FlowName, OrgId, OrgName } from "../shared/Identifier.js"
import type { Page, Paged } from "../shared/Page.js"
import type { Timestamp } from "../shared/Timestamp.js"
import { TrailNotFound } from "../trail/Trail.js"
import * as AsOf from "./AsOf.js"
import * as NamesAsOf from "./NamesAsOf.js"

/** An attestation query, now or as of an instant. */
export interface AttestationsAsked {
  readonly query: AttestationQuery
  readonly asOf?: AsOf.AsOf | undefined
}

/** Set if the read is as of an instant. */
interface AsOfInstant {
  readonly asOf?: Timestamp
}

/** Use cases of listing attestations. */
export class AttestationLists extends Effect.Service<AttestationLists>()(
  "@attestry/core/AttestationLists",
  {
    effect: Effect.gen(function* () {
      const views = yield* AttestationViews
      const names = yield* NamesAsOf.make
      const lookup = yield* AttestationLookup.make

      const reaches = yield* Reaches
      const orgOf = (org: OrgName) => reaches.authorize(org, "org.read")

      /** Limits a query to an instant, and replaces its flow names by the current ones. */
      const until = (org: OrgId, query: AttestationQuery, { asOf, isEarlier }: NamesAsOf.Moment) =>
        Effect.gen(function* () {
          const to = query.to === undefined || query.to > asOf ? asOf : query.to
          if (!isEarlier || query.flowNames === undefined) return { ...query, to }
          const flowNames = yield* Effect.forEach(query.flowNames, (name) =>
            names.flow(org, name, asOf)
          )
          return { ...query, to, flowNames }
        })

      /** Attestations with the names that their flows had at the instant. */
      const called = (
        org: OrgId,
        items: ReadonlyArray<AttestationView>,
        { asOf, isEarlier }: NamesAsOf.Moment
      ) =>
        Effect.gen(function* () {
          if (!isEarlier) return items
          const ids = [...new Set(items.map(({ attestation }) => attestation.flow_id))]
          const then = yield* names.flowNames(org, ids, asOf)
          return items.map((item) => ({
            ...item,
            flow: then.get(item.attestation.flow_id) ?? item.flow
          }))
        })

      /** The current name of a flow. */
      const flowOf = (org: OrgId, flow: FlowName, { asOf, isEarlier }: NamesAsOf.Moment) =>
        isEarlier ? names.flow(org, flow, asOf) : Effect.succeed(flow)

      /** One page of the attestations that were accepted by an instant. */
      const list = Effect.fn("AttestationLists.list")(function* (
        org: OrgName,
        { query, asOf: asked }: AttestationsAsked,
        page: Page
      ) {
        if (asked === undefined) {
          const found: AttestationsInOrder & Paged<AttestationView> & AsOfInstant =
            yield* views.list(org, query, page)
          return found
        }
        const { orgId } = yield* orgOf(org)
        const moment = yield* names.momentOf(orgId, asked)
        const found = yield* views.list(org, yield* until(orgId, query, moment), page)
        const items = yield* called(orgId, found.items, moment)
        return { ...found, items, asOf: moment.asOf }
      })

      /** As `list`, after a cursor and without a total. */
      const listAfter = Effect.fn("AttestationLists.listAfter")(function* (
        org: OrgName,
        { query, asOf: asked }: AttestationsAsked,
        place: { readonly after: number; readonly limit: number }
      ) {
        if (asked === undefined) {
          const found: AttestationsInOrder & AsOfInstant = yield* views.listAfter(org, query, place)
          return found
        }
        const { orgId } = yield* orgOf(org)
        const moment = yield* names.momentOf(orgId, asked)
        const found = yield* views.listAfter(org, yield* until(orgId, query, moment), place)
        const items = yield* called(orgId, found.items, moment)
        return { ...found, items, asOf: moment.asOf }
      })

      /** Every attestation with a name on a trail or its artifacts by an instant; fails if the trail is later. */
      const listOnTrail = Effect.fn("AttestationLists.listOnTrail")(function* (
        at: TrailPath,
        name: string,
        asked?: AsOf.AsOf | undefined
      ) {
        if (asked === undefined) return yield* views.listOnTrail(at, name)
        const granted = yield* orgOf(at.org)
        const { orgId } = granted
        const moment = yield* names.momentOf(orgId, asked)
        const { asOf } = moment
        const place = { ...at, flow: yield* flowOf(orgId, at.flow, moment) }
        const trail = yield* Effect.catchTags(lookup.findTrail(granted, place), {
          FlowNotFound: ({ org }) => new FlowNotFound({ org, flow: at.flow }),
          TrailNotFound: () => new TrailNotFound({ ...at })
        })
        if (trail.created_at > asOf)
          return yield* new AsOf.NotYetThere({ noun: "Trail", name: at.trail, asOf })
        const found = yield* views.listOnTrail(place, name)
        const then = found.filter(({ attestation }) => attestation.created_at <= asOf)
        return yield* called(orgId, then, moment)
      })

      /** Every attestation with a name that counted for an artifact at an instant; fails if the artifact is later. */
      const listOnArtifact = Effect.fn("AttestationLists.listOnArtifact")(function* (
        at: { readonly org: OrgName; readonly flow: FlowName; readonly prefix: FingerprintPrefix },
        name: string,
        asked?: AsOf.AsOf | undefined
      ) {
        if (asked === undefined) return yield* views.listOnArtifact(at, name)
        const granted = yield* orgOf(at.org)
        const { orgId } = granted
        const moment = yield* names.momentOf(orgId, asked)
        const { asOf } = moment
        const place = { ...at, flow: yield* flowOf(orgId, at.flow, moment) }
        const { fingerprint, records } = yield* Effect.catchTag(
          lookup.recordsOf(granted, place),
          "FlowNotFound",
          ({ org }) => new FlowNotFound({ org, flow: at.flow })
        )
        const then = records.filter(({ created_at }) => created_at <= asOf)
        if (then.length === 0)
          return yield* new AsOf.NotYetThere({ noun: "Artifact", name: fingerprint, asOf })
        const bound = yield* lookup.boundTo(then, { name, until: asOf })
        return yield* called(orgId, yield* lookup.named(orgId, bound), moment)
      })

      return { list, listAfter, listOnTrail, listOnArtifact } as const
    })
  }
) {}
