/** `BreakGlassStore` in memory. A transaction is the only writer, so nothing needs a lock. */
import * as BreakGlass from "@attestry/core/BreakGlass"
import { BreakGlassStore } from "@attestry/core/BreakGlassStore"
import type { OrgId } from "@attestry/core/Identifier"
import * as Page from "@attestry/core/Page"
import type { Timestamp } from "@attestry/core/Timestamp"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as MemoryRows from "../shared/MemoryRows.js"
import { key, MemoryState, table } from "../shared/MemoryState.js"

/** The openings. */
export const openings = table<BreakGlass.BreakGlass>("break_glass")

/** When openings were told last. */
const noticeTimes = table<Timestamp>("break_glass_notified")

/** `BreakGlassStore` in memory. */
export const layer: Layer.Layer<BreakGlassStore, never, MemoryState> = Layer.effect(
  BreakGlassStore,
  Effect.gen(function* () {
    const state = yield* MemoryState
    const rows = yield* MemoryRows.make(openings)
    const notices = yield* MemoryRows.make(noticeTimes)

    /** The openings of an org that are wanted, by number. */
    const select = (org: OrgId, keep: (glass: BreakGlass.BreakGlass) => boolean) =>
      Effect.map(rows.values, (all) =>
        all
          .filter((glass) => glass.org_id === org && keep(glass))
          .sort((left, right) => left.number - right.number)
      )
    const first = (found: ReadonlyArray<BreakGlass.BreakGlass>) => Option.fromNullable(found[0])
    const numbersOf = (found: ReadonlyArray<BreakGlass.BreakGlass>) =>
      found.map(({ number }) => number)

    return BreakGlassStore.of({
      lockOpen: (org, user) =>
        Effect.map(
          select(org, ({ closed_at, user_id }) => closed_at === null && user_id === user),
          first
        ),
      append: (draft) =>
        state.transaction(() =>
          Effect.gen(function* () {
            const before = yield* select(draft.org_id, () => true)
            const glass = { ...draft, number: (before.at(-1)?.number ?? 0) + 1 }
            yield* rows.set(key(draft.org_id, glass.number), glass)
            return glass
          })
        ),
      find: ({ number, org }) => rows.find(key(org, number)),
      findAt: (org, user, at) =>
        Effect.map(
          select(org, (glass) => glass.user_id === user && BreakGlass.holds(glass, at)),
          first
        ),
      decide: ({ closed_at, closed_by, number, org_id, reviewed }) =>
        state.transaction(() =>
          Effect.flatMap(rows.find(key(org_id, number)), (found) =>
            found._tag === "None"
              ? Effect.void
              : rows.set(key(org_id, number), { ...found.value, closed_at, closed_by, reviewed })
          )
        ),
      list: (org, { now, states, user }, page) =>
        Effect.map(
          select(
            org,
            (glass) =>
              (user ?? glass.user_id) === glass.user_id &&
              (states?.includes(BreakGlass.stateAt(glass, now)) ?? true)
          ),
          (found) => Page.slice([...found].reverse(), page)
        ),
      listAt: (org, at) => select(org, (glass) => BreakGlass.holds(glass, at)),
      listOver: (org, now) =>
        Effect.map(
          select(org, ({ closed_at, ends_at }) => closed_at === null && ends_at <= now),
          numbersOf
        ),
      listToNotify: (org, before) =>
        Effect.gen(function* () {
          const found = yield* select(
            org,
            ({ closed_at, reviewed }) => closed_at !== null && reviewed === null
          )
          const due = yield* Effect.filter(found, (glass) =>
            Effect.map(
              notices.find(key(org, glass.number)),
              (last) => Option.getOrElse(last, () => glass.opened_at) < before
            )
          )
          return numbersOf(due)
        }),
      recordNotice: ({ number, org }, at) => notices.set(key(org, number), at)
    })
  })
)
