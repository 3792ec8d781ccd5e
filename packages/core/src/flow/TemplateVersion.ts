/**
 * One text of a template, kept for ever under its own id.
 *
 * Flows and trails point at the version in force; an evaluation remembers the one it used, so that it
 * can be explained after the template has moved on. DECISION D2.6, D2.7
 */
import * as Schema from "effect/Schema"
import { OrgId, TemplateId } from "../shared/Identifier.js"
import { Timestamp } from "../shared/Timestamp.js"

/** One text of a template. */
export const TemplateVersion = Schema.Struct({
  org_id: OrgId,
  id: TemplateId,
  content: Schema.String,
  created_at: Timestamp
})
/** One text of a template. */
export type TemplateVersion = typeof TemplateVersion.Type
