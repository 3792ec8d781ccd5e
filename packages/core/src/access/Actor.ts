/** The caller: a user or a service account, with its role in each org. */
import * as Context from "effect/Context"
import * as Schema from "effect/Schema"
import type { JournalActor } from "../journal/JournalEntry.js"
import { ApiKeyId, OrgId, OrgName } from "../shared/Identifier.js"
import { Role } from "./Role.js"

/** One org that an actor belongs to. */
export const ActorMembership = Schema.Struct({ org_id: OrgId, org: OrgName, role: Role })
/** One org that an actor belongs to. */
export type ActorMembership = typeof ActorMembership.Type

/** The caller and its key. */
export const Actor = Schema.Struct({
  kind: Schema.Literal("user", "service-account"),
  id: Schema.String,
  /** The display name, or the login name where the display name is empty. */
  name: Schema.String,
  key_id: ApiKeyId,
  memberships: Schema.Array(ActorMembership)
})
/** The caller and its key. */
export type Actor = typeof Actor.Type

/** The actor of the current request. */
export class CurrentActor extends Context.Tag("@attestry/core/CurrentActor")<
  CurrentActor,
  Actor
>() {}

/** An actor in the form of the journal. */
export const toJournal = (actor: Actor): JournalActor => ({
  kind: actor.kind,
  id: actor.id,
  name: actor.name
})
