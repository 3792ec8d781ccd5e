/**
 * What a caller may give to others: no role and no key with more than the caller's own key leaves. Pure and total.
 *
 * Every operation that gives a role asks `Access.checkGift`, and every one that makes a key or a rule for id tokens
 * asks `checkScope`. DECISIONS.md, "Keys that narrow"
 */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type { OrgName } from "../shared/Identifier.js"
import type { Actor } from "./Actor.js"
import { isWithin, type KeyScope, leaves, namesPlaces } from "./KeyScope.js"
import { ofRole } from "./Permission.js"
import type { BaseRole } from "./Role.js"

/** The scope of the caller's key does not reach as far as what it would give. */
export class ScopeExceeded extends Schema.TaggedError<ScopeExceeded>()("ScopeExceeded", {
  what: Schema.String
}) {
  override get message(): string {
    return `the scope of this API key does not allow ${this.what}: use a key with a wider scope`
  }
}

/** Refuses a role with a permission that the caller's key does not leave; whether it leaves the place is not asked. */
export const checkRole = (
  { scope }: Pick<Actor, "scope">,
  role: BaseRole
): Either.Either<void, ScopeExceeded> =>
  ofRole(role).every((permission) => leaves(scope, permission))
    ? Either.void
    : Either.left(new ScopeExceeded({ what: `giving the role \`${role}\`` }))

/** Refuses a role in the whole org with a permission that the caller's key does not leave there. */
export const checkWholeRole = (
  actor: Pick<Actor, "scope">,
  role: BaseRole
): Either.Either<void, ScopeExceeded> =>
  role !== "none" && namesPlaces(actor.scope)
    ? Either.left(new ScopeExceeded({ what: `giving the role \`${role}\`` }))
    : checkRole(actor, role)

/**
 * Refuses a key, or a rule for id tokens, whose scope leaves what that of the caller's key takes away. What belongs to
 * an account counts in the org of the account alone.
 */
export const checkScope = (
  actor: Pick<Actor, "scope">,
  scope: KeyScope | undefined,
  ofAccountIn?: OrgName
): Either.Either<void, ScopeExceeded> =>
  isWithin(ofAccountIn === undefined ? scope : { ...scope, orgs: [ofAccountIn] }, actor.scope)
    ? Either.void
    : Either.left(new ScopeExceeded({ what: "making a key that has more than itself" }))

/** Refuses what changes how a person signs in or belongs, to a key that has a scope. */
export const checkOwnChange = (
  { scope }: Pick<Actor, "scope">,
  what: string
): Either.Either<void, ScopeExceeded> =>
  scope === undefined ? Either.void : Either.left(new ScopeExceeded({ what }))
