/** Port: the attestation types of an org. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Locking } from "../shared/Transaction.js"
import type { AttestationType, TypeKey } from "./AttestationType.js"

/** Port: the attestation types of an org. */
export class AttestationTypeStore extends Context.Tag("@attestry/core/AttestationTypeStore")<
  AttestationTypeStore,
  {
    /** The type of that name, archived or not; none when there is none. */
    readonly findType: (
      key: TypeKey,
      locking?: Locking
    ) => Effect.Effect<Option.Option<AttestationType>, StoreError>
    /** Every type, archived or not, in ascending order of name. */
    readonly listTypes: (org: OrgId) => Effect.Effect<ReadonlyArray<AttestationType>, StoreError>
    /**
     * Adds a type and returns true; returns false and does nothing when the name is taken. Waits for a
     * concurrent insert of the name to end.
     */
    readonly insertType: (type: AttestationType) => Effect.Effect<boolean, StoreError>
    /** Replaces the type of that name; the caller holds its lock. */
    readonly updateType: (type: AttestationType) => Effect.Effect<void, StoreError>
  }
>() {}
