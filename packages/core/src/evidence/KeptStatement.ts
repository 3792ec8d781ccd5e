/** A statement of an accepted VEX document as it is kept: one for each product and component. */
import * as Schema from "effect/Schema"
import { OrgId } from "../shared/Identifier.js"
import { VexStatement } from "./EvidenceFacts.js"
import { DocumentKey } from "./EvidenceRecord.js"
import type { AcceptedStatement } from "./VexDecision.js"

/** The most characters of a vulnerability of a kept statement. */
export const VULNERABILITY_LENGTH_MAX = 256
/** The most characters of the product and of the component of a kept statement. */
export const PRODUCT_LENGTH_MAX = 1_024
/** A statement about one component of a product, or about all of it. */
export const KeptStatement = Schema.Struct({
  org_id: OrgId,
  ...DocumentKey.fields,
  /** The place among the statements of the document, from 1. */
  ordinal: Schema.Int,
  vulnerability: Schema.String.pipe(Schema.maxLength(VULNERABILITY_LENGTH_MAX)),
  product: Schema.String.pipe(Schema.maxLength(PRODUCT_LENGTH_MAX)),
  /** The purl of the component that it is about; null for the whole product. */
  component: Schema.NullOr(Schema.String.pipe(Schema.maxLength(PRODUCT_LENGTH_MAX))),
  status: VexStatement.fields.status,
  justification: VexStatement.fields.justification,
  at: VexStatement.fields.at,
  /** Whether its document was verified when it was accepted. */
  trusted: Schema.Boolean,
  /** The flows whose artifacts the rule of the verification speaks about; null for all. */
  flows: Schema.NullOr(Schema.Array(Schema.String)),
  /** The position of its document in the org's journal. */
  sequence: Schema.Int
})
/** A statement about one component of a product, or about all of it. */
export type KeptStatement = typeof KeptStatement.Type

/** A kept statement as `VexDecision` reads it, with the place of its document. */
export type Deciding = AcceptedStatement & Pick<KeptStatement, "digest" | "position">

/** The statement as `VexDecision` reads it. */
export const decidingOf = ({ component, trusted, ...statement }: KeptStatement): Deciding => ({
  ...statement,
  state: trusted ? "verified" : "unsigned",
  ...(component === null ? {} : { subcomponents: [component] })
})
