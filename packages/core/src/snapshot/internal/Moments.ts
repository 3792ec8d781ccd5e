/** The moments that evaluations of environments are for: the instant, and the waivers that count then. */
import * as Effect from "effect/Effect"
import type { Environment } from "../../environment/Environment.js"
import * as Moment from "../../policy/Moment.js"
import type { StoreError } from "../../shared/StoreError.js"
import type { Timestamp } from "../../shared/Timestamp.js"
import * as WaiverMatch from "../../waiver/WaiverMatch.js"
import { WaiverStore } from "../../waiver/WaiverStore.js"

/** The moments of environments. */
export class Moments extends Effect.Service<Moments>()("@attestry/core/Moments", {
  effect: Effect.map(WaiverStore, (store) => {
    /** The moment of an evaluation of an environment at an instant. */
    const of = (
      environment: Environment,
      now: Timestamp
    ): Effect.Effect<Moment.Moment, StoreError> =>
      environment.policies.length === 0
        ? Effect.succeed(Moment.at(now))
        : Effect.map(
            store.listInForce(environment.org_id, now, environment.id),
            (waivers): Moment.Moment => ({ now, waivers: WaiverMatch.allActive(waivers) })
          )

    return { of } as const
  })
}) {}
