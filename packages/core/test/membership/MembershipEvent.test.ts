/** Selecting from the history of memberships agrees with a plain model. */
import { OrgId } from "@attestry/core/Identifier"
import * as MembershipEvent from "@attestry/core/MembershipEvent"
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { membershipEventQuery, membershipHistory } from "../../testing/arbitrary/MembershipEvent.js"
import * as Model from "../../testing/internal/model/MembershipEventModel.js"

const history = membershipHistory(OrgId.make("o"))
const runs = { fastCheck: { numRuns: process.env.ATTESTRY_DEEP === undefined ? 500 : 20_000 } }

describe("MembershipEvent", () => {
  it.prop(
    "selects and sorts as the model does",
    { history, query: membershipEventQuery },
    ({ history, query }) => {
      assert.deepStrictEqual(MembershipEvent.select(query, history), Model.select(query, history))
    },
    runs
  )

  it.prop(
    "does not depend on the order of the events, and reverses with the direction",
    { history, query: membershipEventQuery },
    ({ history, query }) => {
      const selected = MembershipEvent.select(query, history)
      assert.deepStrictEqual(MembershipEvent.select(query, [...history].reverse()), selected)
      const direction = query.direction === "asc" ? "desc" : "asc"
      assert.deepStrictEqual(
        MembershipEvent.select({ ...query, direction }, history),
        [...selected].reverse()
      )
    }
  )

  it.prop(
    "compares texts by code points, as UTF-8 does",
    { left: FastCheck.fullUnicodeString(), right: FastCheck.fullUnicodeString() },
    ({ left, right }) => {
      const bytes = Buffer.compare(Buffer.from(left), Buffer.from(right))
      assert.strictEqual(Math.sign(MembershipEvent.compareText(left, right)), bytes)
    }
  )
})
