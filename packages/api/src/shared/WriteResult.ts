/**
 * The effect of a write: the body of a write under `Prefer: return=representation`, in place of `"OK"`.
 *
 * Writes that answer an object answer the same object under this preference.
 */
import { RESOURCES, RESULTS } from "@attestry/core/WriteOutcome"
import * as Schema from "effect/Schema"

// WHY not `Schema.Int`: its JSON Schema is a reference.
const Whole = Schema.Number.pipe(Schema.int())

/** The effect of a write; members that mean nothing for its resource are null. */
export const WriteResult = Schema.Struct({
  type: Schema.Literal(...RESOURCES).annotations({ description: "The type of the resource" }),
  id: Schema.NullOr(Schema.String).annotations({
    description: "Its id, number or fingerprint; null for a resource with only a name"
  }),
  name: Schema.NullOr(Schema.String).annotations({ description: "Its name after the write" }),
  outcome: Schema.Literal(...RESULTS).annotations({ description: "The effect of the write" }),
  changed: Schema.Boolean.annotations({ description: "Whether anything differs since the write" }),
  version: Schema.NullOr(Whole).annotations({
    description: "The current version of a policy, a control or an attestation type"
  }),
  snapshot_index: Schema.NullOr(Whole).annotations({
    description: "The latest snapshot of an environment after a report"
  }),
  is_compliant: Schema.NullOr(Schema.Boolean).annotations({
    description: "Whether the attestation or the snapshot is compliant; null where unknown"
  }),
  html_url: Schema.NullOr(Schema.String).annotations({
    description: "The page of the resource"
  })
}).annotations({ description: 'The result of a write, if the request prefers it to "OK"' })
/** The effect of a write. */
export type WriteResult = typeof WriteResult.Type
