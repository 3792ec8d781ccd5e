/** Decides the outcome of a document, by its kind or by a custom type of the org. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Granted } from "../../access/Access.js"
import { AttestationName } from "../../attestation/Attestation.js"
import { AttestationStore } from "../../attestation/AttestationStore.js"
import { AttestationTypeName } from "../../attestation-type/AttestationType.js"
import { AttestationTypes } from "../../attestation-type/AttestationTypes.js"
import { CUSTOM_PREFIX } from "../../flow/AttestationTypePattern.js"
import type { OrgId } from "../../shared/Identifier.js"
import * as TrustPolicyLookup from "../../trust-policy/internal/TrustPolicyLookup.js"
import type { AfterVex } from "../AfterVex.js"
import type { EvidenceFacts } from "../EvidenceFacts.js"
import * as EvidenceKind from "../EvidenceKind.js"
import * as EvidenceOutcome from "../EvidenceOutcome.js"
import {
  type EvidenceJudgement,
  type EvidenceRecord,
  EvidenceTypeTaken
} from "../EvidenceRecord.js"
import { type EvidenceVerification, inFlow } from "../EvidenceVerification.js"
import * as EvidenceAttestations from "./EvidenceAttestations.js"
import * as VexRecords from "./VexRecords.js"

/** What decides an outcome. */
export interface JudgedContent {
  readonly document: Pick<EvidenceRecord, "facts" | "flows" | "kind" | "verification">
  readonly scanned: VexRecords.Scanned
}

/** How the caller wants a document to be judged. */
export interface OutcomeRequest {
  /** The name of attestations; null for the default of their kind. */
  readonly name: AttestationName | null
  /** A custom type of the org that judges the facts; null for the built-in types. */
  readonly typeName: AttestationTypeName | null
}

/** The facts with the counts that VEX has left. */
const factsAfter = (facts: EvidenceFacts, after_vex: AfterVex | null): EvidenceFacts =>
  after_vex !== null && (facts.kind === "scan" || facts.kind === "snyk")
    ? { ...facts, counts: after_vex.counts }
    : facts

/** Judges documents. */
export const make = Effect.gen(function* () {
  const trustOf = yield* TrustPolicyLookup.make
  const attestationStore = yield* AttestationStore
  const types = yield* AttestationTypes
  const { afterVex } = yield* VexRecords.make

  /** Fails if the org has a type of its own under the name of the built-in type of a kind. */
  const checkBuiltIn = (org: OrgId, kind: EvidenceKind.EvidenceKind) =>
    Effect.gen(function* () {
      const type = EvidenceKind.attestationType(kind)
      if (!type.startsWith(CUSTOM_PREFIX)) return
      const name = AttestationTypeName.make(type.slice(CUSTOM_PREFIX.length))
      const found = yield* attestationStore.findType({ org, name })
      if (Option.isSome(found)) return yield* new EvidenceTypeTaken({ name })
    })

  /** The outcome of a document, here and in flows that the rule of its verification does not speak about. */
  const judge = Effect.fnUntraced(function* (
    granted: Granted,
    { document, scanned }: JudgedContent,
    { name, typeName }: OutcomeRequest
  ) {
    const trust = yield* trustOf(granted.orgId)
    const { facts, flows, kind, verification } = document
    const after_vex = yield* afterVex(granted.orgId, facts, scanned)
    // WHY: a rule that names no flow gives the same result in every one.
    const elsewhere = flows === null ? verification : inFlow(verification, [], "")
    const named = name ?? AttestationName.make(EvidenceKind.defaultName(kind))
    if (typeName === null) {
      yield* checkBuiltIn(granted.orgId, kind)
      const outcome = (result: EvidenceVerification) =>
        EvidenceOutcome.isCompliant(factsAfter(facts, after_vex), result, trust)
      return {
        name: named,
        type_name: null,
        type_version: null,
        is_compliant: outcome(verification),
        is_compliant_elsewhere: outcome(elsewhere),
        after_vex
      } satisfies EvidenceJudgement
    }
    const outcome = (result: EvidenceVerification) =>
      Effect.map(
        types.evaluate(
          granted,
          typeName,
          EvidenceAttestations.dataOf(document, { after_vex, verification: result })
        ),
        ({ isCompliant, version }) => ({
          version,
          isCompliant: isCompliant && EvidenceOutcome.isVerifiedEnough(kind, result, trust)
        })
      )
    const here = yield* outcome(verification)
    const there = elsewhere === verification ? here : yield* outcome(elsewhere)
    return {
      name: named,
      type_name: typeName,
      type_version: here.version,
      is_compliant: here.isCompliant,
      is_compliant_elsewhere: there.isCompliant,
      after_vex
    } satisfies EvidenceJudgement
  })

  return { judge } as const
})
