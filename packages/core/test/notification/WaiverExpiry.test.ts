/** Which recipients are notified before a waiver ends, and how. */
import { assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import type { Role } from "../../src/access/Role.js"
import type { Mailbox } from "../../src/notification/ExpiryThreshold.js"
import * as WaiverExpiry from "../../src/notification/WaiverExpiry.js"
import { OrgName, UserId } from "../../src/shared/Identifier.js"
import * as Timestamp from "../../src/shared/Timestamp.js"

const DAY = 86_400
const NOW = Timestamp.fromSeconds(1_790_000_000)

const waiver: WaiverExpiry.ExpiringWaiver = {
  number: 3,
  policy_name: "prod-rules",
  owner: "mia",
  owner_id: "u1",
  requester_id: "u2",
  expires_at: Timestamp.plusSeconds(NOW, 5 * DAY),
  notified_days: null
}

describe("WaiverExpiry", () => {
  const member = (user: string, role: Role, email: string | null): Mailbox => ({
    user_id: UserId.make(user),
    role,
    email
  })

  it("notifies the owner, else the requester, else the admins", () => {
    const owner = member("u1", "reader", "mia@example.org")
    const requester = member("u2", "member", "ben@example.org")
    const admins = [
      member("u3", "admin", "Ada@example.org"),
      member("u4", "admin", "ada@example.org")
    ]
    const recipientsOf = (...members: ReadonlyArray<Mailbox>) =>
      WaiverExpiry.recipients(waiver, members)
    assert.deepStrictEqual(recipientsOf(...admins, requester, owner), ["mia@example.org"])
    assert.deepStrictEqual(recipientsOf(...admins, requester), ["ben@example.org"])
    assert.deepStrictEqual(recipientsOf(...admins, requester, { ...owner, email: null }), [
      "ben@example.org"
    ])
    assert.deepStrictEqual(recipientsOf(...admins), ["Ada@example.org"])
    assert.deepStrictEqual(recipientsOf(), [])
  })

  it("names the waiver, its owner, its end and the next step", () => {
    const scan = { org: OrgName.make("acme"), at: NOW }
    deepStrictEqual(WaiverExpiry.notificationOf(waiver, scan), {
      event_type: "WAIVER_EXPIRY",
      ...scan,
      description:
        "waiver 3 of policy prod-rules, owned by mia, expires within 5 days: remove the cause, or request an extension",
      waiver: {
        number: 3,
        policy_name: "prod-rules",
        owner: "mia",
        expires_at: waiver.expires_at,
        days_left: 5
      }
    })
    assert.strictEqual(
      WaiverExpiry.notificationOf({ ...waiver, expires_at: NOW }, scan).description,
      "waiver 3 of policy prod-rules, owned by mia, has expired: " +
        "make the artifacts compliant that it covered, or request another one"
    )
  })
})
