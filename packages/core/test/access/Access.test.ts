/** The table of roles, and the one denial for every actor without the permission. */
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import * as Access from "../../src/access/Access.js"
import type { Actor } from "../../src/access/Actor.js"
import type { Permission } from "../../src/access/Permission.js"
import { BaseRole, isAtLeast, Role } from "../../src/access/Role.js"
import { ApiKeyId, OrgId, OrgName } from "../../src/shared/Identifier.js"

const org = OrgName.make("acme")
const other = OrgName.make("globex")

const actorWith = (...memberships: ReadonlyArray<readonly [OrgName, BaseRole]>): Actor => ({
  kind: "user",
  id: "user-1",
  name: "anna",
  key_id: ApiKeyId.make("key-1"),
  memberships: memberships.map(([name, role]) => ({
    org_id: OrgId.make(`id-${name}`),
    org: name,
    role
  }))
})

/** The lowest role for each permission, written out. */
const lowest: ReadonlyArray<readonly [Permission, Role]> = [
  ["org.read", "reader"],
  ["environment.put", "snapshotter"],
  ["environment.report", "snapshotter"],
  ["environment.write", "member"],
  ["flow.write", "member"],
  ["trail.write", "member"],
  ["artifact.write", "member"]
]

const permission = FastCheck.constantFrom(...lowest.map(([name]) => name))
const role = FastCheck.constantFrom(...BaseRole.literals)

const isGranted = (actor: Actor, name: OrgName, asked: Permission) =>
  Either.isRight(Access.authorize(actor, name, asked))

describe("Access", () => {
  for (const [asked, least] of lowest) {
    it(`${asked} takes a ${least} at least`, () =>
      assert.deepStrictEqual(
        Role.literals.map((held) => isGranted(actorWith([org, held]), org, asked)),
        Role.literals.map((held) => Role.literals.indexOf(held) <= Role.literals.indexOf(least))
      ))
  }

  it.prop(
    "KEY-5: a higher role has every permission of a lower one",
    { high: role, low: role, permission },
    (given) => {
      const implied =
        !isAtLeast(given.high, given.low) ||
        !isGranted(actorWith([org, given.low]), org, given.permission) ||
        isGranted(actorWith([org, given.high]), org, given.permission)
      assert.strictEqual(implied, true)
    }
  )

  it.prop("returns the org and the actor's role there", { role, permission }, (given) => {
    const actor = actorWith([other, "reader"], [org, "admin"])
    assert.deepStrictEqual(
      Access.authorize(actor, org, given.permission),
      Either.right({ orgId: OrgId.make("id-acme"), org, role: "admin" as const, actor })
    )
  })

  it.prop(
    "denies an actor without membership, whatever its roles elsewhere",
    { role, permission },
    (given) => {
      const denied = Either.left(new Access.AccessDenied({ org, permission: given.permission }))
      const outside = actorWith([other, given.role])
      assert.deepStrictEqual(Access.authorize(outside, org, given.permission), denied)
      assert.deepStrictEqual(Access.authorize(actorWith(), org, given.permission), denied)
    }
  )

  it.prop(
    "gives a member without a role no permission",
    { permission },
    ({ permission: asked }) => {
      assert.isFalse(isGranted(actorWith([org, "none"]), org, asked))
    }
  )

  it.prop("grants to any member, and to no other, what every member may do", { role }, (given) => {
    const actor = actorWith([other, "admin"], [org, given.role])
    const denied = new Access.AccessDenied({ org, permission: "org.read" })
    assert.deepStrictEqual(
      Access.authorizeMember(actor, org),
      Either.right({ orgId: OrgId.make("id-acme"), org, role: given.role, actor })
    )
    assert.isTrue(Access.isMember(actor, org))
    const outside = actorWith([other, given.role])
    assert.deepStrictEqual(Access.authorizeMember(outside, org), Either.left(denied))
    assert.isFalse(Access.isMember(outside, org))
  })

  it("distinguishes names by case", () =>
    assert.strictEqual(
      isGranted(actorWith([org, "admin"]), OrgName.make("Acme"), "org.read"),
      false
    ))

  it("names the denied permission and the org", () =>
    assert.strictEqual(
      new Access.AccessDenied({ org, permission: "flow.write" }).message,
      "`flow.write` is not permitted in org `acme`"
    ))
})
