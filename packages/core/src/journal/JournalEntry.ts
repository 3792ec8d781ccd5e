/**
 * One accepted write, as the record keeps it for ever.
 *
 * The content is the canonical JSON of what was accepted, stored and served as these very bytes; the
 * digest is taken of them, so that a reader can check either without knowing our schemas.
 */
import * as Schema from "effect/Schema"
import { OrgId } from "../shared/Identifier.js"
import { Timestamp } from "../shared/Timestamp.js"

/** What an entry is about: a kind of resource and the id of one. */
export const JournalSubject = Schema.Struct({ type: Schema.String, id: Schema.String })
/** What an entry is about. */
export type JournalSubject = typeof JournalSubject.Type

/** Who caused an entry: the kind of actor, its id, and its name at that time. */
export const JournalActor = Schema.Struct({
  kind: Schema.Literal("user", "service-account", "system"),
  id: Schema.String,
  name: Schema.String
})
/** Who caused an entry. */
export type JournalActor = typeof JournalActor.Type

/** An entry before the store has given it its place. */
export const JournalDraft = Schema.Struct({
  org_id: OrgId,
  kind: Schema.String,
  subject: JournalSubject,
  actor: JournalActor,
  at: Timestamp,
  content: Schema.String,
  digest: Schema.String
})
/** An entry before the store has given it its place. */
export type JournalDraft = typeof JournalDraft.Type

/** An entry: strictly increasing sequence numbers per subject, unique in the store, with gaps. */
export const JournalEntry = Schema.Struct({ ...JournalDraft.fields, sequence: Schema.Int })
/** An entry. */
export type JournalEntry = typeof JournalEntry.Type
