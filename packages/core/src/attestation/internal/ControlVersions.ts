/**
 * Port: which version a control has, for decisions about it, which keep it. DECISION D3.11
 *
 * WHY: what a control is, and where it is kept, is `control`'s, which stands to the right.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { ControlIdentifier, OrgId } from "../../shared/Identifier.js"
import type { StoreError } from "../../shared/StoreError.js"

/** Port: which version a control has. */
export class ControlVersions extends Context.Tag("@attestry/core/ControlVersions")<
  ControlVersions,
  {
    /** The number of the newest version, archived or not; none where there is no such control. */
    readonly current: (
      org: OrgId,
      control: ControlIdentifier
    ) => Effect.Effect<Option.Option<number>, StoreError>
  }
>() {}
