/** Port: the orgs of a deployment. They are global: the org of a transaction does not limit what is read. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { OrgId, OrgName } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Org } from "./Org.js"

/** Port: the orgs of a deployment. */
export class OrgStore extends Context.Tag("@attestry/core/OrgStore")<
  OrgStore,
  {
    /** The org of that name; none when there is none. */
    readonly findByName: (name: OrgName) => Effect.Effect<Option.Option<Org>, StoreError>
    /** The org of that id; none when there is none. */
    readonly findById: (id: OrgId) => Effect.Effect<Option.Option<Org>, StoreError>
    /** Every org, by name in ascending order of code points. */
    readonly list: Effect.Effect<ReadonlyArray<Org>, StoreError>
    /** Whether there is no org. */
    readonly isEmpty: Effect.Effect<boolean, StoreError>
    /**
     * Adds an org and returns true if it is the first; returns false and does nothing when there is one. Of
     * concurrent calls one succeeds.
     */
    readonly insertFirst: (org: Org) => Effect.Effect<boolean, StoreError>
    /** Adds an org and returns true; returns false and does nothing when the name is taken. */
    readonly insert: (org: Org) => Effect.Effect<boolean, StoreError>
  }
>() {}
