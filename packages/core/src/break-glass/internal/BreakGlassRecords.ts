/** Entries, outcomes and notices of break-glass. */
import * as Effect from "effect/Effect"
import { AccessNotices, type BreakGlassNotice } from "../../access/AccessNotices.js"
import type { WriteContext } from "../../access/internal/WriteContext.js"
import { Journals } from "../../journal/Journals.js"
import { setOutcome } from "../../shared/CurrentOutcome.js"
import type { StoreError } from "../../shared/StoreError.js"
import { SpaceStore } from "../../space/SpaceStore.js"
import * as SpaceTree from "../../space/SpaceTree.js"
import * as BreakGlass from "../BreakGlass.js"
import { BreakGlassStore } from "../BreakGlassStore.js"

/** The actor of ends that time alone brings. */
const SYSTEM = { kind: "system", id: "break-glass", name: "break-glass" } as const

/** What changed of an opening. */
type Change = BreakGlassNotice["change"]

const KINDS = {
  opened: "break_glass_opened",
  closed: "break_glass_closed",
  expired: "break_glass_closed",
  reviewed: "break_glass_reviewed"
} as const

/** The writes of openings. */
export const make = Effect.gen(function* () {
  const store = yield* BreakGlassStore
  const journals = yield* Journals
  const notices = yield* AccessNotices
  const spaces = yield* SpaceStore

  const tell = ({ actor, at, org }: WriteContext, glass: BreakGlass.BreakGlass, change: Change) =>
    Effect.gen(function* () {
      const tree = SpaceTree.make(org, yield* spaces.list(org))
      const { ends_at, number, opened_by, reason, role, space_id } = glass
      yield* notices.add(org, at, {
        _tag: "BreakGlass",
        number,
        change,
        by: actor.kind === "system" ? null : actor.name,
        opened_by,
        space: SpaceTree.labelOf(tree, space_id),
        role,
        reason,
        ends_at
      })
      yield* store.recordNotice(BreakGlass.keyOf(glass), at)
    })

  /** Records a change that was written, and tells it. The first entry has the whole opening. */
  const record = (
    writer: WriteContext,
    glass: BreakGlass.BreakGlass,
    change: Exclude<Change, "waiting">
  ): Effect.Effect<void, StoreError> =>
    Effect.gen(function* () {
      const { closed_at, closed_by, number, reviewed } = glass
      yield* journals.record({
        ...writer,
        kind: KINDS[change],
        subject: { type: "break_glass", id: String(number) },
        content: change === "opened" ? glass : { number, closed_at, closed_by, reviewed }
      })
      yield* tell(writer, glass, change)
      yield* setOutcome({
        type: "break-glass",
        id: String(number),
        name: null,
        result: change === "opened" ? "created" : "updated"
      })
    })

  const decide = (
    writer: WriteContext,
    glass: BreakGlass.BreakGlass,
    change: Exclude<Change, "opened" | "waiting">
  ) => Effect.as(Effect.zipRight(store.decide(glass), record(writer, glass, change)), glass)

  /** Records the end of an opening whose time is over. The caller holds its lock. */
  const expire = ({ at, org }: Pick<WriteContext, "at" | "org">, glass: BreakGlass.BreakGlass) =>
    decide({ org, at, actor: SYSTEM }, BreakGlass.expire(glass), "expired")

  /** Says that an opening waits for its review. */
  const remind = ({ at, org }: Pick<WriteContext, "at" | "org">, glass: BreakGlass.BreakGlass) =>
    tell({ org, at, actor: SYSTEM }, glass, "waiting")

  return { record, decide, expire, remind } as const
})
