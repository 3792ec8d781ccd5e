/**
 * One version of a template, stored for ever under its id.
 *
 * Flows and trails refer to their current version; an evaluation refers to the version that it used, so that it
 * can be explained after the template changes.
 */
import * as Schema from "effect/Schema"
import { OrgId, TemplateId } from "../shared/Identifier.js"
import { Timestamp } from "../shared/Timestamp.js"

/** One version of a template. */
export const TemplateVersion = Schema.Struct({
  org_id: OrgId,
  id: TemplateId,
  content: Schema.String,
  created_at: Timestamp
})
/** One version of a template. */
export type TemplateVersion = typeof TemplateVersion.Type
