/** Port: the openings of break-glass of an org. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { OrgId } from "../shared/Identifier.js"
import type { Page, Paged } from "../shared/Page.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"
import type { Locking } from "../shared/Transaction.js"
import type { BreakGlass, BreakGlassDraft, BreakGlassKey, BreakGlassState } from "./BreakGlass.js"

/** Which openings are listed. */
export interface BreakGlassQuery {
  /** The instant that states are for. */
  readonly now: Timestamp
  readonly states?: ReadonlyArray<BreakGlassState>
  /** Only openings of this user. */
  readonly user?: string
}

/** Port: the openings of break-glass of an org. */
export class BreakGlassStore extends Context.Tag("@attestry/core/BreakGlassStore")<
  BreakGlassStore,
  {
    /** Keeps others from adding openings until the transaction ends; the one of a user whose end is not recorded. */
    readonly lockOpen: (
      org: OrgId,
      user: string
    ) => Effect.Effect<Option.Option<BreakGlass>, StoreError>
    /** Adds an opening under the org's next number, counting from 1. Its user has none whose end is not recorded. */
    readonly append: (draft: BreakGlassDraft) => Effect.Effect<BreakGlass, StoreError>
    /** The opening of that number; none when there is none. */
    readonly find: (
      key: BreakGlassKey,
      locking?: Locking
    ) => Effect.Effect<Option.Option<BreakGlass>, StoreError>
    /** The opening of a user that counts at an instant. */
    readonly findAt: (
      org: OrgId,
      user: string,
      at: Timestamp
    ) => Effect.Effect<Option.Option<BreakGlass>, StoreError>
    /** Replaces end and review of the opening of that number. The caller holds its lock. */
    readonly decide: (glass: BreakGlass) => Effect.Effect<void, StoreError>
    /** One page of the openings that pass the query, newest first. */
    readonly list: (
      org: OrgId,
      query: BreakGlassQuery,
      page: Page
    ) => Effect.Effect<Paged<BreakGlass>, StoreError>
    /** The openings that count at an instant, by number. */
    readonly listAt: (
      org: OrgId,
      at: Timestamp
    ) => Effect.Effect<ReadonlyArray<BreakGlass>, StoreError>
    /** The numbers of the openings that are over by an instant and whose end is not recorded, in order. */
    readonly listOver: (
      org: OrgId,
      now: Timestamp
    ) => Effect.Effect<ReadonlyArray<number>, StoreError>
    /** The numbers of the openings without a review whose end is recorded and that were told last before an instant. */
    readonly listToNotify: (
      org: OrgId,
      before: Timestamp
    ) => Effect.Effect<ReadonlyArray<number>, StoreError>
    /** Notes when an opening was told last; before the first time that is when it was opened. */
    readonly recordNotice: (key: BreakGlassKey, at: Timestamp) => Effect.Effect<void, StoreError>
  }
>() {}
