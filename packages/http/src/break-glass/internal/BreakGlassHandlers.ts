/** Serves the operations of break-glass. */
import { BreakGlassApi, type BreakGlassResponse } from "@attestry/api/BreakGlassApi"
import { BreakGlasses, type BreakGlassView } from "@attestry/core/BreakGlasses"
import * as Effect from "effect/Effect"
import { created, ok } from "../../shared/HttpMessage.js"
import { group } from "../../shared/internal/Handlers.js"
import { counters, pageOf } from "../../shared/internal/Paging.js"
import { toWire } from "../../shared/internal/WireErrors.js"
import { PublicUrl } from "../../shared/PublicUrl.js"

const responseOf = ({ glass, space, state }: BreakGlassView): typeof BreakGlassResponse.Type => ({
  number: glass.number,
  state,
  opened_by: glass.opened_by,
  means: glass.means,
  space,
  role: glass.role,
  reason: glass.reason,
  minutes: glass.minutes,
  opened_at: glass.opened_at,
  ends_at: glass.ends_at,
  closed_at: glass.closed_at,
  closed_by: glass.closed_by?.user ?? null,
  reviewed_at: glass.reviewed?.at ?? null,
  reviewed_by: glass.reviewed?.user ?? null,
  note: glass.reviewed?.comment ?? null
})

/** Serves the operations of break-glass. */
export const BreakGlassHandlers = group(
  BreakGlassApi,
  Effect.gen(function* () {
    const glasses = yield* BreakGlasses
    const base = yield* PublicUrl
    return {
      list: ({ incoming, path, urlParams }) => {
        const page = pageOf(urlParams)
        return glasses.list(path.org, urlParams.state, page).pipe(
          toWire,
          Effect.map(({ items, total }) =>
            ok({
              ...counters(base, incoming, { total, page }),
              openings: items.map(responseOf)
            })
          )
        )
      },
      open: ({ path, payload }) =>
        glasses.open(path.org, payload).pipe(
          toWire,
          Effect.map((view) => created(responseOf(view)))
        ),
      close: ({ path }) =>
        glasses.close(path).pipe(
          toWire,
          Effect.map((view) => ok(responseOf(view)))
        ),
      review: ({ path, payload }) =>
        glasses.review(path, payload.note).pipe(
          toWire,
          Effect.map((view) => ok(responseOf(view)))
        )
    }
  })
)
