/**
 * A person whom the host of an embedded Attestry has signed in.
 *
 * Its identity is the provider `host` and the subject. Where the host names orgs, it decides base roles at each
 * request; where it does not, the memberships of the store count.
 */
import * as Schema from "effect/Schema"
import { BaseRole } from "../access/Role.js"
import { OrgName } from "../shared/Identifier.js"
import { Timestamp } from "../shared/Timestamp.js"
import { Subject } from "./Identity.js"
import { ProviderId } from "./Provider.js"

/** The provider of the identities of hosts. */
export const HOST = ProviderId.make("host")

/** The most characters of a name or an address. */
export const NAME_LENGTH_MAX = 256

/** The most orgs that a host names. */
export const ORGS_MAX = 100

const Text = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(NAME_LENGTH_MAX))

/** A person whom a host has signed in. */
export const HostActor = Schema.Struct({
  subject: Subject,
  name: Text,
  email: Schema.NullOr(Text),
  /** When the host asked the person; `null` where it does not say. */
  authTime: Schema.NullOr(Timestamp),
  /** The orgs of the person with the base role in each; `null` leaves the store's memberships. */
  orgs: Schema.NullOr(
    Schema.Array(Schema.Struct({ org: OrgName, role: BaseRole })).pipe(Schema.maxItems(ORGS_MAX))
  )
})
/** A person whom a host has signed in. */
export type HostActor = typeof HostActor.Type
