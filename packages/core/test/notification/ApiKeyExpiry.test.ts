/** When the expiry of a key is notified, and to which recipients. */
import { assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { FastCheck, Option } from "effect"
import type { Role } from "../../src/access/Role.js"
import * as ApiKeyExpiry from "../../src/notification/ApiKeyExpiry.js"
import {
  ApiKeyId,
  OrgId,
  OrgName,
  ServiceAccountId,
  ServiceAccountName,
  UserId
} from "../../src/shared/Identifier.js"
import * as Timestamp from "../../src/shared/Timestamp.js"
import * as Model from "../../testing/internal/model/ApiKeyExpiryModel.js"

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

const dueAt = (secondsLeft: number, notified_days: number | null = null) =>
  Option.getOrNull(
    ApiKeyExpiry.due({ expires_at: Timestamp.plusSeconds(NOW, secondsLeft), notified_days }, NOW)
  )

const leftAt = (secondsLeft: number) =>
  ApiKeyExpiry.daysLeft(Timestamp.plusSeconds(NOW, secondsLeft), NOW)

describe("ApiKeyExpiry.daysLeft", () => {
  it("rounds days up, and is 0 exactly when the key has expired", () => {
    assert.deepStrictEqual(
      [30 * DAY, 29 * DAY + 1, 29 * DAY, 5 * DAY, 1.5 * DAY, DAY, 0.000_001, 0, -DAY].map(leftAt),
      [30, 30, 29, 5, 2, 1, 1, 0, 0]
    )
  })

  it.prop(
    "is above every threshold that is not notified, and not above the notified one",
    { secondsLeft: FastCheck.integer({ min: -DAY, max: 30 * DAY }) },
    ({ secondsLeft }) => {
      const threshold = dueAt(secondsLeft) ?? Number.NaN
      const next = [30, 7, 1, 0].find((days) => days < threshold) ?? -1
      const left = leftAt(secondsLeft)
      assert.isTrue(left <= threshold && left > next)
    }
  )
})

describe("ApiKeyExpiry.due", () => {
  it("crosses a threshold exactly when that much time is left", () => {
    for (const days of [30, 7, 1]) {
      assert.strictEqual(dueAt(days * DAY), days)
      assert.notStrictEqual(dueAt(days * DAY + 0.000_001), days)
    }
    assert.strictEqual(dueAt(0), 0)
    assert.strictEqual(dueAt(0.000_001), 1)
    assert.strictEqual(dueAt(-400 * DAY), 0)
    assert.strictEqual(dueAt(30 * DAY + 1), null)
  })

  it("notifies 7, 1 and 0 of a key made five days before its end, never 30", () => {
    assert.strictEqual(dueAt(5 * DAY), 7)
    assert.strictEqual(dueAt(4 * DAY, 7), null)
    assert.strictEqual(dueAt(DAY, 7), 1)
    assert.strictEqual(dueAt(0, 1), 0)
    assert.strictEqual(dueAt(-DAY, 0), null)
  })

  const scans = FastCheck.array(
    FastCheck.record({
      passed: FastCheck.oneof(
        FastCheck.integer({ min: 0, max: 3_600 }),
        FastCheck.integer({ min: 0, max: 12 * DAY })
      ),
      succeeds: FastCheck.boolean()
    }),
    { maxLength: 40 }
  )

  /** The thresholds that are notified over a life, with the marks of the stores. */
  const toldBy = (secondsLeft: number, life: ReadonlyArray<Model.ModelScan>) => {
    let notified_days: number | null = null
    const told: Array<number> = []
    for (const { secondsLeft: left, succeeds } of life) {
      const days = dueAt(left, notified_days)
      if (days === null) continue
      told.push(days)
      if (succeeds) notified_days = leftAt(left)
    }
    return { secondsLeft, told }
  }

  it.prop(
    "notifies what the model does, for any scans and failures",
    { first: FastCheck.integer({ min: -DAY, max: 60 * DAY }), scans },
    ({ first, scans: given }) => {
      let secondsLeft = first
      const life = given.map(({ passed, succeeds }) => {
        secondsLeft -= passed
        return { secondsLeft, succeeds }
      })
      assert.deepStrictEqual(toldBy(first, life).told, Model.fold(life))
    },
    { fastCheck: { numRuns: 5_000 } }
  )

  it.prop(
    "NOTIFY-5: notifies each threshold at most once, in falling order, when targets succeed",
    { first: FastCheck.integer({ min: -DAY, max: 60 * DAY }), scans },
    ({ first, scans: given }) => {
      let secondsLeft = first
      const life = given.map(({ passed }) => {
        secondsLeft -= passed
        return { secondsLeft, succeeds: true }
      })
      const { told } = toldBy(first, life)
      assert.deepStrictEqual(
        told,
        [...new Set(told)].sort((left, right) => right - left)
      )
    }
  )
})

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
  const recipientsOf = (...members: ReadonlyArray<ApiKeyExpiry.Mailbox>) =>
    ApiKeyExpiry.recipients(key, members)

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

  it("makes larger thresholds obsolete, and no others", () => {
    assert.deepStrictEqual(ApiKeyExpiry.obsoleteIntents(key.id, 1), [
      ApiKeyExpiry.intentOf(key.id, 30),
      ApiKeyExpiry.intentOf(key.id, 7)
    ])
    assert.deepStrictEqual(ApiKeyExpiry.obsoleteIntents(key.id, 30), [])
  })
})
