/** Port: fresh ids. An id is opaque; nothing may be read out of one (DECISION D0.2). */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

/** Port: fresh ids. */
export class IdGenerator extends Context.Tag("@attestry/core/IdGenerator")<
  IdGenerator,
  {
    /** An id that no other call has returned: lower-case hex in groups of 8-4-4-4-8. */
    readonly next: Effect.Effect<string>
  }
>() {}
