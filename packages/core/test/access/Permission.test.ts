/** The table of roles of the specification, written out, against the one in core. */
import { authorize } from "@attestry/core/Access"
import { ApiKeyId, OrgId, OrgName } from "@attestry/core/Identifier"
import { lowest, type Permission, permissions } from "@attestry/core/Permission"
import { BaseRole, isAtLeast, Role } from "@attestry/core/Role"
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"

const org = OrgName.make("acme")

const mayDo = (role: BaseRole, permission: Permission): boolean =>
  Either.isRight(
    authorize(
      {
        kind: "user",
        id: "u",
        name: "u",
        key_id: ApiKeyId.make("k"),
        memberships: [{ org_id: OrgId.make("o"), org, role }]
      },
      org,
      permission
    )
  )

/** `semantics.md` 11.1, one line for each capability: admin, member, snapshotter, reader. */
const table: { readonly [permission in Permission]: string } = {
  "org.read": "yes yes yes yes",
  "membership.read": "yes no no no",
  "journal.read": "yes no no no",
  "membership.write": "yes no no no",
  "notification-config.write": "yes no no no",
  "environment-notification.write": "yes yes no no",
  "service-account.create": "yes yes yes no",
  "identity-rule.write": "yes no no no",
  "service-account.manage": "yes yes yes no",
  "api-key.read": "yes no no no",
  "flow.write": "yes yes no no",
  "trail.write": "yes yes no no",
  "artifact.write": "yes yes no no",
  "attestation.write": "yes yes no no",
  "attestation-type.write": "yes yes no no",
  "evidence.write": "yes yes no no",
  "approval.write": "yes yes no no",
  "policy.write": "yes yes no no",
  "environment.put": "yes yes yes no",
  "environment.write": "yes yes no no",
  "environment.delete": "yes no no no",
  "team.write": "yes no no no",
  "scim.write": "yes no no no",
  "erasure.write": "yes no no no",
  "log.write": "yes no no no",
  "environment.report": "yes yes yes no",
  "allow-list.write": "yes yes no no",
  "control.write": "yes no no no",
  "decision.write": "yes yes no no",
  "tag.write": "yes yes no no",
  "waiver.request": "yes yes no no",
  "waiver.approve": "yes yes no no",
  "waiver.settings": "yes no no no",
  "agent-account.write": "yes no no no",
  "trust-policy.write": "yes no no no",
  "sign-in.write": "yes no no no",
  "space.write": "yes no no no",
  "grant.write": "yes no no no",
  "placement.write": "yes no no no",
  "protection.write": "yes no no no",
  "proposal.approve": "yes no no no"
}

describe("Permission", () => {
  it("has the table of the specification", () => {
    for (const permission of permissions) {
      const row = Role.literals.map((role) => (mayDo(role, permission) ? "yes" : "no")).join(" ")
      assert.strictEqual(row, table[permission], permission)
    }
  })

  it.prop(
    "gives a higher role every permission of a lower one (KEY-5)",
    {
      permission: FastCheck.constantFrom(...permissions),
      one: FastCheck.constantFrom(...BaseRole.literals),
      other: FastCheck.constantFrom(...BaseRole.literals)
    },
    ({ permission, one, other }) => {
      if (isAtLeast(one, other) && mayDo(other, permission)) {
        assert.isTrue(mayDo(one, permission))
      }
      assert.strictEqual(mayDo(one, permission), isAtLeast(one, lowest(permission)))
    }
  )

  it("has none for a member without a role", () => {
    assert.deepStrictEqual(
      permissions.filter((permission) => mayDo("none", permission)),
      []
    )
  })

  it("denies an org without a membership of the actor", () => {
    const actor = {
      kind: "user",
      id: "u",
      name: "u",
      key_id: ApiKeyId.make("k"),
      memberships: [{ org_id: OrgId.make("o"), org, role: "admin" }]
    } as const
    for (const permission of permissions) {
      assert.isTrue(Either.isLeft(authorize(actor, OrgName.make("globex"), permission)))
    }
  })
})
