/** Attestations as of an instant: those that were accepted by then. SPEC §4.12 */
import * as Effect from "effect/Effect"
import * as Access from "../access/Access.js"
import { CurrentActor } from "../access/Actor.js"
import type { FingerprintPrefix } from "../artifact/Fingerprint.js"
import type { TrailPath } from "../attestation/Attestations.js"
import { type AttestationQuery, AttestationViews } from "../compliance/AttestationViews.js"
import * as AttestationLookup from "../compliance/internal/AttestationLookup.js"
import type { FlowName, OrgId, OrgName } from "../shared/Identifier.js"
import type { Page } from "../shared/Page.js"
import type { Timestamp } from "../shared/Timestamp.js"
import { Transaction } from "../shared/Transaction.js"
import * as AsOf from "./AsOf.js"

/** Use cases of attestations as of an instant. */
export class PastAttestations extends Effect.Service<PastAttestations>()(
  "@attestry/core/PastAttestations",
  {
    effect: Effect.gen(function* () {
      const views = yield* AttestationViews
      const transaction = yield* Transaction
      const lookup = yield* AttestationLookup.make

      const instantOf = (org: OrgId, asked: AsOf.AsOf) =>
        transaction.run(org, (scope) => Effect.map(scope.now, (now) => AsOf.instantOf(asked, now)))

      const orgOf = (org: OrgName) =>
        Effect.flatMap(CurrentActor, (actor) => Access.authorize(actor, org, "org.read"))

      const until = (query: AttestationQuery, asOf: Timestamp): AttestationQuery => ({
        ...query,
        to: query.to === undefined || query.to > asOf ? asOf : query.to
      })

      /** One page of the attestations that were accepted by an instant. */
      const list = Effect.fn("PastAttestations.list")(function* (
        org: OrgName,
        { query, asOf: asked }: { readonly query: AttestationQuery; readonly asOf: AsOf.AsOf },
        page: Page
      ) {
        const asOf = yield* instantOf((yield* orgOf(org)).orgId, asked)
        return { ...(yield* views.list(org, until(query, asOf), page)), asOf }
      })

      /** The same list from a place on, without its length. */
      const listAfter = Effect.fn("PastAttestations.listAfter")(function* (
        org: OrgName,
        { query, asOf: asked }: { readonly query: AttestationQuery; readonly asOf: AsOf.AsOf },
        place: { readonly after: number; readonly limit: number }
      ) {
        const asOf = yield* instantOf((yield* orgOf(org)).orgId, asked)
        return { ...(yield* views.listAfter(org, until(query, asOf), place)), asOf }
      })

      /** Every attestation of a name on a trail or on its artifacts by an instant; fails for a later trail. */
      const listOnTrail = Effect.fn("PastAttestations.listOnTrail")(function* (
        at: TrailPath,
        name: string,
        asked: AsOf.AsOf
      ) {
        const { orgId } = yield* orgOf(at.org)
        const asOf = yield* instantOf(orgId, asked)
        const trail = yield* lookup.findTrail(orgId, at)
        if (trail.created_at > asOf)
          return yield* new AsOf.NotYetThere({ noun: "Trail", name: at.trail, asOf })
        const found = yield* views.listOnTrail(at, name)
        return found.filter(({ attestation }) => attestation.created_at <= asOf)
      })

      /** Every attestation of a name that counted for an artifact at an instant; fails for a later artifact. */
      const listOnArtifact = Effect.fn("PastAttestations.listOnArtifact")(function* (
        at: { readonly org: OrgName; readonly flow: FlowName; readonly prefix: FingerprintPrefix },
        name: string,
        asked: AsOf.AsOf
      ) {
        const { orgId } = yield* orgOf(at.org)
        const asOf = yield* instantOf(orgId, asked)
        const { fingerprint, records } = yield* lookup.recordsOf(orgId, at)
        const then = records.filter(({ created_at }) => created_at <= asOf)
        if (then.length === 0)
          return yield* new AsOf.NotYetThere({ noun: "Artifact", name: fingerprint, asOf })
        return yield* lookup.named(orgId, yield* lookup.boundTo(then, { name, until: asOf }))
      })

      return { list, listAfter, listOnTrail, listOnArtifact } as const
    })
  }
) {}
