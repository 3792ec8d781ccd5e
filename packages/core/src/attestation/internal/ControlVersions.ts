/**
 * Port inside core: the version of a control, which decisions about it store.
 *
 * WHY a port: `control` stands to the right of `attestation`.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { ControlIdentifier, OrgId } from "../../shared/Identifier.js"
import type { StoreError } from "../../shared/StoreError.js"

/** Port: the versions of controls. */
export class ControlVersions extends Context.Tag("@attestry/core/ControlVersions")<
  ControlVersions,
  {
    /** The number of the newest version of a control, archived or not; none when there is no such control. */
    readonly current: (
      org: OrgId,
      control: ControlIdentifier
    ) => Effect.Effect<Option.Option<number>, StoreError>
  }
>() {}
