/** Port: attempts that were denied. They are global: the org that was asked for may not exist. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StoreError } from "../shared/StoreError.js"
import type { DeniedAttempt, DeniedAttemptDraft } from "./DeniedAttempt.js"

/** Which attempts, newest first. */
export interface DeniedAttemptFilter {
  /** The name that was asked for; every name when it is left out. */
  readonly org?: string
  readonly limit: number
}

/** Port: attempts that were denied. */
export class DeniedAttemptStore extends Context.Tag("@attestry/core/DeniedAttemptStore")<
  DeniedAttemptStore,
  {
    /**
     * Keeps an attempt of this instant; `false`, and nothing done, when the same actor was denied the
     * same operation in the same minute. Forgets what is older than `RETENTION_SECONDS`.
     */
    readonly insert: (draft: DeniedAttemptDraft) => Effect.Effect<boolean, StoreError>
    /** Attempts, newest first. */
    readonly list: (
      filter: DeniedAttemptFilter
    ) => Effect.Effect<ReadonlyArray<DeniedAttempt>, StoreError>
  }
>() {}
