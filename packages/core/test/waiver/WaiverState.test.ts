/** W-5: the state of a waiver is a function of its record and the instant. */
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { EnvironmentId, Login, OrgId, PolicyName } from "../../src/shared/Identifier.js"
import * as Timestamp from "../../src/shared/Timestamp.js"
import type { Waiver } from "../../src/waiver/Waiver.js"
import * as WaiverDebt from "../../src/waiver/WaiverDebt.js"
import * as WaiverState from "../../src/waiver/WaiverState.js"

const DAY = 86_400
const START = Timestamp.fromSeconds(1_790_000_000)
const after = (days: number) => Timestamp.plusSeconds(START, days * DAY)

const waiver = (fields: Partial<Waiver> = {}): Waiver => ({
  org_id: OrgId.make("o"),
  number: 1,
  policy_name: PolicyName.make("rules"),
  rule: null,
  environment_id: null,
  condition: null,
  reason: "r",
  owner: Login.make("mia"),
  owner_id: "mia",
  ticket_url: null,
  starts_at: START,
  expires_at: after(30),
  extends: null,
  approvals_required: 1,
  approver_role: "admin",
  self_approval: false,
  requested_by: "anna",
  requester_id: "anna",
  requested_at: START,
  approvals: [],
  rejected: null,
  revoked: null,
  activated_at: null,
  settled: null,
  ...fields
})

const by = { user_id: "tom", user: "tom" }

describe("the state of a waiver", () => {
  it("lapses 14 days after the request, or at its end", () => {
    assert.strictEqual(WaiverState.stateAt(waiver(), after(13.9)), "requested")
    assert.strictEqual(WaiverState.stateAt(waiver(), after(14)), "lapsed")
    const short = waiver({ expires_at: after(2) })
    assert.strictEqual(WaiverState.stateAt(short, after(1.9)), "requested")
    assert.strictEqual(WaiverState.stateAt(short, after(2)), "lapsed")
  })

  it("follows its start and its end once it is approved", () => {
    const approved = waiver({ activated_at: after(1), starts_at: after(3), expires_at: after(5) })
    const states = [1, 2.9, 3, 4.9, 5, 99].map((days) => WaiverState.stateAt(approved, after(days)))
    assert.deepStrictEqual(states, [
      "scheduled",
      "scheduled",
      "active",
      "active",
      "expired",
      "expired"
    ])
  })

  it("stays what a decision made it", () => {
    const rejected = waiver({ rejected: { ...by, at: after(1), comment: "" } })
    const revoked = waiver({
      activated_at: START,
      revoked: { ...by, at: after(1), reason: "fixed" }
    })
    for (const days of [1, 14, 40]) {
      assert.strictEqual(WaiverState.stateAt(rejected, after(days)), "rejected")
      assert.strictEqual(WaiverState.stateAt(revoked, after(days)), "revoked")
    }
  })

  it.prop(
    "W-5: is active exactly in the time in which it counts, while it is not revoked",
    {
      starts: FastCheck.integer({ min: 0, max: 20 }),
      length: FastCheck.integer({ min: 1, max: 20 }),
      activated: FastCheck.option(FastCheck.integer({ min: 0, max: 20 })),
      now: FastCheck.integer({ min: 0, max: 60 })
    },
    ({ activated, length, now, starts }) => {
      const drawn = waiver({
        starts_at: after(starts),
        expires_at: after(starts + length),
        activated_at: activated === null ? null : after(activated)
      })
      const time = WaiverState.timeOf(drawn)
      const isDuring = time !== null && time.from <= after(now) && after(now) < time.to
      // An approval is never after the end, and no state is asked for before it.
      if (activated !== null && (activated >= starts + length || now < activated)) return
      assert.strictEqual(WaiverState.stateAt(drawn, after(now)) === "active", isDuring)
    }
  )
})

describe("the debt of waivers", () => {
  const active = waiver({ activated_at: START, expires_at: after(20) })
  const use = (number: number, from: number, to: number | null, rows: number) => ({
    number,
    environment_id: EnvironmentId.make("e"),
    from_at: after(from),
    to_at: to === null ? null : after(to),
    rows
  })

  it("sums rows, hours and ages", () => {
    const debt = WaiverDebt.measure([active], [use(1, 0, 2, 3), use(1, 2, null, 1)], after(14))
    assert.deepInclude(debt, {
      active: 1,
      expiring_7d: 1,
      rows_waived: 1,
      waived_row_hours_30d: 2 * 24 * 3 + 12 * 24,
      oldest_days: 14
    })
    assert.strictEqual(debt.trend.length, 30)
    assert.deepInclude(debt.trend.at(-1), { active: 1, rows_waived: 1 })
    assert.strictEqual(
      debt.trend.reduce((sum, { active: count }) => sum + count, 0),
      15
    )
  })

  it("has no figures without waivers", () => {
    assert.deepInclude(WaiverDebt.measure([], [], after(14)), {
      active: 0,
      rows_waived: 0,
      waived_row_hours_30d: 0,
      oldest_days: 0
    })
  })

  it("knows a waiver that has waived nothing for 7 days", () => {
    assert.isFalse(WaiverDebt.isUnused(active, [], after(6)))
    assert.isTrue(WaiverDebt.isUnused(active, [], after(7)))
    assert.isFalse(WaiverDebt.isUnused(active, [use(1, 0, null, 1)], after(9)))
    assert.isFalse(WaiverDebt.isUnused(active, [use(1, 0, 3, 1)], after(9)))
    assert.isTrue(WaiverDebt.isUnused(active, [use(1, 0, 3, 1), use(2, 0, null, 1)], after(10)))
    assert.isFalse(WaiverDebt.isUnused(active, [], after(21)))
  })
})
