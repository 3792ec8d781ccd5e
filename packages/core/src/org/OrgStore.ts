/** Port: the orgs of a deployment. They are global: the org of a transaction does not limit what is read. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { OrgId, OrgName } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Org } from "./Org.js"

/** A kind of work that is done in the background, for the orgs that have some. */
export type BackgroundWork = "evaluation" | "waiver" | "proposal" | "break-glass"

/** Port: the orgs of a deployment. */
export class OrgStore extends Context.Tag("@attestry/core/OrgStore")<
  OrgStore,
  {
    /** The org of that id or name; none when there is none. */
    readonly find: (
      key: { readonly id: OrgId } | { readonly name: OrgName }
    ) => Effect.Effect<Option.Option<Org>, StoreError>
    /** Every org, by name in ascending order of code points. */
    readonly list: Effect.Effect<ReadonlyArray<Org>, StoreError>
    /**
     * Every org that has work of a kind, in the order of `list`: environments that are pending or due, ends of waivers
     * or proposals, openings of break-glass. A store may return others too; what the work is, its own port says.
     */
    readonly listBusy: (work: BackgroundWork) => Effect.Effect<ReadonlyArray<Org>, StoreError>
    /**
     * Adds an org and returns true; returns false and does nothing when the name is taken. With `onlyFirst` it also
     * returns false when there is any org; of concurrent calls one succeeds.
     */
    readonly insert: (
      org: Org,
      options?: { readonly onlyFirst: boolean }
    ) => Effect.Effect<boolean, StoreError>
  }
>() {}
