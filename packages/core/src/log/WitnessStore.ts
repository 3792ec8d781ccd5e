/** Port: what this deployment has cosigned of the logs of others. It belongs to no org. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { StoreError } from "../shared/StoreError.js"

/** The newest checkpoint of a log that was cosigned. */
export interface WitnessedLog {
  readonly origin: string
  readonly size: number
  /** The root in Base64. */
  readonly root: string
  /** The signed note, with our cosignature. */
  readonly note: string
}

/** Port: logs that are witnessed. */
export class WitnessStore extends Context.Tag("@attestry/core/WitnessStore")<
  WitnessStore,
  {
    /** What was cosigned of a log; none before the first time. */
    readonly find: (origin: string) => Effect.Effect<Option.Option<WitnessedLog>, StoreError>
    /**
     * Replaces what was cosigned if its size is `from`, 0 before the first time; false, and nothing is changed,
     * otherwise. Of several that race, one wins. It is kept when this is true.
     */
    readonly advance: (log: WitnessedLog, from: number) => Effect.Effect<boolean, StoreError>
    /** Every log that was cosigned, by origin. */
    readonly list: Effect.Effect<ReadonlyArray<WitnessedLog>, StoreError>
  }
>() {}
