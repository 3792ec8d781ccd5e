/** Port: whether the store can answer, and keeps what it acknowledges. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** The store must not be relied upon; each reason says what to change. */
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
     * Succeeds when the store is reachable, is of the version that this program needs, takes writes, and is set up
     * so that an acknowledged write survives a crash (P-BOOT). Answers within two seconds.
     */
    readonly check: Effect.Effect<void, StoreUnhealthy>
  }
>() {}
