/**
 * A policy as snapshots show it: parsed, with its defaults, in the spelling of the wire. SPEC §2.6
 *
 * Not the file: keys differ (`trail_compliance`, `if_condition`), and the address in `_schema` has
 * become a version. A dump is for reading; policies are saved as files.
 */
import * as Schema from "effect/Schema"
import type { Condition, PolicyDocument, Requirement } from "./PolicyDocument.js"

const ConditionDump = Schema.Struct({ text: Schema.String })

const RequirementDump = Schema.Struct({
  required: Schema.Boolean,
  exceptions: Schema.Array(Schema.Struct({ if_condition: ConditionDump }))
})

/** A policy as snapshots show it. */
export const PolicyDump = Schema.Struct({
  schema_version: Schema.String,
  artifacts: Schema.Struct({
    provenance: RequirementDump,
    trail_compliance: RequirementDump,
    attestations: Schema.Array(
      Schema.Struct({
        if_condition: Schema.NullOr(ConditionDump),
        name: Schema.String,
        type: Schema.String,
        must_be_compliant: Schema.Boolean,
        for_control: Schema.NullOr(Schema.String)
      })
    )
  })
}).annotations({ identifier: "PolicyDump" })
/** A policy as snapshots show it. */
export type PolicyDump = typeof PolicyDump.Type

const dumpRequirement = ({ exceptions, required }: Requirement): typeof RequirementDump.Type => ({
  required,
  exceptions: exceptions.map(({ text }: Condition) => ({ if_condition: { text } }))
})

/** The dump of a document. */
export const dump = (document: PolicyDocument): PolicyDump => ({
  schema_version: "1",
  artifacts: {
    provenance: dumpRequirement(document.provenance),
    trail_compliance: dumpRequirement(document.trailCompliance),
    attestations: document.attestations.map((rule) => ({
      if_condition: rule.condition === null ? null : { text: rule.condition.text },
      name: rule.name,
      type: rule.type,
      must_be_compliant: rule.mustBeCompliant,
      for_control: rule.forControl
    }))
  }
})
