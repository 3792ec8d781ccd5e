/** Evidence that changes verdicts: one strict policy, one flow, and attestations on its trail. */
import type { AccessDenied } from "@attestry/core/Access"
import type { CurrentActor } from "@attestry/core/Actor"
import { ArtifactReport } from "@attestry/core/Artifact"
import { Artifacts } from "@attestry/core/Artifacts"
import { CommonFields } from "@attestry/core/AttestationReport"
import type { AttestationNeedsCommit } from "@attestry/core/AttestationScope"
import { Attestations } from "@attestry/core/Attestations"
import type { Fingerprint } from "@attestry/core/Fingerprint"
import { FlowName, PolicyName, TrailName } from "@attestry/core/Identifier"
import type { Org } from "@attestry/core/Org"
import type { PlacementFailure } from "@attestry/core/PlacementRule"
import type { ChangeHeld } from "@attestry/core/Protection"
import type { StoreError } from "@attestry/core/StoreError"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** A policy with both requirements. */
export const POLICY = PolicyName.make("strict")
/** The flow of artifacts. */
export const FLOW = FlowName.make("shop")
const TRAIL = TrailName.make("build")

/** Artifacts must have provenance, and be compliant in their trail. */
export const POLICY_TEXT = `_schema: https://example.org/policy/v1
artifacts:
  provenance: { required: true }
  trail-compliance: { required: true }
`

/** A record of an artifact in the flow. */
export const build = (
  org: Org,
  fingerprint: Fingerprint
): Effect.Effect<unknown, AccessDenied | PlacementFailure | StoreError, Artifacts | CurrentActor> =>
  Effect.flatMap(Artifacts, (artifacts) =>
    artifacts.report(
      org.name,
      FLOW,
      Schema.decodeSync(ArtifactReport)({
        fingerprint,
        filename: "shop",
        build_url: "b",
        commit_url: "c",
        trail_name: TRAIL,
        template_reference_name: `slot-${fingerprint.slice(0, 1)}`
      })
    )
  )

/**
 * An attestation of an artifact that the flow knows; nothing for an unknown one. One that equals the one before is not
 * stored again.
 */
export const attest = (
  org: Org,
  fingerprint: Fingerprint,
  isCompliant: boolean,
  description = ""
): Effect.Effect<
  unknown,
  AccessDenied | AttestationNeedsCommit | ChangeHeld | PlacementFailure | StoreError,
  Attestations | CurrentActor
> =>
  Effect.flatMap(Attestations, (attestations) =>
    attestations.report<never>(
      { org: org.name, flow: FLOW, trail: TRAIL },
      {
        type: "generic",
        isOverride: false,
        isCompliant,
        body: Schema.decodeSync(CommonFields)({
          attestation_name: "scan",
          description,
          artifact_fingerprint: fingerprint
        })
      },
      []
    )
  ).pipe(Effect.catchTag("ArtifactNotInTrail", () => Effect.void))
