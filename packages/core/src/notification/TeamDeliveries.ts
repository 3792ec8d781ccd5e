/** Cuts deliveries to teams by what the team reads when they are sent, or shown. SPEC §4.2 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Reaches } from "../access/Reaches.js"
import type { StoreError } from "../shared/StoreError.js"
import * as Audience from "./Audience.js"
import type { Delivery } from "./Delivery.js"
import type { Notification } from "./Notification.js"
import { TeamReach } from "./TeamReach.js"

/** Use cases of deliveries to teams. */
export class TeamDeliveries extends Effect.Service<TeamDeliveries>()(
  "@attestry/core/TeamDeliveries",
  {
    effect: Effect.gen(function* () {
      const teams = yield* TeamReach
      const reaches = yield* Reaches

      /** What of a delivery its receiver may be told now; none where that is nothing. */
      const cut = ({
        audience,
        notification,
        org_id
      }: Pick<Delivery, "audience" | "notification" | "org_id">): Effect.Effect<
        Option.Option<Notification>,
        StoreError
      > =>
        Effect.gen(function* () {
          if (audience === undefined) return Option.some(notification)
          const { about, flow, team } = audience
          const granted = { orgId: org_id, readable: yield* teams.readable(org_id, team) }
          return Audience.cut(notification, {
            about: about === undefined || (yield* reaches.isReadable(granted, about)),
            flow:
              flow === undefined || (yield* reaches.isReadable(granted, { kind: "flow", id: flow }))
          })
        })

      return { cut } as const
    })
  }
) {}
