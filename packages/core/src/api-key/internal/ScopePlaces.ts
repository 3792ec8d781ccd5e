/**
 * The places of scopes of keys: found by name when a key is made, and named again when it is shown.
 *
 * A place is kept by its id. What is unknown, what the caller does not read and what the owner of the key does not read
 * are refused alike.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as KeyScope from "../../access/KeyScope.js"
import * as Reach from "../../access/Reach.js"
import type { GrantedWithin } from "../../access/Reaches.js"
import type { BaseRole } from "../../access/Role.js"
import { GrantStore } from "../../grant/GrantStore.js"
import { withInput } from "../../shared/FieldErrors.js"
import type { OrgId } from "../../shared/Identifier.js"
import type { StoreError } from "../../shared/StoreError.js"
import type { Timestamp } from "../../shared/Timestamp.js"
import { OrgSpaces } from "../../space/internal/OrgSpaces.js"
import { rootOf } from "../../space/Space.js"
import { SpaceStore } from "../../space/SpaceStore.js"
import * as SpaceTree from "../../space/SpaceTree.js"

/** The account whose credentials have a scope; absent where they are the caller's own. */
export interface ScopeOwner {
  readonly id: string
  readonly privilege: BaseRole
}

/** A scope, and where it is in the request. */
export interface AskedScope {
  readonly scope: KeyScope.KeyScope | undefined
  readonly at: string
}

/** Something with a scope that is kept. */
interface Scoped {
  readonly scope?: KeyScope.KeyScope
}

const THINGS = ["flow", "environment"] as const
const FIELDS = { flow: "flows", environment: "environments" } as const

const SENTENCE = {
  spaces: "There is no such space that the key's owner reads",
  flows: "There is no such flow that the key's owner reads",
  environments: "There is no such environment that the key's owner reads"
}

/** Makes the lookups. */
export const make = Effect.gen(function* () {
  const store = yield* SpaceStore
  const spaces = yield* OrgSpaces
  const grants = yield* GrantStore

  /** What both the caller and the owner read. */
  const readableOf = (
    { orgId, readable }: Pick<GrantedWithin, "orgId" | "readable">,
    owner: ScopeOwner | undefined,
    at: Timestamp
  ) =>
    Effect.gen(function* () {
      if (owner === undefined) return [readable]
      const { id, privilege } = owner
      const base = privilege === "none" ? [] : [{ role: privilege, space: rootOf(orgId) }]
      const given = yield* grants.listBindings(orgId, { kind: "service-account", id }, at)
      const standing = { bindings: [...base, ...given], scope: undefined }
      return [readable, Reach.of(standing, "org.read", yield* spaces.of(orgId))]
    })

  /** The ids of things by their names, of those that are readable. */
  const idsOf = (
    org: OrgId,
    kind: (typeof THINGS)[number],
    {
      names,
      readable
    }: {
      readonly names: ReadonlyArray<string>
      readonly readable: ReadonlyArray<Reach.Reach>
    }
  ) =>
    Effect.gen(function* () {
      const found = yield* store.findThings(org, { kind, names })
      const ids = [...found.values()]
      const places = yield* store.placesOf(org, { kind, ids })
      const isReadable = (id: string) =>
        readable.every((reach) =>
          Reach.holdsThing(reach, { kind, id }, places.get(id) ?? rootOf(org))
        )
      return names.map((name) => {
        const id = found.get(name)
        return id !== undefined && isReadable(id) ? id : undefined
      })
    })

  const spaceIdsOf = (
    org: OrgId,
    {
      names,
      readable
    }: {
      readonly names: ReadonlyArray<string>
      readonly readable: ReadonlyArray<Reach.Reach>
    }
  ) =>
    Effect.map(spaces.of(org), (tree) =>
      names.map((path) =>
        Option.getOrUndefined(
          Option.filter(SpaceTree.find(tree, path), (id) =>
            readable.every((reach) => Reach.holds(reach, id))
          )
        )
      )
    )

  /** The scope as it is kept: with the ids of the places that it names. */
  const resolve = (
    granted: Pick<GrantedWithin, "orgId" | "readable">,
    { at, scope }: AskedScope,
    { now, owner }: { readonly now: Timestamp; readonly owner?: ScopeOwner }
  ): Effect.Effect<KeyScope.KeyScope | undefined, KeyScope.InvalidKeyScope | StoreError> =>
    Effect.gen(function* () {
      if (scope === undefined || !KeyScope.namesPlaces(scope)) return scope
      const org = granted.orgId
      const readable = yield* readableOf(granted, owner, now)
      const problems: { [field: string]: string } = {}
      const kept = (
        field: keyof typeof SENTENCE,
        ids: ReadonlyArray<string | undefined>
      ): { readonly [field: string]: ReadonlyArray<string> } => {
        const names = scope[field]
        if (names === undefined) return {}
        ids.forEach((id, index) => {
          if (id === undefined)
            problems[`${at}.${field}[${index}]`] = withInput(SENTENCE[field], names[index])
        })
        return { [field]: [...new Set(ids.flatMap((id) => (id === undefined ? [] : [id])))] }
      }
      const found: KeyScope.KeyScope = {
        ...scope,
        ...kept("spaces", yield* spaceIdsOf(org, { names: scope.spaces ?? [], readable })),
        ...kept("flows", yield* idsOf(org, "flow", { names: scope.flows ?? [], readable })),
        ...kept(
          "environments",
          yield* idsOf(org, "environment", { names: scope.environments ?? [], readable })
        )
      }
      return Object.keys(problems).length === 0
        ? found
        : yield* new KeyScope.InvalidKeyScope({ problems })
    })

  /** The names of the things of a kind that some scopes name, by id. */
  const namesOf = (org: OrgId, kind: (typeof THINGS)[number], all: ReadonlyArray<Scoped>) => {
    const ids = all.flatMap(({ scope }) => scope?.[FIELDS[kind]] ?? [])
    return ids.length === 0
      ? Effect.succeed<ReadonlyMap<string, string>>(new Map())
      : store.namesOf(org, { kind, ids: [...new Set(ids)] })
  }

  /** The same with the names of the places of their scopes as they are now; what was deleted is left out. */
  const named = <A extends Scoped>(
    org: OrgId,
    all: ReadonlyArray<A>
  ): Effect.Effect<ReadonlyArray<A>, StoreError> =>
    Effect.gen(function* () {
      if (!all.some(({ scope }) => KeyScope.namesPlaces(scope))) return all
      const tree = yield* spaces.of(org)
      const flows = yield* namesOf(org, "flow", all)
      const environments = yield* namesOf(org, "environment", all)
      const paths = new Map(
        [...tree.spaces.keys()].map((id) => [String(id), SpaceTree.labelOf(tree, id)])
      )
      const shown = (field: keyof typeof SENTENCE, scope: KeyScope.KeyScope) => {
        const names = { spaces: paths, flows, environments }[field]
        const ids = scope[field]
        return ids === undefined ? {} : { [field]: ids.flatMap((id) => names.get(id) ?? []) }
      }
      return all.map((each) => {
        const { scope } = each
        if (scope === undefined || !KeyScope.namesPlaces(scope)) return each
        return {
          ...each,
          scope: {
            ...scope,
            ...shown("spaces", scope),
            ...shown("flows", scope),
            ...shown("environments", scope)
          }
        }
      })
    })

  return { resolve, named } as const
})
