/** Port: denied attempts. They are global: the org that a request names may not exist. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StoreError } from "../shared/StoreError.js"
import type { DeniedAttempt, DeniedAttemptDraft } from "./DeniedAttempt.js"

/** Which attempts are listed. */
export interface DeniedAttemptFilter {
  /** Only attempts with this org name; absent means any. */
  readonly org?: string
  readonly limit: number
}

/** Port: denied attempts. */
export class DeniedAttemptStore extends Context.Tag("@attestry/core/DeniedAttemptStore")<
  DeniedAttemptStore,
  {
    /**
     * Stores an attempt at the store's current instant and returns true. Returns false and stores nothing when
     * an attempt of the same actor and operation exists in the same minute. Deletes attempts older than
     * `RETENTION_SECONDS`. Needs no transaction.
     */
    readonly insert: (draft: DeniedAttemptDraft) => Effect.Effect<boolean, StoreError>
    /** Attempts that pass the filter, newest first, at most `limit`. */
    readonly list: (
      filter: DeniedAttemptFilter
    ) => Effect.Effect<ReadonlyArray<DeniedAttempt>, StoreError>
  }
>() {}
