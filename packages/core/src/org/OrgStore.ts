/** Port: the orgs of a deployment. Orgs are global: no transaction's org limits what is seen here. */
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
    /** The org of that name. */
    readonly findByName: (name: OrgName) => Effect.Effect<Option.Option<Org>, StoreError>
    /** The org of that id. */
    readonly findById: (id: OrgId) => Effect.Effect<Option.Option<Org>, StoreError>
    /** Every org, by name in the order of code points. */
    readonly list: Effect.Effect<ReadonlyArray<Org>, StoreError>
    /** Whether there is no org yet. */
    readonly isEmpty: Effect.Effect<boolean, StoreError>
    /** Adds an org if it is the first; `false`, and nothing done, when there is one. Callers take turns. */
    readonly insertFirst: (org: Org) => Effect.Effect<boolean, StoreError>
    /** Adds an org; `false`, and nothing done, when the name is taken. */
    readonly insert: (org: Org) => Effect.Effect<boolean, StoreError>
  }
>() {}
