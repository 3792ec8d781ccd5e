/**
 * One accepted write, stored for ever.
 *
 * The content is the canonical JSON of the accepted values, stored and served as the same bytes. The digest is
 * of these bytes, so that a reader can verify an entry without the schemas.
 */
import * as Schema from "effect/Schema"
import { OrgId } from "../shared/Identifier.js"
import { Timestamp } from "../shared/Timestamp.js"

/** The subject of an entry: a kind of resource and an id. */
export const JournalSubject = Schema.Struct({ type: Schema.String, id: Schema.String })
/** The subject of an entry. */
export type JournalSubject = typeof JournalSubject.Type

/**
 * The actor of an entry: its kind, its id, its name at that time, and the id of its key where it used one. An entry of
 * a person whose break-glass is open has the number of the opening.
 */
export const JournalActor = Schema.Struct({
  kind: Schema.Literal("user", "service-account", "system"),
  id: Schema.String,
  name: Schema.String,
  credential: Schema.optionalWith(Schema.String, { exact: true }),
  break_glass: Schema.optionalWith(Schema.Int, { exact: true })
})
/** The actor of an entry. */
export type JournalActor = typeof JournalActor.Type

/** An entry before the store assigns its sequence number. */
export const JournalDraft = Schema.Struct({
  org_id: OrgId,
  kind: Schema.String,
  subject: JournalSubject,
  actor: JournalActor,
  at: Timestamp,
  content: Schema.String,
  digest: Schema.String
})
/** An entry before the store assigns its sequence number. */
export type JournalDraft = typeof JournalDraft.Type

/** An entry. Sequence numbers increase strictly per subject, and are unique in the store, with gaps. */
export const JournalEntry = Schema.Struct({ ...JournalDraft.fields, sequence: Schema.Int })
/** An entry. */
export type JournalEntry = typeof JournalEntry.Type
