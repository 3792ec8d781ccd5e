/** The states of break-glass, against a slow model that plays its history again for each instant. */
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Schema from "effect/Schema"
import { ofRole, permissions } from "../../src/access/Permission.js"
import { Role } from "../../src/access/Role.js"
import * as BreakGlass from "../../src/break-glass/BreakGlass.js"
import { ApiKeyId, OrgId, SpaceId } from "../../src/shared/Identifier.js"
import * as Timestamp from "../../src/shared/Timestamp.js"
import * as SpaceTree from "../../src/space/SpaceTree.js"
import * as Spaces from "../../testing/arbitrary/SpaceTree.js"

const at = (tick: number): Timestamp.Timestamp => Timestamp.fromMicros(1_000 + tick)

interface Event {
  readonly tick: number
  readonly what: "close" | "expire" | "review"
}

const events = FastCheck.array(
  FastCheck.record({
    tick: FastCheck.integer({ min: 0, max: 12 }),
    what: FastCheck.constantFrom("close" as const, "expire" as const, "review" as const)
  }),
  { maxLength: 6 }
).map((all): ReadonlyArray<Event> => [...all].sort((left, right) => left.tick - right.tick))

const ENDS = 10

const opened: BreakGlass.BreakGlass = {
  org_id: OrgId.make("org"),
  number: 1,
  user_id: "anna",
  opened_by: "anna",
  credential: ApiKeyId.make("key"),
  means: "grant",
  space_id: SpaceId.make("s"),
  role: "admin",
  reason: "it burns",
  minutes: 15,
  opened_at: at(0),
  ends_at: at(ENDS),
  closed_at: null,
  closed_by: null,
  reviewed: null
}

/** The record after the events that its use cases let through. */
const played = (all: ReadonlyArray<Event>): BreakGlass.BreakGlass => {
  let glass = opened
  for (const { tick, what } of all) {
    const state = BreakGlass.stateAt(glass, at(tick))
    if (what === "close" && state === "open")
      glass = BreakGlass.close(glass, at(tick), { user_id: "tom", user: "tom" })
    if (what === "expire" && state === "expired" && glass.closed_at === null)
      glass = BreakGlass.expire(glass)
    if (what === "review" && (state === "closed" || state === "expired"))
      glass = BreakGlass.review(glass, { at: at(tick), user_id: "ada", user: "ada", comment: "x" })
  }
  return glass
}

/** The same in words: the first close before the end, and the first review after it is over. */
const model = (all: ReadonlyArray<Event>, tick: number) => {
  const closed = all.find(({ tick: when, what }) => what === "close" && when < ENDS)
  const over = closed?.tick ?? ENDS
  const index = closed === undefined ? -1 : all.indexOf(closed)
  const review = all.some(
    ({ tick: when, what }, place) => what === "review" && when >= over && place > index
  )
  const state = review
    ? "reviewed"
    : closed !== undefined
      ? "closed"
      : tick < ENDS
        ? "open"
        : "expired"
  return { state, counts: tick >= 0 && tick < over }
}

describe("break-glass", () => {
  it.prop(
    "is in the state of the model, and counts in its time alone",
    { events, tick: FastCheck.integer({ min: -1, max: 14 }) },
    ({ events: all, tick }) => {
      const glass = played(all)
      const expected = model(all, tick)
      const last = Math.max(0, ...all.map((each) => each.tick))
      assert.strictEqual(BreakGlass.holds(glass, at(tick)), expected.counts)
      if (tick >= last) assert.strictEqual(BreakGlass.stateAt(glass, at(tick)), expected.state)
      assert.isTrue(BreakGlass.overAt(glass) <= opened.ends_at)
    }
  )

  it.prop(
    "takes no more than an eligible grant, at its space or above",
    {
      spaces: Spaces.spaces,
      space: Spaces.space,
      role: FastCheck.constantFrom(...Role.literals),
      eligible: FastCheck.array(
        FastCheck.record({ role: FastCheck.constantFrom(...Role.literals), space: Spaces.space }),
        { maxLength: 3 }
      )
    },
    ({ eligible, role, space, spaces }) => {
      const path = SpaceTree.pathOf(SpaceTree.make(Spaces.ORG, spaces), space)
      const rank = (each: Role) => Role.literals.indexOf(each)
      assert.strictEqual(
        BreakGlass.isEligible(eligible, role, path),
        eligible.some((each) => rank(each.role) <= rank(role) && path.includes(each.space))
      )
    }
  )

  it("lets through what its role may do", () => {
    for (const role of Role.literals)
      for (const permission of permissions)
        assert.strictEqual(
          BreakGlass.permits({ role }, [permission]),
          ofRole(role).includes(permission)
        )
    assert.isFalse(BreakGlass.permits({ role: "member" }, ["policy.write", "grant.write"]))
  })

  it("lasts 15 to 240 minutes, with a reason of 2,000 characters at most", () => {
    const lasts = Schema.is(BreakGlass.Minutes)
    const cases = [14, 15, 240, 241, 15.5].map(lasts)
    assert.deepStrictEqual(cases, [false, true, true, false, false])
    const isReason = Schema.is(BreakGlass.Reason)
    assert.isTrue(isReason("x".repeat(BreakGlass.REASON_LENGTH_MAX)))
    assert.isFalse(isReason("x".repeat(BreakGlass.REASON_LENGTH_MAX + 1)))
    assert.isFalse(isReason(" \n"))
  })
})
