/**
 * The entries that make a record fail in its trail, each with the types of attestations that would settle it. Pure.
 *
 * A reason names the type that fails; which other types of the same name settle it is known from the template alone.
 */

import * as AttestationTypePattern from "@attestry/core/AttestationTypePattern"
import type { FlowReason, RecordStatus } from "@attestry/core/ComplianceStatus"
import type { ExpectedAttestation, FlowTemplate } from "@attestry/core/FlowTemplate"
import type { FlowView } from "@attestry/core/PolicyFacts"

type Entry = NonNullable<FlowView["entries"]>[number]

/** The record, with what makes it fail. */
type Failing = Pick<RecordStatus, "flow_reasons_for_non_compliance" | "template_reference_name">

const expectedAt = (
  { trail }: FlowTemplate,
  { template_reference_name: slot }: Failing,
  level: FlowReason["level"]
): ReadonlyArray<ExpectedAttestation> =>
  level === "trail"
    ? trail.attestations
    : trail.artifacts.flatMap(({ attestations, name }) => (name === slot ? attestations : []))

const entryOf = (reason: FlowReason, expected: ReadonlyArray<ExpectedAttestation>): Entry => {
  if (reason.type === "missing_attestation") return reason
  const failed = AttestationTypePattern.fromWire(reason.attestation_type)
  const pairs = expected.filter(({ name }) => name === reason.attestation_name)
  const fitting = pairs.filter(({ type }) => AttestationTypePattern.matches(type, failed))
  // The latest attestation of the name that is not expected decides: any other type that is not expected replaces it.
  if (fitting.length === 0) return { ...reason, any_type_but: pairs.map(({ type }) => type) }
  // WHY every: where a pair asks for the type itself, another type may leave that pair failing.
  return fitting.every(({ type }) => type === "*") ? { ...reason, any_type_but: [] } : reason
}

/** The entries of a record by the template of its trail. */
export const of = (template: FlowTemplate, failing: Failing): ReadonlyArray<Entry> =>
  failing.flow_reasons_for_non_compliance.map((reason) =>
    entryOf(reason, expectedAt(template, failing, reason.level))
  )
