/** The moments that evaluations of environments are for: the instant, and the waivers that count then. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Environment, EnvironmentRef } from "../../environment/Environment.js"
import type { Moment } from "../../policy/Moment.js"
import type { StoreError } from "../../shared/StoreError.js"
import type { Timestamp } from "../../shared/Timestamp.js"
import type { Waiver } from "../../waiver/Waiver.js"
import * as WaiverMatch from "../../waiver/WaiverMatch.js"
import { WaiverStore } from "../../waiver/WaiverStore.js"

const activeOf = (waivers: ReadonlyArray<Waiver>): Moment["waivers"] =>
  waivers.flatMap((waiver) => Option.toArray(WaiverMatch.toActive(waiver)))

/** The moments of environments. */
export class Moments extends Effect.Service<Moments>()("@attestry/core/Moments", {
  effect: Effect.map(WaiverStore, (store) => {
    /** The moment of an evaluation of an environment at an instant. */
    const of = (environment: Environment, now: Timestamp): Effect.Effect<Moment, StoreError> =>
      environment.policies.length === 0
        ? Effect.succeed({ now, waivers: [] })
        : Effect.map(
            store.listInForce(environment.org_id, now, environment.id),
            (waivers): Moment => ({ now, waivers: activeOf(waivers) })
          )

    /** The moments of evaluations of an environment at any instants of the past. */
    const past = ({ environment, org }: EnvironmentRef) =>
      Effect.map(store.listApproved(org, { environment }), (waivers) => {
        const active = activeOf(waivers)
        return (now: Timestamp): Moment => ({ now, waivers: active })
      })

    return { of, past } as const
  })
}) {}
