/** Port: the checkpoints of other deployments' logs that this one has cosigned. It belongs to no org. */
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
    /** The cosigned checkpoint of a log; none before the first. */
    readonly find: (origin: string) => Effect.Effect<Option.Option<WitnessedLog>, StoreError>
    /**
     * Replaces the cosigned checkpoint if its size is `from`, which is 0 before the first. Otherwise returns false and
     * changes nothing. One of several concurrent calls wins. When it returns true, the checkpoint is durable.
     */
    readonly advance: (log: WitnessedLog, from: number) => Effect.Effect<boolean, StoreError>
    /** Every log that was cosigned, by origin. */
    readonly list: Effect.Effect<ReadonlyArray<WitnessedLog>, StoreError>
  }
>() {}
