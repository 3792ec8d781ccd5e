/** Port: the controls of an org, and their versions, which are append-only. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { OrgId } from "../shared/Identifier.js"
import type { Page, Paged } from "../shared/Page.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Tag } from "../shared/Tags.js"
import type { Locking } from "../shared/Transaction.js"
import type { PlaceId } from "../space/PlaceId.js"
import type { Changed, Control, ControlKey, ControlVersion } from "./Control.js"

/** Which controls are listed; all given conditions must hold. */
export interface ControlQuery {
  readonly archived: boolean
  /** A part of the name or of the identifier, in any case. */
  readonly search?: string
  /** Tag keys, each with its required value where one is given. */
  readonly tags: ReadonlyArray<{ readonly key: string; readonly value?: string }>
  /** Only controls that are in one of these spaces now; one in the root is in none. */
  readonly within?: ReadonlyArray<PlaceId>
  readonly direction: "asc" | "desc"
}

/** Port: the controls of an org. */
export class ControlStore extends Context.Tag("@attestry/core/ControlStore")<
  ControlStore,
  {
    /** The control of that identifier, archived or not; none when there is none. */
    readonly find: (
      key: ControlKey,
      locking?: Locking
    ) => Effect.Effect<Option.Option<Control>, StoreError>
    /** One page of the controls that pass the query, by name, then by identifier. */
    readonly list: (
      org: OrgId,
      query: ControlQuery,
      page: Page
    ) => Effect.Effect<Paged<Control>, StoreError>
    /**
     * Adds a control with its first version and returns true; returns false and does nothing when the
     * identifier is taken. Waits for a concurrent insert of the identifier to end.
     */
    readonly insert: (first: Changed) => Effect.Effect<boolean, StoreError>
    /** Replaces the control and adds the version; the caller holds its lock. */
    readonly revise: (next: Changed) => Effect.Effect<void, StoreError>
    /** Replaces the tags of the control, and no other field; the caller holds its lock. */
    readonly tag: (control: Control) => Effect.Effect<void, StoreError>
    /** One page of the versions of a control, by number; empty for an unknown control. */
    readonly listVersions: (
      key: ControlKey,
      direction: "asc" | "desc",
      page: Page
    ) => Effect.Effect<Paged<ControlVersion>, StoreError>
    /** The distinct tags of the controls that are not archived, all or those in some spaces, in any order. */
    readonly listTags: (
      org: OrgId,
      within?: ReadonlyArray<PlaceId>
    ) => Effect.Effect<ReadonlyArray<Tag>, StoreError>
    /** The version of that number; none when there is none. */
    readonly findVersion: (
      key: ControlKey,
      version: number
    ) => Effect.Effect<Option.Option<ControlVersion>, StoreError>
  }
>() {}
