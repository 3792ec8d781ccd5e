/** Port: the protections of an org. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Protections } from "./Protection.js"

/** Port: the protections of an org. */
export class ProtectionStore extends Context.Tag("@attestry/core/ProtectionStore")<
  ProtectionStore,
  {
    /** The protections of an org; empty when none were set. */
    readonly find: (org: OrgId) => Effect.Effect<Protections, StoreError>
    /**
     * The protections of an org, which stay as they are until the transaction ends: with `share` others may hold them
     * too, and with `change` no other transaction. A change that was made under them commits before they change.
     */
    readonly hold: (
      org: OrgId,
      purpose: "share" | "change"
    ) => Effect.Effect<Protections, StoreError>
    /** Replaces the protections of an org. The caller holds them to change them. */
    readonly put: (org: OrgId, protections: Protections) => Effect.Effect<void, StoreError>
  }
>() {}
