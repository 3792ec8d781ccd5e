/**
 * The times in which people are in teams. Pure and total.
 *
 * A time `[from_at, to_at)` is written once, ended once, and never removed, so that it can be said who could do what at
 * every past instant.
 */
import * as Schema from "effect/Schema"
import { OrgId, TeamId, UserId } from "../shared/Identifier.js"
import * as Timestamp from "../shared/Timestamp.js"
import { TeamKind } from "./Team.js"

/** A time in which a person is in a team. */
export const TeamMember = Schema.Struct({
  org_id: OrgId,
  team_id: TeamId,
  user_id: UserId,
  /** How the team was kept when the person came. */
  source: TeamKind,
  from_at: Timestamp.Timestamp,
  /** Null while it lasts. */
  to_at: Schema.NullOr(Timestamp.Timestamp)
})
/** A time in which a person is in a team. */
export type TeamMember = typeof TeamMember.Type

/** Whether a time lasts. */
export const isOpen = ({ to_at }: TeamMember): boolean => to_at === null

/** Whether a time holds an instant. */
export const holds = ({ from_at, to_at }: TeamMember, at: Timestamp.Timestamp): boolean =>
  from_at <= at && (to_at === null || at < to_at)

/**
 * The beginning of a time after the person's last one in the team; never before that one has ended.
 *
 * WHY not always now: a transaction reads the clock before it waits for the lock of the team.
 */
export const beginningAfter = (
  last: TeamMember | undefined,
  now: Timestamp.Timestamp
): Timestamp.Timestamp => Timestamp.fromMicros(Math.max(now, last?.to_at ?? now))

/** A time that is ended now; it lasts one microsecond at least. */
export const ended = <Time extends TeamMember>(time: Time, now: Timestamp.Timestamp): Time => ({
  ...time,
  to_at: Timestamp.fromMicros(Math.max(now, time.from_at + 1))
})

/** Who comes and who goes for a team to have the wanted people; each in ascending order, without repetitions. */
export const difference = (
  current: ReadonlyArray<UserId>,
  wanted: ReadonlyArray<UserId>
): { readonly coming: ReadonlyArray<UserId>; readonly going: ReadonlyArray<UserId> } => {
  const [before, after] = [new Set(current), new Set(wanted)]
  return {
    coming: Array.from(after)
      .filter((user) => !before.has(user))
      .sort(),
    going: Array.from(before)
      .filter((user) => !after.has(user))
      .sort()
  }
}
