/** Port: fresh ids. An id is opaque and carries no information (DECISIONS.md, "Ids are opaque"). */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

/** Port: fresh ids. */
export class IdGenerator extends Context.Tag("@attestry/core/IdGenerator")<
  IdGenerator,
  {
    /** A new id on every call: lower-case hexadecimal in groups of 8-4-4-4-8. */
    readonly next: Effect.Effect<string>
  }
>() {}
