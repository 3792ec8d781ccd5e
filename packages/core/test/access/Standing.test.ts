/** Access by place against its model: AC-2, AC-3, AC-4, AC-6 and AC-8. */
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { isAllowed } from "../../src/access/Access.js"
import type { Actor } from "../../src/access/Actor.js"
import * as KeyScope from "../../src/access/KeyScope.js"
import { isPlaced, lowest, permissions } from "../../src/access/Permission.js"
import * as Reach from "../../src/access/Reach.js"
import { BaseRole, isAtLeast, Role } from "../../src/access/Role.js"
import * as Standing from "../../src/access/Standing.js"
import * as Grant from "../../src/grant/Grant.js"
import { ApiKeyId, OrgName, SpaceId } from "../../src/shared/Identifier.js"
import * as Timestamp from "../../src/shared/Timestamp.js"
import type { Space } from "../../src/space/Space.js"
import * as SpaceTree from "../../src/space/SpaceTree.js"
import * as Spaces from "../../testing/arbitrary/SpaceTree.js"
import * as Model from "../../testing/internal/model/AccessModel.js"

const ACME = OrgName.make("acme")

const { binding, bindings, permission, scope, space, spaces } = Spaces

const standing = FastCheck.record({ bindings, scope })

const worldOf = (given: ReadonlyArray<Space>): Model.World => ({ root: Spaces.ROOT, spaces: given })

/** The spaces at which a standing has a permission, in the order of the list. */
const allowedIn = (
  given: ReadonlyArray<Space>,
  held: Standing.Standing,
  asked: (typeof permissions)[number]
): ReadonlyArray<SpaceId> => {
  const tree = SpaceTree.make(Spaces.ORG, given)
  return [Spaces.ROOT, ...given.map(({ id }) => id)].filter((id) =>
    Standing.decide(held, asked, { path: SpaceTree.pathOf(tree, id) })
  )
}

const isSubset = <A>(inner: ReadonlyArray<A>, outer: ReadonlyArray<A>): boolean =>
  inner.every((each) => outer.includes(each))

describe("access by place", () => {
  it.prop("is that of the model", { spaces, standing, permission }, (given) => {
    const world = worldOf(given.spaces)
    assert.deepStrictEqual(
      allowedIn(given.spaces, given.standing, given.permission),
      Model.known(world).filter((id) => Model.allows(world, given.standing, given.permission, id))
    )
  })

  it.prop(
    "AC-2: one more binding, anywhere among the others, takes nothing away",
    { spaces, standing, binding, place: FastCheck.nat(4), permission },
    ({ binding: more, permission: asked, place, spaces: all, standing: held }) => {
      const given = [...held.bindings.slice(0, place), more, ...held.bindings.slice(place)]
      const before = allowedIn(all, held, asked)
      assert.isTrue(isSubset(before, allowedIn(all, { ...held, bindings: given }, asked)))
    }
  )

  it.prop("AC-3: without a binding nothing is allowed", { spaces, scope }, (given) => {
    for (const each of permissions) {
      const held = { bindings: [], scope: given.scope }
      assert.deepStrictEqual(allowedIn(given.spaces, held, each), [])
      assert.deepStrictEqual(Standing.spacesOf(held, each), [])
    }
    for (const role of Role.literals)
      assert.isFalse(Standing.hasRole({ bindings: [] }, role, [Spaces.ROOT]))
  })

  it.prop(
    "AC-3: a binding in an unknown space counts as absent",
    { spaces, standing, role: FastCheck.constantFrom(...Role.literals), permission },
    ({ permission: asked, role, spaces: all, standing: held }) => {
      const unknown = { role, space: SpaceId.make("unknown") }
      assert.deepStrictEqual(
        allowedIn(all, { ...held, bindings: [...held.bindings, unknown] }, asked),
        allowedIn(all, held, asked)
      )
    }
  )

  it.prop(
    "AC-4: the decision for several is the or of the decisions for each",
    { spaces, one: bindings, two: bindings, scope, permission },
    ({ one, permission: asked, scope: left, spaces: all, two }) => {
      const of = (held: ReadonlyArray<Standing.Binding>) =>
        allowedIn(all, { bindings: held, scope: left }, asked)
      const either = new Set([...of(one), ...of(two)])
      assert.deepStrictEqual(new Set(of([...one, ...two])), either)
    }
  )

  it.prop(
    "AC-6: a role in a space is the same role in all spaces below it, and in no other",
    { spaces, binding, permission },
    ({ binding: given, permission: asked, spaces: all }) => {
      const world = worldOf(all)
      const held = { bindings: [given], scope: undefined }
      const below = Model.known(world).filter((id) => Model.isWithin(world, id, given.space))
      const found = allowedIn(all, held, asked)
      assert.deepStrictEqual(found, isAtLeast(given.role, lowest(asked)) ? below : [])
      const tree = SpaceTree.make(Spaces.ORG, all)
      for (const id of Model.known(world)) {
        const path = SpaceTree.pathOf(tree, id)
        for (const role of Role.literals)
          assert.strictEqual(
            Standing.hasRole(held, role, path),
            below.includes(id) && isAtLeast(given.role, role)
          )
      }
    }
  )

  it.prop(
    "AC-6: moving a subtree changes nothing for what is not in it",
    { spaces, standing, permission, moved: space, to: space },
    ({ moved, permission: asked, spaces: all, standing: held, to }) => {
      const world = worldOf(all)
      if (!Model.known(world).includes(to) || Model.isWithin(world, to, moved)) return
      const after = all.map((each) => (each.id === moved ? { ...each, parent_id: to } : each))
      const isInside = (id: SpaceId) => Model.isWithin(world, id, moved)
      const [was, is] = [allowedIn(all, held, asked), allowedIn(after, held, asked)]
      const outside = (found: ReadonlyArray<SpaceId>) => found.filter((id) => !isInside(id))
      assert.deepStrictEqual(outside(is), outside(was))
      if (is.includes(to)) {
        const inside = Model.known(world).filter(isInside)
        assert.isTrue(isSubset(inside, is))
      }
    }
  )
})

describe("the reach of a caller", () => {
  it.prop(
    "AC-8: holds a space exactly where the permission is allowed there",
    { spaces, standing, permission },
    ({ permission: asked, spaces: all, standing: held }) => {
      const tree = SpaceTree.make(Spaces.ORG, all)
      const reach = Reach.of(held, asked, tree)
      for (const [id, path] of tree.paths)
        assert.strictEqual(Reach.holds(reach, id), Standing.decide(held, asked, { path }))
      const allowed = [...allowedIn(all, held, asked)].sort()
      const isWhole = allowed.includes(Spaces.ROOT)
      assert.strictEqual(reach._tag, isWhole ? "Whole" : "Part")
      assert.deepStrictEqual(Reach.idsOf(reach), isWhole ? undefined : allowed)
    }
  )

  it.prop(
    "AC-8: holds a flow or an environment exactly where the permission is allowed there, as in the model",
    { spaces, standing, permission, at: FastCheck.array(space, { minLength: 6, maxLength: 6 }) },
    ({ at, permission: asked, spaces: all, standing: held }) => {
      const tree = SpaceTree.make(Spaces.ORG, all)
      const things = (["flow", "environment"] as const).flatMap((kind, offset) =>
        Spaces.THINGS.map((id, index) => {
          const wanted = at[offset * Spaces.THINGS.length + index] ?? Spaces.ROOT
          return { kind, id, in: tree.paths.has(wanted) ? wanted : Spaces.ROOT }
        })
      )
      const placesOf = (kind: string, ids: ReadonlyArray<string> | undefined) =>
        new Map(
          things.flatMap((thing) =>
            thing.kind === kind && ids?.includes(thing.id) ? [[thing.id, thing.in] as const] : []
          )
        )
      const named = {
        flows: placesOf("flow", held.scope?.flows),
        environments: placesOf("environment", held.scope?.environments)
      }
      const reach = Reach.of(held, asked, { ...tree, named })
      for (const thing of things) {
        const place = { path: SpaceTree.pathOf(tree, thing.in), [thing.kind]: thing.id }
        const isAllowed = Standing.decide(held, asked, place)
        assert.strictEqual(Reach.holdsThing(reach, thing, thing.in), isAllowed)
        assert.strictEqual(Model.allows(worldOf(all), held, asked, thing.in, thing), isAllowed)
        const { scope: _, ...owner } = held
        if (isAllowed)
          assert.isTrue(Standing.decide({ ...owner, scope: undefined }, asked, place), "AC-7")
      }
    }
  )

  it.prop(
    "AC-7: a scope within another leaves no more places",
    { spaces, bindings, inner: scope, outer: scope, permission },
    ({ bindings: held, inner, outer, permission: asked, spaces: all }) => {
      if (!KeyScope.isWithin(inner, outer)) return
      const of = (left: KeyScope.KeyScope | undefined) =>
        allowedIn(all, { bindings: held, scope: left }, asked)
      assert.isTrue(isSubset(of(inner), of(outer)))
      for (const id of Spaces.THINGS)
        for (const kind of ["flow", "environment"]) {
          const place = { path: [Spaces.ROOT], [kind]: id }
          const isAllowed = (left: KeyScope.KeyScope | undefined) =>
            Standing.decide({ bindings: held, scope: left }, asked, place)
          assert.isTrue(!isAllowed(inner) || isAllowed(outer))
        }
    }
  )

  it.prop(
    "AC-7: taking a place away is narrowing",
    { scope, place: FastCheck.nat(3) },
    ({ place, scope: given }) => {
      if (given === undefined) return
      const without = <A>(all: ReadonlyArray<A>) => all.filter((_, index) => index !== place)
      const { environments, flows, spaces: named } = given
      const narrowed = {
        ...given,
        ...(named === undefined ? {} : { spaces: without(named) }),
        ...(flows === undefined ? {} : { flows: without(flows) }),
        ...(environments === undefined ? {} : { environments: without(environments) })
      }
      assert.isTrue(KeyScope.isWithin(narrowed, given))
      assert.strictEqual(KeyScope.namesPlaces(narrowed), KeyScope.namesPlaces(given))
    }
  )

  it.prop(
    "narrows to what is in both",
    { spaces, standing, permission, to: FastCheck.array(space) },
    ({ permission: asked, spaces: all, standing: held, to }) => {
      const reach = Reach.of(held, asked, SpaceTree.make(Spaces.ORG, all))
      const narrow = Reach.narrow(reach, new Set(to))
      for (const id of [Spaces.ROOT, ...all.map((each) => each.id), ...to])
        assert.strictEqual(Reach.holds(narrow, id), Reach.holds(reach, id) && to.includes(id))
    }
  )
})

describe("a grant", () => {
  const holdsAt = (at: number, to_at: number | null, expires_at: number | null): boolean =>
    Grant.holds(
      {
        from_at: Timestamp.fromMicros(10),
        to_at: to_at === null ? null : Timestamp.fromMicros(to_at),
        expires_at: expires_at === null ? null : Timestamp.fromMicros(expires_at)
      },
      Timestamp.fromMicros(at)
    )

  it("AC-3: counts from its beginning until it is ended or expires, whichever is first", () => {
    assert.deepStrictEqual(
      [9, 10, 1_000].map((at) => holdsAt(at, null, null)),
      [false, true, true]
    )
    for (const [to, expires] of [
      [20, null],
      [null, 20],
      [20, 30],
      [30, 20]
    ] as const)
      assert.deepStrictEqual(
        [9, 10, 19, 20, 30].map((at) => holdsAt(at, to, expires)),
        [false, true, true, false, false]
      )
  })
})

describe("the whole org", () => {
  it.prop(
    "is reached by its base role and by what is given at the root, for every permission",
    { standing, base: FastCheck.constantFrom(...BaseRole.literals), permission },
    ({ base, permission: asked, standing: { bindings: given, scope: left } }) => {
      const own = base === "none" ? [] : [{ role: base, space: Spaces.ROOT }]
      const held = { bindings: [...own, ...given], scope: left }
      const raised: Actor = {
        kind: "user",
        id: "u",
        name: "u",
        key_id: ApiKeyId.make("k"),
        memberships: [
          { org_id: Spaces.ORG, org: ACME, role: Standing.roleAtRoot(held, Spaces.ROOT) }
        ],
        ...(left === undefined ? {} : { scope: left })
      }
      assert.strictEqual(
        isAllowed(raised, ACME, asked),
        Standing.decide(held, asked, { path: [Spaces.ROOT] })
      )
      assert.strictEqual(isAtLeast(Standing.roleAtRoot(held, Spaces.ROOT), base), true)
    }
  )

  it.prop(
    "gives what is of it alone by a binding at the root, and no other",
    { standing, permission },
    ({ permission: asked, standing: held }) => {
      const has = Standing.permissionsOf(held, Spaces.ROOT).includes(asked)
      const isThere = Standing.decide(held, asked, { path: [Spaces.ROOT] })
      const isAnywhere = Standing.spacesOf(held, asked).length > 0
      assert.strictEqual(has, isPlaced(asked) ? isAnywhere : isThere)
    }
  )
})
