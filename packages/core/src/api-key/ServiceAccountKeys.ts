/** Creates, shows, revokes and rotates the keys of service accounts. SPEC §4.10, §3.3 */

import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { CurrentActor } from "../access/Actor.js"
import * as Gifts from "../access/Gifts.js"
import { AccessEpoch } from "../access/internal/AccessEpoch.js"
import * as WriteContext from "../access/internal/WriteContext.js"
import * as KeyScope from "../access/KeyScope.js"
import type { GrantedWithin } from "../access/Reaches.js"
import { HeldChanges } from "../protection/internal/HeldChanges.js"
import type { ProtectionKind } from "../protection/Protection.js"
import type { ServiceAccount } from "../service-account/ServiceAccount.js"
import { ServiceAccounts } from "../service-account/ServiceAccounts.js"
import * as CurrentOutcome from "../shared/CurrentOutcome.js"
import type { ApiKeyId, OrgId, OrgName, ServiceAccountName } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"
import { Transaction } from "../shared/Transaction.js"
import * as ApiKey from "./ApiKey.js"
import { CredentialStore } from "./CredentialStore.js"
import * as KeyMinting from "./internal/KeyMinting.js"
import * as ScopePlaces from "./internal/ScopePlaces.js"

/** An account, by the names in a path. */
export interface AccountPath {
  readonly org: OrgName
  readonly name: ServiceAccountName
}

/** A key of an account, by the names in a path. */
export interface AccountKeyPath extends AccountPath {
  readonly id: ApiKeyId
}

/** A key to create. */
export interface CreateKey {
  readonly description: string
  /** `null` is never. */
  readonly expiresAt: Timestamp | null
  /** Absent leaves all that the account has. */
  readonly scope?: KeyScope.KeyScope | undefined
}

/** The options of a rotation. */
export interface RotateKey {
  readonly graceHours: number
  /** When the new key expires; `null` is never. */
  readonly expiresAt: Timestamp | null
}

/** The result of a rotation: the new key, and when the old one ends. */
export interface RotatedKey extends KeyMinting.IssuedKey {
  readonly graceEndsAt: Timestamp
}

/** A rotation in progress: the old key, and the new one to remove after a failure. */
interface Rotation {
  readonly old: ApiKey.ApiKey
  readonly writer: WriteContext.WriteContext
  made: ApiKey.ApiKey | undefined
}

const ownerOf = (account: ServiceAccount): ApiKey.ApiKeyOwner => ({
  kind: "service-account",
  org_id: account.org_id,
  service_account_id: account.id
})

type HeldKinds = ReadonlyArray<ProtectionKind>

/** The kinds of changes that a new key is: one that never ends is more than one that does; some provision people. */
const kindsOf = ({ expires_at, scope }: ApiKey.ApiKey): HeldKinds => [
  ...(expires_at === null ? (["access"] as const) : []),
  ...(KeyScope.isNamed(scope, "scim.write") ? (["sign-in"] as const) : [])
]

type AccountWork<A, E, R> = (
  account: ServiceAccount,
  writer: WriteContext.WriteContext,
  granted: GrantedWithin
) => Effect.Effect<A, E, R>

/** Fails if a key may not be made without other people. */
const checkedBy =
  (held: HeldChanges) =>
  (
    writer: WriteContext.WriteContext,
    { description, expires_at, scope }: ApiKey.ApiKey,
    { account, kinds }: { readonly account: ServiceAccount; readonly kinds: HeldKinds }
  ) =>
    kinds.length === 0
      ? Effect.void
      : held.check(writer, {
          kinds,
          subject: { type: "service_account", name: account.name },
          at: { kind: "service-account", id: account.id },
          before: null,
          after: { description, expires_at, ...(scope === undefined ? {} : { scope }) }
        })

/** Use cases of the keys of service accounts. */
export class ServiceAccountKeys extends Effect.Service<ServiceAccountKeys>()(
  "@attestry/core/ServiceAccountKeys",
  {
    effect: Effect.gen(function* () {
      const store = yield* CredentialStore
      const accounts = yield* ServiceAccounts
      const transaction = yield* Transaction
      const epoch = yield* AccessEpoch
      const checkHeld = checkedBy(yield* HeldChanges)
      const { mint, record, recordChange } = yield* KeyMinting.make
      const { named, resolve } = yield* ScopePlaces.make

      /** Runs the work in a transaction of the account's org, on an account that the caller may manage. */
      const onAccount = <A, E, R>(
        { org, name }: AccountPath,
        purpose: "look" | "empower",
        work: AccountWork<A, E, R>
      ) =>
        Effect.gen(function* () {
          const granted = yield* accounts.manage(org)
          return yield* transaction.run(granted.orgId, (scope) =>
            Effect.flatMap(scope.now, (now) =>
              Effect.flatMap(
                purpose === "look"
                  ? accounts.reach(granted, name)
                  : accounts.empower(granted, name, now),
                (account) => work(account, WriteContext.make(granted, now), granted)
              )
            )
          )
        })

      const locked = (account: ServiceAccount, id: ApiKeyId, at: Timestamp) =>
        Effect.flatMap(store.findKey({ owner: ownerOf(account), id }, { lock: true }), (found) =>
          Option.isSome(found) && ApiKey.isValidAt(found.value, at)
            ? Effect.succeed(found.value)
            : new ApiKey.ApiKeyNotFound({ id })
        )

      /** A key with the names of the places of its scope. */
      const shown = (org: OrgId, key: ApiKey.ApiKey) =>
        Effect.map(named(org, [key]), ([found]) => found ?? key)

      /** Refuses a key with more than that of the caller. */
      const checkScope = (scope: KeyScope.KeyScope | undefined, org: OrgName) =>
        Effect.flatMap(CurrentActor, (actor) => Gifts.checkScope(actor, scope, org))

      /** Creates a key of an account. Its text is in the result and is not stored. */
      const create = Effect.fn("ServiceAccountKeys.create")(
        (path: AccountPath, { scope: given, ...draft }: CreateKey) =>
          onAccount(path, "empower", (account, writer, granted) =>
            Effect.gen(function* () {
              const asked = { scope: yield* KeyScope.read(given), at: "scope" }
              const scope = yield* resolve(granted, asked, { now: writer.at, owner: account })
              yield* checkScope(scope, path.org)
              const made = yield* mint({ ...draft, owner: ownerOf(account), scope }, writer.at)
              yield* checkHeld(writer, made.key, { account, kinds: kindsOf(made.key) })
              yield* record(writer, "api_key_created", made.key)
              return { ...made, key: yield* shown(writer.org, made.key) }
            })
          )
      )

      /** The keys of an account that are valid now, oldest first; keys in their grace period are valid. */
      const list = Effect.fn("ServiceAccountKeys.list")((path: AccountPath) =>
        onAccount(path, "look", (account, { at }) =>
          Effect.flatMap(store.listKeys(account.org_id, ownerOf(account), at), (keys) =>
            named(account.org_id, keys)
          )
        )
      )

      /** One key of an account; fails when it is revoked or expired. */
      const get = Effect.fn("ServiceAccountKeys.get")(({ id, ...path }: AccountKeyPath) =>
        onAccount(path, "look", (account, { at }) =>
          Effect.gen(function* () {
            const found = yield* store.findKey({ owner: ownerOf(account), id })
            return Option.isSome(found) && ApiKey.isValidAt(found.value, at)
              ? yield* shown(account.org_id, found.value)
              : yield* new ApiKey.ApiKeyNotFound({ id })
          })
        )
      )

      /** Revokes a key at once, also in its grace period; fails the second time (law KEY-4). */
      const revoke = Effect.fn("ServiceAccountKeys.revoke")(({ id, ...path }: AccountKeyPath) =>
        onAccount(path, "look", (account, writer) =>
          Effect.gen(function* () {
            const revoked = { ...(yield* locked(account, id, writer.at)), revoked_at: writer.at }
            yield* store.updateKey(revoked)
            yield* record(writer, "api_key_revoked", revoked)
            yield* CurrentOutcome.setOutcome({ type: "api-key", id, name: null, result: "deleted" })
          })
        ).pipe(Effect.zipLeft(epoch.advance))
      )

      const replace = (begun: Rotation, account: ServiceAccount, request: RotateKey) =>
        Effect.gen(function* () {
          const { old, writer } = begun
          const { owner, description, scope } = old
          const { graceHours, expiresAt } = request
          const graceEndsAt = ApiKey.graceEnd(old, { at: writer.at, graceHours })
          const minted = yield* mint({ owner, description, expiresAt, scope }, writer.at)
          // The new key has what the old one had; no end is more than an end.
          if (old.expires_at !== null && minted.key.expires_at === null)
            yield* checkHeld(writer, minted.key, { account, kinds: ["access"] })
          begun.made = minted.key
          const graced = { ...old, grace_period_expires_at: graceEndsAt }
          yield* store.updateKey(graced)
          yield* record(writer, "api_key_rotated", graced)
          yield* record(writer, "api_key_created", minted.key)
          const key = yield* shown(writer.org, minted.key)
          return { ...minted, key, graceEndsAt } satisfies RotatedKey
        })

      /**
       * Undoes a rotation whose result was lost; `false` when that is not possible now.
       *
       * WHY: the store may have committed although it reported a failure. The new key was never returned, so it
       * is removed, and the old key gets its previous end (law KEY-2). The entry names both, so that the journal says
       * what is stored.
       */
      const undo = ({ old, made, writer }: Rotation) =>
        transaction
          .run(writer.org, (scope) =>
            Effect.flatMap(scope.now, (now) =>
              Effect.gen(function* () {
                const left =
                  made === undefined ? Option.none() : yield* store.findKey(made, { lock: true })
                const current = yield* store.findKey(old, { lock: true })
                if (Option.isNone(left) || Option.isNone(current)) return
                yield* store.removeKey(left.value)
                const restored = { ...current.value, grace_period_expires_at: null }
                yield* store.updateKey(restored)
                const removed = { removed_key_id: left.value.id }
                yield* recordChange(
                  { ...writer, at: now },
                  { kind: "api_key_rotation_undone", key: restored, members: removed }
                )
              })
            )
          )
          .pipe(
            Effect.as(true),
            Effect.catchTag("StoreError", () => Effect.succeed(false))
          )

      /**
       * Replaces a key: the new one is valid at once and has the same scope, the old one is valid until the end of its
       * grace period (law KEY-3).
       * After a failure only the old key exists.
       */
      const rotate = Effect.fn("ServiceAccountKeys.rotate")(
        ({ id, ...path }: AccountKeyPath, request: RotateKey) => {
          let begun: Rotation | undefined
          return onAccount(path, "empower", (account, writer) =>
            Effect.gen(function* () {
              const old = yield* locked(account, id, writer.at)
              if (old.grace_period_expires_at !== null) {
                return yield* new ApiKey.ApiKeyInGrace({ id })
              }
              yield* checkScope(old.scope, path.org)
              begun = { old, writer, made: undefined }
              return yield* replace(begun, account, request)
            })
          ).pipe(
            Effect.zipLeft(epoch.advance),
            Effect.catchTag(
              "StoreError",
              (error): Effect.Effect<never, StoreError | ApiKey.RotationFailed> =>
                begun === undefined
                  ? error
                  : Effect.flatMap(
                      undo(begun),
                      (cleanedUp) => new ApiKey.RotationFailed({ id, cleanedUp, cause: error })
                    )
            )
          )
        }
      )

      return { create, list, get, revoke, rotate } as const
    })
  }
) {}
