/** Port: whether the store is available and durable. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** The store is not healthy; each reason names what to change. */
export class StoreUnhealthy extends Schema.TaggedError<StoreUnhealthy>()("StoreUnhealthy", {
  reasons: Schema.NonEmptyArray(Schema.String)
}) {
  override get message(): string {
    return this.reasons.join("; ")
  }
}

/** Port: the health of the store. */
export class StoreHealth extends Context.Tag("@attestry/core/StoreHealth")<
  StoreHealth,
  {
    /**
     * Succeeds when the store is reachable, has the version that this program needs, accepts writes, and is
     * configured so that an acknowledged write survives a crash (P-BOOT). Fails otherwise. Returns within two
     * seconds.
     */
    readonly check: Effect.Effect<void, StoreUnhealthy>
  }
>() {}
