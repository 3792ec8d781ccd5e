/**
 * Reads attestations: listed, by name on a trail or an artifact, and their files.
 *
 * WHY not in `attestation`: which attestations an artifact has is decided by binding.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Access from "../access/Access.js"
import { CurrentActor } from "../access/Actor.js"
import { type Artifact, commitOf } from "../artifact/Artifact.js"
import * as ArtifactLookup from "../artifact/ArtifactLookup.js"
import { ArtifactStore } from "../artifact/ArtifactStore.js"
import type { FingerprintPrefix } from "../artifact/Fingerprint.js"
import { AttachmentStore } from "../attestation/AttachmentStore.js"
import type { Attachment, Attestation } from "../attestation/Attestation.js"
import { type AttestationFilter, AttestationStore } from "../attestation/AttestationStore.js"
import type { TrailPath } from "../attestation/Attestations.js"
import { FlowNotFound } from "../flow/Flow.js"
import { FlowStore } from "../flow/FlowStore.js"
import { beside, show } from "../shared/DamagedRecords.js"
import type { AttestationId, FlowName, OrgId, OrgName, TrailName } from "../shared/Identifier.js"
import type * as Page from "../shared/Page.js"
import { TrailNotFound } from "../trail/Trail.js"
import { TrailStore } from "../trail/TrailStore.js"
import * as AttestationBinding from "./AttestationBinding.js"

/** An attestation with the names of its flow and trail. */
export interface AttestationView {
  readonly attestation: Attestation
  readonly flow: FlowName
  readonly trail: TrailName
}

/** The trail has no such attestation, or the attestation no such file. */
export class EvidenceNotFound extends Schema.TaggedError<EvidenceNotFound>()("EvidenceNotFound", {
  attestation: Schema.String
}) {
  override get message(): string {
    return `there is no evidence file of attestation \`${this.attestation}\` here`
  }
}

/** Which attestations are listed, with names instead of ids. */
export interface AttestationQuery extends Omit<AttestationFilter, "flows" | "trail"> {
  /** In one of these flows; each must exist. */
  readonly flowNames?: ReadonlyArray<FlowName>
}

const asRecord = ({ sequence, id, slot, fingerprint, report }: Artifact) => ({
  sequence,
  id,
  slot,
  fingerprint,
  commit: commitOf(report)
})

/** A prefix with more fingerprints than this is cut off here. */
const MATCHES_MAX = 1_000

/** Use cases of reading attestations. */
export class AttestationViews extends Effect.Service<AttestationViews>()(
  "@attestry/core/AttestationViews",
  {
    effect: Effect.gen(function* () {
      const store = yield* AttestationStore
      const contents = yield* AttachmentStore
      const artifacts = yield* ArtifactStore
      const flows = yield* FlowStore
      const trails = yield* TrailStore

      const findFlow = (org: OrgName, orgId: OrgId, flow: FlowName) =>
        Effect.flatMap(
          flows.findByName({ org: orgId, name: flow }),
          Either.fromOption(() => new FlowNotFound({ org, flow }))
        )

      const findTrail = (orgId: OrgId, at: TrailPath) =>
        Effect.flatMap(findFlow(at.org, orgId, at.flow), (flow) =>
          Effect.flatMap(
            trails.findByName({ org: orgId, flow: flow.id, name: at.trail }),
            Either.fromOption(() => new TrailNotFound({ ...at }))
          )
        )

      /** The attestations with the current names of their flows and trails. */
      const named = (orgId: OrgId, found: ReadonlyArray<Attestation>) =>
        Effect.gen(function* () {
          if (found.length === 0) return []
          const flowsById = new Map(
            (yield* beside(
              flows.listByIds(orgId, [...new Set(found.map((one) => one.flow_id))])
            )).map((flow) => [flow.id, flow.name] as const)
          )
          const trailsById = new Map(
            (yield* beside(
              trails.listByIds(orgId, [...new Set(found.map((one) => one.trail_id))])
            )).map((trail) => [trail.id, trail.name] as const)
          )
          return yield* show(found, (attestation): AttestationView | undefined => {
            const flow = flowsById.get(attestation.flow_id)
            const trail = trailsById.get(attestation.trail_id)
            return flow && trail && { attestation, flow, trail }
          })
        })

      /** One page of the org's attestations, newest first by default. SPEC §4.12, DECISION A-37 */
      const list = Effect.fn("AttestationViews.list")(function* (
        org: OrgName,
        { flowNames, ...query }: AttestationQuery,
        page: Page.Page
      ) {
        const { orgId } = yield* Access.authorize(yield* CurrentActor, org, "org.read")
        const inFlows = yield* Effect.forEach(flowNames ?? [], (flow) => findFlow(org, orgId, flow))
        const flows = inFlows.map(({ id }) => id)
        const filter = flowNames === undefined ? query : { ...query, flows }
        const { items, total } = yield* store.list(orgId, filter, page)
        return { items: yield* named(orgId, items), total } satisfies Page.Paged<AttestationView>
      })

      /** Every attestation of a name on a trail or on its artifacts, newest first. */
      const listOnTrail = Effect.fn("AttestationViews.listOnTrail")(function* (
        at: TrailPath,
        name: string
      ) {
        const { orgId } = yield* Access.authorize(yield* CurrentActor, at.org, "org.read")
        const trail = yield* findTrail(orgId, at)
        const found = yield* store.listByName({ org: orgId, trail: trail.id, name })
        return yield* named(orgId, [...found].reverse())
      })

      /** Every attestation of a name that counts for an artifact in a flow, newest first. */
      const listOnArtifact = Effect.fn("AttestationViews.listOnArtifact")(function* (
        at: { readonly org: OrgName; readonly flow: FlowName; readonly prefix: FingerprintPrefix },
        name: string
      ) {
        const { orgId } = yield* Access.authorize(yield* CurrentActor, at.org, "org.read")
        const flow = yield* findFlow(at.org, orgId, at.flow)
        const matches = yield* artifacts.matchFingerprints({
          org: orgId,
          flow: flow.id,
          prefix: at.prefix,
          limit: MATCHES_MAX
        })
        const fingerprint = yield* ArtifactLookup.resolve(at, matches)
        const records = yield* artifacts.listByContent({ org: orgId, flow: flow.id, fingerprint })
        const found = yield* Effect.forEach(
          new Set(records.map(({ trail_id }) => trail_id)),
          (trail) =>
            Effect.map(store.listByName({ org: orgId, trail, name }), (all) => {
              const { bound } = AttestationBinding.make(all)
              const ofTrail = records.filter(({ trail_id }) => trail_id === trail)
              return ofTrail.flatMap((record) => bound(asRecord(record)))
            })
        )
        const counted = [...new Set(found.flat())]
        return yield* named(
          orgId,
          counted.sort((left, right) => right.sequence - left.sequence)
        )
      })

      /** A file of an attestation on a trail: the named one, or the first. */
      const evidence = Effect.fn("AttestationViews.evidence")(function* (
        at: TrailPath,
        file: { readonly id: AttestationId; readonly fingerprint?: string | undefined }
      ) {
        const { orgId } = yield* Access.authorize(yield* CurrentActor, at.org, "org.read")
        const trail = yield* findTrail(orgId, at)
        const found = yield* store.find(orgId, file.id)
        const attachment = Option.flatMapNullable(found, ({ trail_id, attachments }) =>
          trail_id === trail.id ? pick(attachments, file.fingerprint) : undefined
        )
        if (Option.isNone(attachment)) {
          return yield* new EvidenceNotFound({ attestation: file.id })
        }
        const { fingerprint } = attachment.value
        return { ...attachment.value, content: contents.read({ org: orgId, fingerprint }) }
      })

      return { list, listOnTrail, listOnArtifact, evidence } as const
    })
  }
) {}

const pick = (
  attachments: ReadonlyArray<Attachment>,
  fingerprint: string | undefined
): Attachment | undefined =>
  fingerprint === undefined
    ? attachments[0]
    : attachments.find((attachment) => attachment.fingerprint === fingerprint)
