/** The moments that evaluations of environments are for. */
import * as Effect from "effect/Effect"
import type { Environment } from "../../environment/Environment.js"
import type { Moment } from "../../policy/Moment.js"
import type { StoreError } from "../../shared/StoreError.js"
import type { Timestamp } from "../../shared/Timestamp.js"

/** The moments of environments. */
export class Moments extends Effect.Service<Moments>()("@attestry/core/Moments", {
  succeed: {
    /** The moment of an evaluation of an environment at an instant. */
    of: (_environment: Environment, now: Timestamp): Effect.Effect<Moment, StoreError> =>
      Effect.succeed({ now })
  }
}) {}
