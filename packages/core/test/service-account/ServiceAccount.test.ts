/** Management of service accounts, and the privileges that may be granted. */
import { OrgId, ServiceAccountId, ServiceAccountName } from "@attestry/core/Identifier"
import { BaseRole, isAtLeast } from "@attestry/core/Role"
import * as ServiceAccount from "@attestry/core/ServiceAccount"
import * as Timestamp from "@attestry/core/Timestamp"
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"

const role = FastCheck.constantFrom(...BaseRole.literals)

const account: ServiceAccount.ServiceAccount = {
  org_id: OrgId.make("o"),
  id: ServiceAccountId.make("s"),
  name: ServiceAccountName.make("ci"),
  privilege: "member",
  description: "builds",
  creating_user_id: "ada",
  created_at: Timestamp.fromSeconds(0)
}

describe("ServiceAccount", () => {
  it.prop("is managed by admins and by its creator", { role }, ({ role }) => {
    assert.isTrue(ServiceAccount.isManagedBy(account, { id: "ada", isAdmin: role === "admin" }))
    assert.strictEqual(
      ServiceAccount.isManagedBy(account, { id: "bob", isAdmin: role === "admin" }),
      role === "admin"
    )
  })

  it.prop(
    "gets no privilege above the role of the grantor",
    { own: role, asked: role },
    ({ own, asked }) => {
      assert.strictEqual(ServiceAccount.mayGrant(own, asked), isAtLeast(own, asked))
    }
  )

  it("keeps what a patch does not name, and clears a description with null", () => {
    assert.isTrue(ServiceAccount.sameContent(account, ServiceAccount.revise(account, {})))
    assert.deepInclude(ServiceAccount.revise(account, { privilege: "admin" }), {
      privilege: "admin",
      description: "builds"
    })
    assert.strictEqual(ServiceAccount.revise(account, { description: null }).description, "")
  })
})
