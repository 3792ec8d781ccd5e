/** Port: the attestation types of an org. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { AttestationType, TypeKey } from "./AttestationType.js"

/** Port: the attestation types of an org. */
export class AttestationTypeStore extends Context.Tag("@attestry/core/AttestationTypeStore")<
  AttestationTypeStore,
  {
    /** The type of that name, archived or not. */
    readonly find: (key: TypeKey) => Effect.Effect<Option.Option<AttestationType>, StoreError>
    /** The same, kept from other writers until the transaction ends. */
    readonly lock: (key: TypeKey) => Effect.Effect<Option.Option<AttestationType>, StoreError>
    /** Every type, archived or not, by name. */
    readonly list: (org: OrgId) => Effect.Effect<ReadonlyArray<AttestationType>, StoreError>
    /** Adds a type; `false`, and nothing done, when the name is taken. Waits for a concurrent writer. */
    readonly insert: (type: AttestationType) => Effect.Effect<boolean, StoreError>
    /** Replaces the type of that name. */
    readonly update: (type: AttestationType) => Effect.Effect<void, StoreError>
  }
>() {}
