/**
 * Port: copies of what was recorded that are no records: answers that are stored for repeated requests, deliveries that
 * wait or have failed, and what was allowed before. An erasure reaches them by the erased texts.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"

/** What a delivery says. */
export interface DeliveryCopy {
  readonly id: string
  readonly notification: unknown
}

/** Reasons of the allow-list of an environment, and what is left of them. */
export interface AllowanceTexts {
  readonly environment: string
  readonly texts: ReadonlyArray<string>
  readonly left: string
}

/** Port: copies. */
export class CopyStore extends Context.Tag("@attestry/core/CopyStore")<
  CopyStore,
  {
    /** Withholds stored answers that contain one of the parts: the request counts as answered, its answer is gone. */
    readonly withholdAnswers: (
      org: OrgId,
      parts: ReadonlyArray<string>
    ) => Effect.Effect<void, StoreError>
    /** The deliveries whose notification, as JSON, contains one of the parts. */
    readonly listDeliveries: (
      org: OrgId,
      parts: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<DeliveryCopy>, StoreError>
    /** Replaces what a delivery says. */
    readonly putDelivery: (org: OrgId, copy: DeliveryCopy) => Effect.Effect<void, StoreError>
    /** Replaces reasons that are equal to a text, in all that was ever allowed in an environment. */
    readonly eraseAllowances: (org: OrgId, texts: AllowanceTexts) => Effect.Effect<void, StoreError>
  }
>() {}
