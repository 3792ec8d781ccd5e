/** The caller: a user or a service account, with its role in each org. */
import * as Context from "effect/Context"
import * as Schema from "effect/Schema"
import type { JournalActor } from "../journal/JournalEntry.js"
import { CredentialId, OrgId, OrgName } from "../shared/Identifier.js"
import { Timestamp } from "../shared/Timestamp.js"
import { KeyScope } from "./KeyScope.js"
import { BaseRole } from "./Role.js"

/** One org that an actor belongs to. */
export const ActorMembership = Schema.Struct({ org_id: OrgId, org: OrgName, role: BaseRole })
/** One org that an actor belongs to. */
export type ActorMembership = typeof ActorMembership.Type

/** How a person signed in. */
export const SignedIn = Schema.Struct({
  provider: Schema.String,
  /** When the provider asked the person; `null` where it does not say. */
  auth_time: Schema.NullOr(Timestamp)
})
/** How a person signed in. */
export type SignedIn = typeof SignedIn.Type

/** An org of the caller in which the credential does not count, and the providers whose sessions do. */
export const UncountedOrg = Schema.Struct({
  org: OrgName,
  sign_in: Schema.Array(Schema.String)
})
/** An org of the caller in which the credential does not count. */
export type UncountedOrg = typeof UncountedOrg.Type

/** The caller and its key. */
export const Actor = Schema.Struct({
  kind: Schema.Literal("user", "service-account"),
  id: Schema.String,
  /** The display name, or the login name where the display name is empty. */
  name: Schema.String,
  /** A session that a key opened has the id of the key. */
  key_id: CredentialId,
  memberships: Schema.Array(ActorMembership),
  /** What the key leaves of the memberships, where it has a scope; a session that the key opened has the same. */
  scope: Schema.optionalWith(KeyScope, { exact: true }),
  /** Present where the credential is a session of a person who signed in with a provider. */
  signed_in: Schema.optionalWith(SignedIn, { exact: true }),
  /** Present where the key is one for emergencies, whose uses are told. */
  emergency: Schema.optionalWith(Schema.Literal(true), { exact: true }),
  /** The orgs in which the credential does not count, where there are any: a permission there needs another sign-in. */
  uncounted: Schema.optionalWith(Schema.Array(UncountedOrg), { exact: true })
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
