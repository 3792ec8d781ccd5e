/** The fields that every write inside a transaction needs. */
import type { JournalActor } from "../../journal/JournalEntry.js"
import type { OrgId } from "../../shared/Identifier.js"
import type { Timestamp } from "../../shared/Timestamp.js"
import type { Granted } from "../Access.js"
import * as Actor from "../Actor.js"

/** The org, the actor and the instant of a write. */
export interface WriteContext {
  readonly org: OrgId
  readonly actor: JournalActor
  readonly at: Timestamp
}

/** An actor in the form of the journal, with the credential that it used. */
export const actorOf = (actor: Actor.Actor): JournalActor => ({
  ...Actor.toJournal(actor),
  credential: actor.key_id
})

/** The context of a write by the actor of a granted permission. */
export const make = (granted: Granted, at: Timestamp): WriteContext => ({
  org: granted.orgId,
  actor: actorOf(granted.actor),
  at
})
