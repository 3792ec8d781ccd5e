/** The times in which people are in teams: pure decisions. */
import { OrgId, TeamId, UserId } from "@attestry/core/Identifier"
import * as TeamMember from "@attestry/core/TeamMember"
import * as Timestamp from "@attestry/core/Timestamp"
import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"

const at = (micros: number) => Timestamp.fromMicros(micros)

const time = (from: number, to: number | null = null): TeamMember.TeamMember => ({
  org_id: OrgId.make("o"),
  team_id: TeamId.make("t"),
  user_id: UserId.make("u"),
  source: "hand",
  from_at: at(from),
  to_at: to === null ? null : at(to)
})

const instant = FastCheck.integer({ min: 0, max: 20 })

describe("TeamMember", () => {
  it("holds its beginning, and not its end", () => {
    assert.deepStrictEqual(
      [1, 2, 3, 4].map((micros) => TeamMember.holds(time(2, 4), at(micros))),
      [false, true, true, false]
    )
    assert.isTrue(TeamMember.holds(time(2), at(1_000)))
  })

  it("never overlaps the person's other times in the team, in whatever order clocks are read", () =>
    FastCheck.assert(
      FastCheck.property(FastCheck.array(instant, { maxLength: 20 }), (clock) => {
        const times: Array<TeamMember.TeamMember> = []
        for (const now of clock) {
          const last = times.at(-1)
          if (last !== undefined && TeamMember.isOpen(last)) {
            times[times.length - 1] = TeamMember.ended(last, at(now))
          } else times.push(time(TeamMember.beginningAfter(last, at(now))))
        }
        for (const [index, each] of times.entries()) {
          assert.isTrue(each.to_at === null || each.from_at < each.to_at)
          const next = times[index + 1]
          if (next !== undefined) assert.isTrue(each.to_at !== null && each.to_at <= next.from_at)
        }
      })
    ))

  it("has the wanted people after those who come and go", () => {
    const people = FastCheck.array(
      FastCheck.integer({ min: 0, max: 9 }).map((id) => UserId.make(`u${id}`)),
      { maxLength: 15 }
    )
    FastCheck.assert(
      FastCheck.property(people, people, (current, wanted) => {
        const { coming, going } = TeamMember.difference(current, wanted)
        const after = new Set([...current, ...coming].filter((id) => !going.includes(id)))
        assert.deepStrictEqual(after, new Set(wanted))
        assert.deepStrictEqual(coming, [...new Set(coming)].sort())
        assert.deepStrictEqual(going, [...new Set(going)].sort())
        assert.isFalse(coming.some((id) => current.includes(id)))
      })
    )
  })
})
