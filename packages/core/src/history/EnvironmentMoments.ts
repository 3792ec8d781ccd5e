/**
 * The moments of an environment: what an evaluation at an instant, past or present, depends on besides facts.
 *
 * Every evaluation outside of reports takes its moment from here.
 */
import * as Effect from "effect/Effect"
import * as Moment from "../policy/Moment.js"
import type { EnvironmentId, OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"
import * as WaiverMatch from "../waiver/WaiverMatch.js"
import { WaiverStore } from "../waiver/WaiverStore.js"

/** An environment, or none for policies that are asked about on their own. */
export interface MomentPlace {
  readonly org: OrgId
  readonly environment: EnvironmentId | null
}

/** The moment of an environment at an instant. */
export type MomentAt = (instant: Timestamp) => Moment.Moment

/** Reads what the moments of an environment depend on, once for all instants. */
export type MomentsOf = (place: MomentPlace) => Effect.Effect<MomentAt, StoreError>

/** The moments of no environment: no waiver counts. */
export const ofInstant: MomentAt = Moment.at

/** Makes the reader of moments. */
export const make: Effect.Effect<MomentsOf, never, WaiverStore> = Effect.map(
  WaiverStore,
  (store): MomentsOf =>
    ({ environment, org }) =>
      environment === null
        ? Effect.succeed(ofInstant)
        : Effect.map(store.listApproved(org, { environment }), (approved): MomentAt => {
            const waivers = WaiverMatch.allActive(approved)
            return (now) => ({ now, waivers })
          })
)
