/** The spaces of things in answers; absent in an org without spaces. */
import type { OrgId } from "@attestry/core/Identifier"
import { Placements } from "@attestry/core/Placements"
import type { ThingKind } from "@attestry/core/ThingPlace"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** The field of an answer with the path of the space of a thing. */
export interface SpaceLabel {
  readonly space?: string
}

/** Makes the lookup of the spaces of some things of an org, by id. */
export const make = Effect.map(
  Placements,
  (placements) => (org: OrgId | undefined, kind: ThingKind, ids: ReadonlyArray<string>) =>
    org === undefined
      ? Effect.succeed((_id: string): SpaceLabel => ({}))
      : Effect.map(
          placements.pathsOf(org, kind, ids),
          Option.match({
            onNone:
              () =>
              (_id: string): SpaceLabel => ({}),
            onSome:
              (pathOf) =>
              (id: string): SpaceLabel => ({ space: pathOf(id) })
          })
        )
)
