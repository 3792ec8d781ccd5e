/**
 * Reads everything about a trail, or about an artifact of it, as of one moment. SPEC §4.21
 *
 * Attestations and files never change once they are stored, so they are read while the package is sent, after the
 * moment that decides which of them are in it.
 */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { type GrantedWithin, Reaches } from "../access/Reaches.js"
import * as Artifact from "../artifact/Artifact.js"
import type { Fingerprint, FingerprintPrefix } from "../artifact/Fingerprint.js"
import type { Attachment, AttestationFact } from "../attestation/Attestation.js"
import { AttestationStore } from "../attestation/AttestationStore.js"
import type { TrailPath } from "../attestation/Attestations.js"
import * as AttestationBinding from "../compliance/AttestationBinding.js"
import type { AttestationView } from "../compliance/AttestationViews.js"
import { type ArtifactView, ArtifactViews } from "../history/ArtifactViews.js"
import { type FlowOverview, FlowOverviews } from "../history/FlowOverviews.js"
import { type TrailView, TrailViews } from "../history/TrailViews.js"
import type { FlowName, OrgId, OrgName } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type * as Timestamp from "../shared/Timestamp.js"
import { Transaction } from "../shared/Transaction.js"
import { modifiedAt } from "../trail/Trail.js"
import * as StoredEvidence from "./internal/StoredEvidence.js"

/** An attestation, and the slot or fingerprint that it is filed under; null for one about the trail. */
export interface FiledAttestation {
  readonly view: AttestationView
  readonly under: string | null
  /** The fingerprints of its files whose content is not stored any more. */
  readonly gone: ReadonlySet<string>
}

/** The content of an audit package. */
export interface AuditPackage {
  readonly org: OrgName
  /** The name of the caller. */
  readonly madeBy: string
  /** Whether the caller reads a part of the org alone: where artifacts run and ran is then of that part. */
  readonly isPartial: boolean
  /** When the trail last changed. */
  readonly at: Timestamp.Timestamp
  readonly trail: TrailView
  readonly artifacts: ReadonlyArray<ArtifactView>
  /** Oldest first, read while the stream is. */
  readonly attestations: Stream.Stream<FiledAttestation, StoreError>
  /** The content of a file; fails where it does not have the size that was reported. */
  readonly contentOf: (file: Attachment) => Stream.Stream<Uint8Array, StoreError>
}

/** The package of a trail, which shows its flow. */
export interface TrailPackage extends AuditPackage {
  readonly flow: FlowOverview
}

/** The package of an artifact. */
export interface ArtifactPackage extends AuditPackage {
  readonly artifact: ArtifactView
}

/** What one moment decides about the attestations of a package. */
interface Chosen {
  readonly trail: TrailView
  readonly artifacts: ReadonlyArray<ArtifactView>
  readonly facts: ReadonlyArray<AttestationFact>
}

/** The slot that an attestation is filed under: its own, or that of the first record of its artifact. */
const slotOf = (
  { fingerprint, slots }: AttestationFact,
  reported: ReadonlyMap<Fingerprint, string>
): string | null => {
  const [first] = slots
  if (first !== undefined) return first
  return fingerprint === null ? null : (reported.get(fingerprint) ?? fingerprint)
}

/** Use cases of audit packages. */
export class AuditPackages extends Effect.Service<AuditPackages>()("@attestry/core/AuditPackages", {
  effect: Effect.gen(function* () {
    const transaction = yield* Transaction
    const reaches = yield* Reaches
    const flows = yield* FlowOverviews
    const trails = yield* TrailViews
    const artifacts = yield* ArtifactViews
    const attestations = yield* AttestationStore
    const stored = yield* StoredEvidence.make

    const bySequence = (orgId: OrgId, trail: TrailView) =>
      Effect.map(attestations.listFacts(orgId, trail.trail.id), (facts) =>
        [...facts].sort((left, right) => left.sequence - right.sequence)
      )

    const filed = (orgId: OrgId, { trail, artifacts: views, facts }: Chosen) => {
      const slots = new Map<Fingerprint, string>()
      for (const { artifact } of views) {
        if (!slots.has(artifact.fingerprint)) slots.set(artifact.fingerprint, artifact.slot)
      }
      const names = { flow: trail.flow.name, trail: trail.trail.name }
      const ids = facts.map(({ id }) => id)
      return Stream.map(
        stored.read(orgId, ids),
        ({ attestation, gone }): FiledAttestation => ({
          view: { attestation, ...names },
          under: slotOf(attestation, slots),
          gone
        })
      )
    }

    const packageOf = (granted: GrantedWithin, chosen: Chosen): AuditPackage => ({
      org: granted.org,
      isPartial: granted.readable._tag === "Part",
      madeBy: granted.actor.name,
      at: modifiedAt(chosen.trail.trail, chosen.trail.evaluation.evaluated_at),
      trail: chosen.trail,
      artifacts: chosen.artifacts,
      attestations: filed(granted.orgId, chosen),
      contentOf: stored.contentOf(granted.orgId)
    })

    /** Everything about a trail; fails when it or its flow is absent. */
    const ofTrail = Effect.fn("AuditPackages.ofTrail")(function* (at: TrailPath) {
      const granted = yield* reaches.authorize(at.org, "org.read")
      const reads = Effect.gen(function* () {
        const trail = yield* trails.get(at.org, { flow: at.flow, trail: at.trail })
        return {
          flow: yield* flows.get(at.org, at.flow),
          trail,
          artifacts: yield* artifacts.listOnTrail(at.org, trail.trail),
          facts: yield* bySequence(granted.orgId, trail)
        }
      })
      const { flow, ...chosen } = yield* transaction.snapshot(granted.orgId, reads)
      return { ...packageOf(granted, chosen), flow } satisfies TrailPackage
    })

    /** Everything about the newest record of an artifact in a flow; fails when there is none. */
    const ofArtifact = Effect.fn("AuditPackages.ofArtifact")(function* (
      at: { readonly org: OrgName; readonly flow: FlowName },
      prefix: FingerprintPrefix
    ) {
      const granted = yield* reaches.authorize(at.org, "org.read")
      const reads = Effect.gen(function* () {
        const artifact = yield* artifacts.get(at, { prefix })
        const trail = yield* trails.get(at.org, { flow: artifact.flow, trail: artifact.trail })
        const facts = yield* bySequence(granted.orgId, trail)
        const counted = AttestationBinding.make(facts).bound(Artifact.factOf(artifact.artifact))
        return { artifact, trail, artifacts: [artifact], facts: counted }
      })
      const { artifact, ...chosen } = yield* transaction.snapshot(granted.orgId, reads)
      return { ...packageOf(granted, chosen), artifact } satisfies ArtifactPackage
    })

    return { ofTrail, ofArtifact } as const
  })
}) {}
