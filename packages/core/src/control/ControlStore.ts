/** Port: the controls of an org, and their versions, which are append-only. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { OrgId } from "../shared/Identifier.js"
import type { Page, Paged } from "../shared/Page.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Changed, Control, ControlKey, ControlVersion } from "./Control.js"

/** Which controls are listed; conditions that are given must all hold. */
export interface ControlQuery {
  readonly archived: boolean
  /** A part of the name or of the identifier, whatever its case. */
  readonly search?: string
  /** Keys, each with the value it must have where one is given. */
  readonly tags: ReadonlyArray<{ readonly key: string; readonly value?: string }>
  readonly direction: "asc" | "desc"
}

/** Port: the controls of an org. */
export class ControlStore extends Context.Tag("@attestry/core/ControlStore")<
  ControlStore,
  {
    /** The control of that identifier, archived or not. */
    readonly find: (key: ControlKey) => Effect.Effect<Option.Option<Control>, StoreError>
    /** The same, kept from other writers until the transaction ends. */
    readonly lock: (key: ControlKey) => Effect.Effect<Option.Option<Control>, StoreError>
    /** One page of the controls that pass, by name and then by identifier. */
    readonly list: (
      org: OrgId,
      query: ControlQuery,
      page: Page
    ) => Effect.Effect<Paged<Control>, StoreError>
    /**
     * Adds a control with its first version; `false`, and nothing done, when the identifier is taken.
     * Waits for a concurrent writer.
     */
    readonly insert: (first: Changed) => Effect.Effect<boolean, StoreError>
    /** Replaces the control and adds the version; the caller holds its lock. */
    readonly revise: (next: Changed) => Effect.Effect<void, StoreError>
    /** Replaces the tags of the control. */
    readonly tag: (control: Control) => Effect.Effect<void, StoreError>
    /** Every version of a control, oldest first. */
    readonly listVersions: (
      key: ControlKey
    ) => Effect.Effect<ReadonlyArray<ControlVersion>, StoreError>
    /** The version of that number. */
    readonly findVersion: (
      key: ControlKey,
      version: number
    ) => Effect.Effect<Option.Option<ControlVersion>, StoreError>
  }
>() {}
