/** Which keys are notified before they expire, to which recipients, and how. */
import { assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import type { Role } from "../../src/access/Role.js"
import * as ApiKeyExpiry from "../../src/notification/ApiKeyExpiry.js"
import type { Mailbox } from "../../src/notification/ExpiryThreshold.js"
import {
  ApiKeyId,
  OrgId,
  OrgName,
  ServiceAccountId,
  ServiceAccountName,
  UserId
} from "../../src/shared/Identifier.js"
import * as Timestamp from "../../src/shared/Timestamp.js"

const DAY = 86_400
const NOW = Timestamp.fromSeconds(1_790_000_000)

const key: ApiKeyExpiry.ExpiringKey = {
  id: ApiKeyId.make("k1"),
  description: "deploys",
  service_account: ServiceAccountName.make("ci"),
  creating_user_id: "u1",
  expires_at: Timestamp.plusSeconds(NOW, 5 * DAY),
  notified_days: null
}

describe("ApiKeyExpiry.counts", () => {
  const live = {
    owner: {
      kind: "service-account",
      org_id: OrgId.make("o"),
      service_account_id: ServiceAccountId.make("a")
    },
    expires_at: NOW,
    revoked_at: null,
    grace_period_expires_at: null
  } as const

  it("excludes keys that do not expire, are revoked, in grace, or personal", () => {
    assert.strictEqual(ApiKeyExpiry.counts(live), true)
    assert.strictEqual(ApiKeyExpiry.counts({ ...live, expires_at: null }), false)
    assert.strictEqual(ApiKeyExpiry.counts({ ...live, revoked_at: NOW }), false)
    assert.strictEqual(ApiKeyExpiry.counts({ ...live, grace_period_expires_at: NOW }), false)
    const owner = { kind: "user", user_id: UserId.make("u") } as const
    assert.strictEqual(ApiKeyExpiry.counts({ ...live, owner }), false)
  })
})

describe("ApiKeyExpiry.recipients", () => {
  const member = (user: string, role: Role, email: string | null) => ({
    user_id: UserId.make(user),
    role,
    email
  })
  const recipientsOf = (...members: ReadonlyArray<Mailbox>) => ApiKeyExpiry.recipients(key, members)

  it("are the creator, while a member with an address", () => {
    assert.deepStrictEqual(
      recipientsOf(
        member("u1", "reader", "maker@example.org"),
        member("u2", "admin", "admin@example.org")
      ),
      ["maker@example.org"]
    )
  })

  it("are all admins otherwise, each address once in any case", () => {
    const admins = [
      member("u2", "admin", "Ada@example.org"),
      member("u3", "admin", "ada@EXAMPLE.org"),
      member("u4", "admin", null),
      member("u5", "admin", "not an address\r\nBcc: x@example.org"),
      member("u6", "admin", "bob@example.org"),
      member("u7", "member", "max@example.org")
    ]
    const expected = ["Ada@example.org", "bob@example.org"]
    assert.deepStrictEqual(recipientsOf(...admins), expected)
    assert.deepStrictEqual(recipientsOf(member("u1", "admin", null), ...admins), expected)
    assert.deepStrictEqual(recipientsOf(member("u7", "member", "max@example.org")), [])
    assert.deepStrictEqual(recipientsOf(), [])
  })
})

describe("ApiKeyExpiry.notificationOf", () => {
  it("names the key, the account and the expiry", () => {
    const occasion = { org: OrgName.make("acme"), at: NOW }
    deepStrictEqual(ApiKeyExpiry.notificationOf(key, occasion), {
      event_type: "API_KEY_EXPIRY",
      ...occasion,
      description: "API key k1 of service account ci expires within 5 days",
      api_key: {
        id: key.id,
        description: "deploys",
        service_account: key.service_account,
        expires_at: key.expires_at,
        days_left: 5
      }
    })
    const words = [DAY, 0].map((seconds) => {
      const ending = { ...key, expires_at: Timestamp.plusSeconds(NOW, seconds) }
      return ApiKeyExpiry.notificationOf(ending, occasion).description
    })
    assert.deepStrictEqual(words, [
      "API key k1 of service account ci expires within 1 day",
      "API key k1 of service account ci has expired"
    ])
  })
})
