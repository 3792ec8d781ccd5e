/** Which orgs have sent more than their fair share of requests. */
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as OrgShares from "../../src/shared/internal/OrgShares.js"

const make = () => {
  const clock = { now: 0 }
  const shares = OrgShares.make({ windowMs: 5_000, now: () => clock.now })
  const send = (org: string, count: number) => {
    for (let index = 0; index < count; index++) shares.count(org)
  }
  return { clock, shares, send }
}

describe("shares of orgs", () => {
  it("are above the mean of those that send, and never of one alone", () => {
    const { shares, send } = make()
    send("noisy", 1_000)
    assert.isFalse(shares.isAbove("noisy"))
    send("quiet", 1)
    assert.isTrue(shares.isAbove("noisy"))
    assert.isFalse(shares.isAbove("quiet"))
    assert.isFalse(shares.isAbove("unknown"))
    send("quiet", 999)
    assert.isFalse(shares.isAbove("noisy"))
  })

  it("forget what was sent more than two windows ago", () => {
    const { clock, shares, send } = make()
    send("noisy", 100)
    clock.now = 5_000
    send("quiet", 1)
    assert.isTrue(shares.isAbove("noisy"))
    clock.now = 10_000
    send("quiet", 1)
    assert.isFalse(shares.isAbove("noisy"))
    clock.now = 100_000
    send("other", 1)
    assert.isFalse(shares.isAbove("quiet"))
  })

  it.prop(
    "SHARE-2: are those of a model, and at least one org that sends is not above its own",
    {
      steps: FastCheck.array(
        FastCheck.record({
          org: FastCheck.constantFrom("a", "b", "c", "d"),
          millis: FastCheck.integer({ min: 0, max: 4_000 })
        }),
        { minLength: 1, maxLength: 80 }
      )
    },
    ({ steps }) => {
      const { clock, shares } = make()
      /** What was sent, with its window; one begins with the first request after the end of the last one. */
      let sent: Array<{ readonly org: string; readonly window: number }> = []
      let window = 0
      let began = 0
      for (const { org, millis } of steps) {
        clock.now += millis
        if (clock.now - began >= 5_000) {
          window += clock.now - began < 10_000 ? 1 : 2
          began = clock.now
        }
        sent = [...sent, { org, window }].filter((one) => one.window >= window - 1)
        shares.count(org)
        const orgs = new Set(sent.map((one) => one.org))
        const above = [...orgs].filter(
          (name) =>
            orgs.size > 1 && sent.filter((one) => one.org === name).length > sent.length / orgs.size
        )
        assert.deepStrictEqual([...orgs].filter(shares.isAbove), above)
        assert.isBelow(above.length, orgs.size)
      }
    }
  )
})
