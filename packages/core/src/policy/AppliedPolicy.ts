/**
 * The policies of a snapshot, in the form of the wire. SPEC §2.6
 *
 * A dump is the parsed policy with its defaults, in the spelling of the wire, which differs from that of the
 * file (`trail_compliance`, `if_condition`). It is output only; policies are saved as files.
 */
import * as Schema from "effect/Schema"
import { hiddenField } from "../shared/Hidden.js"
import { versionOf } from "./internal/PolicySyntax.js"
import type { PolicyDecision } from "./PolicyDecision.js"
import type { PolicyDocument, Requirement } from "./PolicyDocument.js"
import type { CompiledPolicies } from "./PolicyEvaluation.js"
import * as PolicyMode from "./PolicyMode.js"

const ConditionDump = Schema.Struct({ text: Schema.String })

/** The age of evidence, null without a limit; only in dumps of schema version 2. */
const maxAge = {
  max_age_seconds: Schema.optionalWith(Schema.NullOr(Schema.Int), { exact: true })
}

const RequirementDump = Schema.Struct({
  required: Schema.Boolean,
  exceptions: Schema.Array(Schema.Struct({ if_condition: ConditionDump }))
})

const ProvenanceDump = Schema.Struct({ ...RequirementDump.fields, ...maxAge })

/** A policy in the form of snapshots. */
export const PolicyDump = Schema.Struct({
  schema_version: Schema.String,
  artifacts: Schema.Struct({
    provenance: ProvenanceDump,
    trail_compliance: RequirementDump,
    attestations: Schema.Array(
      Schema.Struct({
        if_condition: Schema.NullOr(ConditionDump),
        name: Schema.String,
        type: Schema.String,
        must_be_compliant: Schema.Boolean,
        for_control: Schema.NullOr(Schema.String),
        ...maxAge,
        /** Only where it is true. */
        must_be_verified: Schema.optionalWith(Schema.Boolean, { exact: true }),
        /** Only for a rule with a condition on facts. */
        where: Schema.optionalWith(ConditionDump, { exact: true })
      })
    )
  })
}).annotations({ identifier: "PolicyDump" })
/** A policy in the form of snapshots. */
export type PolicyDump = typeof PolicyDump.Type

/** A policy that evaluated a snapshot; without a dump when it does not parse. */
export const AppliedPolicy = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  version: Schema.Int,
  policy_dump: Schema.NullOr(PolicyDump),
  /** Fingerprints of the rows that it fails, sorted. */
  failing_artifacts: Schema.Array(Schema.String),
  /** Only for a policy that warns: it would fail these rows. */
  ...PolicyMode.warningField,
  /** Only for a policy that the caller may not read; it has no dump. */
  ...hiddenField
}).annotations({ identifier: "AppliedPolicy" })
/** A policy that evaluated a snapshot. */
export type AppliedPolicy = typeof AppliedPolicy.Type

const dumpRequirement = ({ exceptions, required }: Requirement): typeof RequirementDump.Type => ({
  required,
  exceptions: exceptions.map(({ text }) => ({ if_condition: { text } }))
})

/** The document in the form of snapshots, `policy_dump` on the wire. */
export const dump = (document: PolicyDocument): PolicyDump => {
  const version = versionOf(document.schema)
  const ageOf = (age: number | undefined) => (version === 1 ? {} : { max_age_seconds: age ?? null })
  return {
    schema_version: String(version),
    artifacts: {
      provenance: { ...dumpRequirement(document.provenance), ...ageOf(document.provenance.maxAge) },
      trail_compliance: dumpRequirement(document.trailCompliance),
      attestations: document.attestations.map((rule) => ({
        if_condition: rule.condition === null ? null : { text: rule.condition.text },
        name: rule.name,
        type: rule.type,
        must_be_compliant: rule.mustBeCompliant,
        for_control: rule.forControl,
        ...ageOf(rule.maxAge),
        ...(rule.mustBeVerified === undefined ? {} : { must_be_verified: true }),
        ...(rule.where === undefined ? {} : { where: { text: rule.where.text } })
      }))
    }
  }
}

/** The fields of a snapshot's row that depend on policies. */
export interface AppliedRow {
  readonly fingerprint: string
  readonly policy_decisions: ReadonlyArray<PolicyDecision>
}

/** The policies of a snapshot in order of their names, each with the running rows that it fails. */
export const fromRows = (
  { policies }: CompiledPolicies,
  rows: ReadonlyArray<AppliedRow>
): ReadonlyArray<AppliedPolicy> => {
  const failing = new Map<string, Set<string>>()
  for (const { fingerprint, policy_decisions } of rows)
    for (const { policy_name, status } of policy_decisions) {
      const known = failing.get(policy_name) ?? new Set()
      failing.set(policy_name, status === "COMPLIANT" ? known : known.add(fingerprint))
    }
  return policies.map(({ policy: { document, id, mode, name, version } }) => ({
    id,
    name,
    version,
    policy_dump: "_tag" in document ? null : dump(document),
    failing_artifacts: [...(failing.get(name) ?? [])].sort(),
    ...PolicyMode.toField(mode)
  }))
}
