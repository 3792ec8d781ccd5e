/** Reports to a trail in order, and their evaluation. */
import { Either } from "effect"
import type { ArtifactRecord, AttestationRecord } from "../../src/compliance/AttestationBinding.js"
import * as TrailCompliance from "../../src/compliance/TrailCompliance.js"
import * as FlowTemplate from "../../src/flow/FlowTemplate.js"

/** A fingerprint. */
export const F = "f".repeat(64)
/** Another fingerprint. */
export const E = "e".repeat(64)
/** A commit. */
export const c1 = "1".repeat(40)
/** Another commit. */
export const c2 = "2".repeat(40)

/** A report, before it has a sequence number. */
export type Reported =
  | Omit<ArtifactRecord, "sequence" | "id">
  | Omit<AttestationRecord, "sequence" | "id">

/** An attestation on the trail; `where` moves it to an artifact or to slots. */
export const attest = (
  name: string,
  type: string,
  isCompliant: boolean,
  where: Partial<AttestationRecord> = {}
): Reported => ({
  name,
  type,
  isCompliant,
  isOverride: false,
  fingerprint: null,
  slots: [],
  commit: null,
  ...where
})

/** An override, where an attestation would be. */
export const override = (
  name: string,
  type: string,
  isCompliant: boolean,
  where: Partial<AttestationRecord> = {}
): Reported => attest(name, type, isCompliant, { ...where, isOverride: true })

/** An artifact in a slot. */
export const artifact = (slot: string, fingerprint: string, commit: string | null): Reported => ({
  slot,
  fingerprint,
  commit
})

/** On the artifact with the fingerprint `F`. */
export const onF = { fingerprint: F }
/** For the slot `backend`, by commit. */
export const forBackend = { slots: ["backend"], commit: c1 }

/** Reports with their sequence numbers. */
export const evidence = (
  template: string,
  reported: ReadonlyArray<Reported>
): TrailCompliance.TrailEvidence => {
  const artifacts: Array<ArtifactRecord> = []
  const attestations: Array<AttestationRecord> = []
  reported.forEach((report, index) => {
    const placed = { sequence: index + 1, id: `#${index + 1}` }
    if ("slot" in report) artifacts.push({ ...placed, ...report })
    else attestations.push({ ...placed, ...report })
  })
  return { template: Either.getOrThrow(FlowTemplate.parse(template)), artifacts, attestations }
}

/** The evaluation of reports under a template, with slots by name. */
export const evaluate = (template: string, reported: ReadonlyArray<Reported>) => {
  const { trail, records } = TrailCompliance.evaluate(evidence(template, reported))
  return { trail, records, slots: new Map(Object.entries(trail.artifacts_statuses)) }
}

/** Entries in short form: name, type, id or `-`, outcome, `!` when unexpected. */
export const short = (entries: TrailCompliance.TrailEvaluation["trail"]["attestations_statuses"]) =>
  entries.map(
    (entry) =>
      `${entry.attestation_name} ${entry.attestation_type} ${entry.attestation_id ?? "-"}` +
      `${entry.overridden_attestation_id === null ? "" : `<${entry.overridden_attestation_id}`}` +
      ` ${entry.is_compliant}${entry.unexpected ? " !" : ""}`
  )
