/**
 * Whether evidence that is reported again with the same content is new evidence, or a retry. SPEC §1, "Retried writes
 * converge"
 */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { WriteContext } from "../../access/internal/WriteContext.js"
import type { StoreError } from "../../shared/StoreError.js"
import { plusSeconds, type Timestamp } from "../../shared/Timestamp.js"
import type { ArtifactStore } from "../ArtifactStore.js"

/** A report is a retry until the evidence that it repeats is this old. WHY a minute: it is the shortest `max_age`. */
const RETRIED_SECONDS = 60

/** Whether a report renews the evidence that it repeats: only where a policy of the org limits the age of evidence. */
export const isRenewal = (
  store: Context.Tag.Service<ArtifactStore>,
  { at, org }: WriteContext,
  repeated: { readonly created_at: Timestamp }
): Effect.Effect<boolean, StoreError> =>
  plusSeconds(repeated.created_at, RETRIED_SECONDS) > at
    ? Effect.succeed(false)
    : store.isAgeLimited(org)
