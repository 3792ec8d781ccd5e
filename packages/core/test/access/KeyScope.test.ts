/** Scopes of keys against their model: AC-7, and AC-5 over what a scoped key may give. */
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck, Schema } from "effect"
import * as Access from "../../src/access/Access.js"
import type { Actor } from "../../src/access/Actor.js"
import * as Gifts from "../../src/access/Gifts.js"
import * as KeyScope from "../../src/access/KeyScope.js"
import { permissions } from "../../src/access/Permission.js"
import { Role } from "../../src/access/Role.js"
import { ApiKeyId, OrgId, OrgName } from "../../src/shared/Identifier.js"
import * as Model from "../../testing/KeyScopeModel.js"

const org = OrgName.make("acme")

const actorOf = (role: Role, scope: KeyScope.KeyScope | undefined): Actor => ({
  kind: "user",
  id: "user-1",
  name: "anna",
  key_id: ApiKeyId.make("key-1"),
  memberships: [{ org_id: OrgId.make("org-1"), org, role }],
  ...(scope === undefined ? {} : { scope })
})

const role = FastCheck.constantFrom(...Role.literals)
const scope = FastCheck.option(Model.arbitraryScope, { nil: undefined })

const allowed = (actor: Actor) =>
  new Set(permissions.filter((permission) => Access.isAllowed(actor, org, permission)))

const isSubset = <A>(inner: ReadonlySet<A>, outer: ReadonlySet<A>): boolean =>
  [...inner].every((each) => outer.has(each))

const fieldsOf = (given: KeyScope.KeyScope) => Object.keys(KeyScope.problems(given, "scope"))

describe("scopes of keys", () => {
  it.prop("AC-7: allow what the model holds, a subset of the role", { role, scope }, (given) => {
    const held = allowed(actorOf(given.role, given.scope))
    assert.deepStrictEqual(held, new Set(Model.heldBy(given.role, given.scope)))
    assert.isTrue(isSubset(held, allowed(actorOf(given.role, undefined))))
  })

  it.prop(
    "AC-7: a scope within another leaves a subset, of permissions and of addresses",
    { role, inner: scope, outer: scope, address: Model.arbitraryAddress },
    ({ role: held, inner, outer, address }) => {
      if (!KeyScope.isWithin(inner, outer)) return
      assert.isTrue(isSubset(allowed(actorOf(held, inner)), allowed(actorOf(held, outer))))
      if (KeyScope.isUsableFrom(inner, address))
        assert.isTrue(KeyScope.isUsableFrom(outer, address))
    }
  )

  it.prop("AC-7: narrowing is an order", { one: scope, two: scope, three: scope }, (given) => {
    const { one, two, three } = given
    assert.isTrue(KeyScope.isWithin(one, one))
    assert.isTrue(KeyScope.isWithin(one, undefined))
    if (KeyScope.isWithin(one, two) && KeyScope.isWithin(two, three))
      assert.isTrue(KeyScope.isWithin(one, three))
  })

  it.prop(
    "AC-7: taking a name away, or a network, is narrowing",
    { scope: Model.arbitraryScope, place: FastCheck.nat(5) },
    ({ scope: given, place }) => {
      const { permissions: names, networks } = given
      const without = <A>(all: ReadonlyArray<A>) => all.filter((_, index) => index !== place)
      const narrowed = {
        ...(names === undefined ? {} : { permissions: without(names) }),
        ...(networks === undefined ? {} : { networks: without(networks) })
      }
      assert.isTrue(KeyScope.isWithin(narrowed, given))
    }
  )

  it.prop(
    "are usable from the addresses that the model finds in a network",
    { scope: Model.arbitraryScope, address: Model.arbitraryAddress },
    ({ scope: given, address }) => {
      const { networks } = given
      assert.strictEqual(
        KeyScope.isUsableFrom(given, address),
        networks === undefined || networks.some((network) => Model.isIn(network, address))
      )
    }
  )

  it.prop(
    "AC-5: give no role and no key with more than they leave",
    { own: role, scope, gift: role, key: scope },
    ({ own, scope: held, gift, key }) => {
      const actor = actorOf(own, held)
      if (Either.isRight(Access.checkGift(actor, org, gift)))
        assert.isTrue(isSubset(allowed(actorOf(gift, undefined)), allowed(actor)))
      if (Either.isRight(Gifts.checkScope(actor, key)))
        assert.isTrue(isSubset(allowed(actorOf(own, key)), allowed(actor)))
      // What holds all that is given may give it.
      if (isSubset(allowed(actorOf(gift, undefined)), allowed(actor)))
        assert.isTrue(Either.isRight(Access.checkGift(actor, org, gift)))
    }
  )

  it("give a member of another org, and one without a scope, what roles alone decide", () => {
    assert.isTrue(Either.isRight(Access.checkGift(actorOf("admin", undefined), org, "admin")))
    assert.isTrue(Either.isLeft(Access.checkGift(actorOf("member", undefined), org, "admin")))
    const elsewhere = OrgName.make("globex")
    assert.isTrue(Either.isLeft(Access.checkGift(actorOf("admin", undefined), elsewhere, "reader")))
  })

  it("expand presets whenever they are read, and keep a name that is unknown", () => {
    const asked = { permissions: ["gate", "no.such.permission"] }
    assert.deepStrictEqual(KeyScope.leftOf(asked, "admin"), ["org.read"])
    assert.deepStrictEqual(KeyScope.leftOf({ permissions: ["provision"] }, "admin"), ["scim.write"])
    assert.deepStrictEqual(KeyScope.leftOf({ permissions: ["provision"] }, "member"), [])
    assert.isFalse(KeyScope.leaves({ permissions: ["toString"] }, "org.read"))
  })
})

describe("networks of scopes", () => {
  const problemOf = (network: string) => fieldsOf({ networks: [network] })

  it("are blocks of IPv4 and IPv6, which begin with their first address", () => {
    for (const network of ["10.0.0.0/8", "192.0.2.7/32", "2001:db8::/32", "::1/128", "fe80::/10"])
      assert.deepStrictEqual(problemOf(network), [], network)
    const refused = [
      "10.0.0.1/8",
      "10.0.0.0",
      "10.0.0.0/33",
      "10.0.0.0/-1",
      "10.0.0.0/08",
      "10.0.0/8",
      "010.0.0.0/8",
      "10.0.0.0/8/8",
      "2001:db8::1/32",
      "2001:db8::/129",
      "fe80::%eth0/64",
      "0.0.0.0/0",
      "::/0",
      "::ffff:0:0/96",
      "office",
      " 10.0.0.0/8"
    ]
    for (const network of refused)
      assert.deepStrictEqual(problemOf(network), ["scope.networks[0]"], network)
  })

  it("say how a network is written", () => {
    const of = (network: string) => KeyScope.problems({ networks: [network] }, "scope")
    assert.deepStrictEqual(of("10.1.2.3/8"), {
      "scope.networks[0]":
        "A network begins with its first address: `10.0.0.0/8` [input: 10.1.2.3/8]"
    })
    assert.match(Object.values(of("2001:db8::1")).join(), /`2001:db8::1\/128`/)
    assert.match(Object.values(of("0.0.0.0/0")).join(), /takes nothing away/)
  })

  it("unwrap IPv4-mapped addresses, of networks and of clients", () => {
    const read = Either.getOrThrow(KeyScope.read({ networks: ["::ffff:10.0.0.0/104"] }))
    assert.deepStrictEqual(read, { networks: ["10.0.0.0/8"] })
    for (const client of ["10.9.8.7", "::ffff:10.9.8.7", "::ffff:0a09:0807"])
      assert.isTrue(KeyScope.isUsableFrom(read, client), client)
    for (const client of ["11.0.0.1", "", "::1", "unknown", "::10.9.8.7"])
      assert.isFalse(KeyScope.isUsableFrom(read, client), client)
  })

  it("have one spelling", () => {
    const read = KeyScope.read({ networks: ["2001:0DB8:0:0::/32"] })
    assert.deepStrictEqual(Either.getOrThrow(read), { networks: ["2001:db8::/32"] })
  })
})

describe("orgs of scopes", () => {
  const orgs = FastCheck.option(FastCheck.subarray(["acme", "globex", "initech"]), {
    nil: undefined
  })
  const scopeOf = (names: ReadonlyArray<string> | undefined) =>
    names === undefined ? undefined : { orgs: names }
  const everywhere = ["acme", "globex", "initech", "other"].map((name) => OrgName.make(name))

  it("leave those that they name, and lie within each other exactly as the sets that they leave", () => {
    FastCheck.assert(
      FastCheck.property(orgs, orgs, (left, right) => {
        const [inner, outer] = [scopeOf(left), scopeOf(right)]
        const isSubset = everywhere.every(
          (org) => !KeyScope.countsIn(inner, org) || KeyScope.countsIn(outer, org)
        )
        assert.strictEqual(KeyScope.isWithin(inner, outer), isSubset)
        for (const org of everywhere)
          assert.strictEqual(KeyScope.countsIn(inner, org), left?.includes(org) ?? true)
      })
    )
  })

  it("are at most 50, and asked for by people alone", () => {
    const isGiven = Schema.is(KeyScope.GivenPersonalScope)
    const named = (length: number) => ({ orgs: Array.from({ length }, () => "acme") })
    for (const count of [1, 50]) assert.isTrue(isGiven(named(count)))
    for (const count of [0, 51]) assert.isFalse(isGiven(named(count)))
    assert.notProperty(KeyScope.GivenScope.fields, "orgs")
    assert.deepStrictEqual(fieldsOf({ orgs: ["acme"] }), [])
  })
})

describe("scopes that are asked for", () => {
  const isGiven = Schema.is(KeyScope.GivenScope)

  it("have permissions, networks or both, and neither is empty", () => {
    assert.deepStrictEqual(fieldsOf({}), ["scope"])
    assert.isTrue(isGiven({ permissions: ["gate"] }))
    assert.isFalse(isGiven({ permissions: [] }))
    assert.isFalse(isGiven({ networks: [] }))
    assert.isFalse(isGiven({ permissions: ["everything"] }))
    assert.deepStrictEqual(fieldsOf({ permissions: ["gate", "everything"] }), [
      "scope.permissions[1]"
    ])
  })

  it("have at most 20 networks and 64 permissions", () => {
    const networks = (length: number) => Array.from({ length }, (_, index) => `10.0.0.${index}/32`)
    const names = (length: number) => Array.from({ length }, () => "gate")
    assert.isTrue(isGiven({ networks: networks(20) }))
    assert.isFalse(isGiven({ networks: networks(21) }))
    assert.isTrue(isGiven({ permissions: names(64) }))
    assert.isFalse(isGiven({ permissions: names(65) }))
    assert.isAtMost(permissions.length, KeyScope.PERMISSIONS_MAX)
  })
})
