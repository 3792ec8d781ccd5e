/** Finds the keys that questions about access are about, and what their scopes leave of the roles of their owners. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { authorizeMember } from "../../access/Access.js"
import { CurrentActor } from "../../access/Actor.js"
import { countsIn, type KeyScope, namesPlaces } from "../../access/KeyScope.js"
import type { Permission } from "../../access/Permission.js"
import { everywhere, Reaches } from "../../access/Reaches.js"
import { type ApiKey, ApiKeyNotFound, isValidAt } from "../../api-key/ApiKey.js"
import { CredentialStore } from "../../api-key/CredentialStore.js"
import * as ScopePlaces from "../../api-key/internal/ScopePlaces.js"
import type { ApiKeyId, OrgName, SpaceId } from "../../shared/Identifier.js"
import * as SpaceTree from "../../space/SpaceTree.js"

const ADMINISTER: Permission = "grant.write"

const ownerOf = ({ owner }: ApiKey) =>
  owner.kind === "user"
    ? ({ kind: "user", id: owner.user_id } as const)
    : ({ kind: "service-account", id: owner.service_account_id } as const)

/** The scope as an org sees it: without the other orgs in which the key counts. */
const shownIn = (org: OrgName, scope: KeyScope): KeyScope =>
  scope.orgs === undefined ? scope : { ...scope, orgs: [org] }

/** The bindings that a scope leaves: in the spaces that it names, where it names places. */
export const cut =
  (tree: SpaceTree.SpaceTree, scope: KeyScope | undefined) =>
  <A extends { readonly space: SpaceId }>(bindings: ReadonlyArray<A>): ReadonlyArray<A> => {
    if (!namesPlaces(scope)) return bindings
    const named = [...tree.paths.keys()].filter((id) => scope?.spaces?.includes(id))
    const isWithin = (id: SpaceId, other: SpaceId) => SpaceTree.pathOf(tree, id).includes(other)
    return bindings.flatMap((binding) =>
      named.some((id) => isWithin(binding.space, id))
        ? [binding]
        : named.filter((id) => isWithin(id, binding.space)).map((space) => ({ ...binding, space }))
    )
  }

/** Makes the lookup. */
export const make = Effect.gen(function* () {
  const credentials = yield* CredentialStore
  const reaches = yield* Reaches
  const { named } = yield* ScopePlaces.make

  /** A key that works, of the caller, or of an owner whom the caller administers; as absent else. */
  const find = Effect.fnUntraced(function* (org: OrgName, id: ApiKeyId) {
    const actor = yield* CurrentActor
    const member = yield* authorizeMember(actor, org)
    const notFound = new ApiKeyNotFound({ id })
    const found = Option.getOrUndefined(yield* credentials.findCredential(id))
    const owner = found === undefined ? undefined : ownerOf(found.key)
    const isOwn = owner?.id === actor.id && owner.kind === actor.kind
    const sight = isOwn ? everywhere(member, "org.read") : yield* reaches.authorize(org, ADMINISTER)
    if (found === undefined || owner === undefined) return yield* notFound
    const { actor: holder, key, now } = found
    const isHere = holder.memberships.some((each) => each.org_id === member.orgId)
    if (!isHere || !countsIn(key.scope, org) || !isValidAt(key, now)) return yield* notFound
    if (!isOwn && sight.reach._tag === "Part") {
      if (owner.kind === "user") return yield* notFound
      const unread = { ...sight, readable: sight.reach }
      yield* reaches.permit(unread, { kind: "service-account", id: owner.id }, () => notFound)
    }
    const [shown = key] = yield* named(member.orgId, [key])
    return {
      sight,
      owner,
      scope: key.scope,
      shown: shown.scope === undefined ? null : shownIn(org, shown.scope)
    }
  })

  return { find } as const
})
