/** Port: the trails of an org. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { OrgId, TrailId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Trail, TrailKey } from "./Trail.js"

/** Port: the trails of an org. */
export class TrailStore extends Context.Tag("@attestry/core/TrailStore")<
  TrailStore,
  {
    /** The trail of that name. */
    readonly findByName: (key: TrailKey) => Effect.Effect<Option.Option<Trail>, StoreError>
    /** The trails of these ids, in any order. */
    readonly listByIds: (
      org: OrgId,
      ids: ReadonlyArray<TrailId>
    ) => Effect.Effect<ReadonlyArray<Trail>, StoreError>
    /** The trail of that name, kept from other writers until the transaction ends. */
    readonly lockByName: (key: TrailKey) => Effect.Effect<Option.Option<Trail>, StoreError>
    /**
     * Adds a trail; `false`, and nothing done, when the name is taken. Waits for a concurrent writer of
     * the same name, so that after `false` a look finds what took it.
     */
    readonly insert: (trail: Trail) => Effect.Effect<boolean, StoreError>
    /** Replaces the trail of that id; nothing when there is none. */
    readonly update: (trail: Trail) => Effect.Effect<void, StoreError>
  }
>() {}
