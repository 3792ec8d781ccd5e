/** Serves spaces, and moves of things between them. */
import {
  type MovedThings,
  type MoveThings,
  SpaceApi,
  type SpaceResponse
} from "@attestry/api/SpaceApi"
import type { MoveReport } from "@attestry/core/Move"
import { type MoveRequest, Moves } from "@attestry/core/Moves"
import { Spaces, type SpaceView } from "@attestry/core/Spaces"
import type { ThingKind } from "@attestry/core/ThingPlace"
import * as Effect from "effect/Effect"
import { created, ok } from "../../shared/HttpMessage.js"
import { group } from "../../shared/internal/Handlers.js"
import { toWire } from "../../shared/internal/WireErrors.js"

const responseOf = ({ counts, path, space }: SpaceView): typeof SpaceResponse.Type => {
  const of = (kind: ThingKind) => counts.find((each) => each.kind === kind)?.count ?? 0
  return {
    id: space.id,
    path,
    name: space.name,
    description: space.description,
    things: {
      flows: of("flow"),
      environments: of("environment"),
      policies: of("policy"),
      controls: of("control"),
      service_accounts: of("service-account")
    },
    changed_at: space.from_at
  }
}

const requestOf = ({ match, preview, things, to }: typeof MoveThings.Type): MoveRequest => ({
  things:
    match === undefined
      ? (things ?? []).map(({ name, type }) => ({ kind: type, name }))
      : { kind: match.type, name: match.name, tags: match.tags },
  to,
  preview: preview ?? false
})

const movedOf = ({ losing, moved }: MoveReport): typeof MovedThings.Type => ({
  moved: moved.map(({ kind, name }) => ({ type: kind, name })),
  losing: losing.map(({ kind, name, role }) => ({ subject: { kind, name }, role }))
})

/** Serves the operations of spaces. */
export const SpaceHandlers = group(
  SpaceApi,
  Effect.gen(function* () {
    const spaces = yield* Spaces
    const moves = yield* Moves
    return {
      list: ({ path }) =>
        spaces.list(path.org).pipe(
          toWire,
          Effect.map((views) => ok({ spaces: views.map(responseOf) }))
        ),
      create: ({ path, payload }) =>
        spaces.create(path.org, payload.path, payload.description ?? "").pipe(
          toWire,
          Effect.map((view) => created(responseOf(view)))
        ),
      change: ({ path, payload }) =>
        spaces.change(path.org, path.space_id, payload).pipe(
          toWire,
          Effect.map((view) => ok(responseOf(view)))
        ),
      delete: ({ path }) =>
        spaces.remove(path.org, path.space_id).pipe(toWire, Effect.as(ok("OK" as const))),
      move: ({ path, payload }) =>
        moves.move(path.org, requestOf(payload)).pipe(
          toWire,
          Effect.map((report) => ok(movedOf(report)))
        )
    }
  })
)
