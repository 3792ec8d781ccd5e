/**
 * Authenticates with API keys, and issues and revokes the keys of users.
 *
 * Credentials are cached for less than a second: most requests need no query, and a revocation acts in every
 * process within one second. A change by this process acts at once (P-REVOKE).
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { type Actor, CurrentActor } from "../access/Actor.js"
import { CredentialLife } from "../access/CredentialLife.js"
import { AccessEpoch } from "../access/internal/AccessEpoch.js"
import * as CredentialCache from "../access/internal/CredentialCache.js"
import type { WriteContext } from "../access/internal/WriteContext.js"
import { countsIn } from "../access/KeyScope.js"
import type { JournalActor } from "../journal/JournalEntry.js"
import { counting } from "../session/Session.js"
import { ApiKeyId, type OrgId, type UserId } from "../shared/Identifier.js"
import { Secrets } from "../shared/Secrets.js"
import type { StoreError } from "../shared/StoreError.js"
import * as Timestamp from "../shared/Timestamp.js"
import { Transaction } from "../shared/Transaction.js"
import * as CountedKey from "../sign-in/CountedKey.js"
import { Providers } from "../sign-in/Providers.js"
import { SignInStore } from "../sign-in/SignInStore.js"
import {
  type ApiKey,
  ApiKeyNotFound,
  type ApiKeyOwner,
  InvalidCredential,
  isValidAt
} from "./ApiKey.js"
import * as ApiKeySecret from "./ApiKeySecret.js"
import { type Credential, CredentialStore, type OwnedKey } from "./CredentialStore.js"
import * as KeyMinting from "./internal/KeyMinting.js"

/** The fields of a new personal key. */
export interface IssueKey {
  /** The org whose journal records it. */
  readonly org: OrgId
  readonly user: UserId
  readonly by: JournalActor
  readonly description: string
  /** How long the key is valid; `null` is for ever. */
  readonly lifetimeSeconds: number | null
  /** A key text that was generated before, such as at the first start; absent, or no key text, generates a new one. */
  readonly text?: Redacted.Redacted<string> | undefined
}

/** A key to revoke, of any owner. */
export interface RevokeKey extends OwnedKey {
  /** The org whose journal records it; null for a user without memberships. */
  readonly org: OrgId | null
  readonly by: JournalActor
}

interface FoundCredential extends Credential {
  /** The clock and the access epoch of this process before the query. */
  readonly readAtMillis: number
  readonly epoch: number
}

/** A digest that no text has: the comparison takes as long for an unknown key as for a known one. */
const NO_DIGEST = "-".repeat(64)

/** The actor with the scope and the kind of its key, and the memberships that the scope leaves. */
const narrowed = (actor: Actor, { scope, emergency }: ApiKey): Actor => ({
  ...actor,
  memberships: actor.memberships.filter(({ org }) => countsIn(scope, org)),
  ...(scope === undefined ? {} : { scope }),
  ...(emergency === undefined ? {} : { emergency })
})

const ownerOf = (user: UserId): ApiKeyOwner => ({ kind: "user", user_id: user })

/** The actor of a key with the memberships that count; a key of an account counts in its org. */
const makeCounted = Effect.gen(function* () {
  const signIns = yield* SignInStore
  const providers = yield* Providers
  return (actor: Actor, key: ApiKey) =>
    Effect.gen(function* () {
      if (actor.kind !== "user" || actor.memberships.length === 0) return actor
      const settings = yield* signIns.findSettings(actor.memberships.map(({ org_id }) => org_id))
      const found = CountedKey.partition(actor.memberships, key, { settings, providers })
      return found.uncounted.length === 0
        ? actor
        : { ...actor, memberships: found.counted, uncounted: found.uncounted }
    })
})

/** Use cases: authentication with keys, and personal keys. */
export class ApiKeys extends Effect.Service<ApiKeys>()("@attestry/core/ApiKeys", {
  effect: Effect.gen(function* () {
    const store = yield* CredentialStore
    const secrets = yield* Secrets
    const transaction = yield* Transaction
    const epoch = yield* AccessEpoch
    const { mint, record } = yield* KeyMinting.make

    const counted = yield* makeCounted

    const find = (id: ApiKeyId) =>
      Effect.gen(function* () {
        const query = {
          readAtMillis: yield* Clock.currentTimeMillis,
          epoch: epoch.current()
        }
        const credential = yield* store.findCredential(id)
        if (Option.isNone(credential)) return Option.none<FoundCredential>()
        const { actor, key } = credential.value
        return Option.some<FoundCredential>({
          ...credential.value,
          actor: yield* counted(narrowed(actor, key), key),
          ...query
        })
      })

    const findCredential = CredentialCache.make(find, {
      timeToLive: yield* CredentialLife,
      isCurrent: (found) => found.epoch === epoch.current()
    })

    /**
     * The actor of a credential that is valid now. The instant is the store's clock at the query plus the time
     * passed on the clock of this process.
     */
    const actorOf = (found: FoundCredential): Effect.Effect<Actor, InvalidCredential> =>
      Effect.clockWith((clock) => {
        const passed = Math.max(0, clock.unsafeCurrentTimeMillis() - found.readAtMillis)
        const now = Timestamp.plusSeconds(found.now, passed / 1000)
        return isValidAt(found.key, now)
          ? Effect.as(store.markKeyUsed(found.key.id, now), found.actor)
          : new InvalidCredential()
      })

    const matches = (text: string, found: Option.Option<FoundCredential>) =>
      Effect.flatMap(secrets.digest(text), (digest) =>
        secrets.equals(digest, Option.isSome(found) ? found.value.key.digest : NO_DIGEST)
      )

    /** The actor of a key text; every failure is the same error. */
    const authenticate = (
      text: Redacted.Redacted<string>
    ): Effect.Effect<Actor, InvalidCredential | StoreError> => {
      const id = ApiKeySecret.parse(Redacted.value(text))
      return Option.isNone(id)
        ? new InvalidCredential()
        : Effect.flatMap(findCredential(id.value), (found) =>
            Effect.flatMap(matches(Redacted.value(text), found), (same) =>
              same && Option.isSome(found) ? actorOf(found.value) : new InvalidCredential()
            )
          )
    }

    /** The actor of a key in a browser session, with the memberships in which the session counts. */
    const resume = (
      id: ApiKeyId,
      openedAt: Timestamp.Timestamp
    ): Effect.Effect<Actor, InvalidCredential | StoreError> =>
      Effect.flatMap(
        findCredential(id),
        Option.match({
          onNone: () => new InvalidCredential(),
          onSome: (found) =>
            Effect.map(actorOf(found), (actor) => ({
              ...actor,
              memberships: counting(actor.memberships, found.sessionsAfter, openedAt)
            }))
        })
      )

    /**
     * The caller with the key of its credential, also where the credential is a browser session of a key; `null` for a
     * person who signed in with a provider.
     */
    const whoami = Effect.fn("ApiKeys.whoami")(function* () {
      const actor = yield* CurrentActor
      if (actor.signed_in !== undefined) return { actor, key: null }
      const found = yield* store.findCredential(ApiKeyId.make(actor.key_id))
      if (Option.isNone(found)) return yield* new InvalidCredential()
      return { actor, key: found.value.key }
    })

    const write = <A, E, R>(
      { org, by }: { readonly org: OrgId; readonly by: JournalActor },
      work: (writer: WriteContext) => Effect.Effect<A, E, R>
    ) =>
      transaction
        .run(org, (scope) => Effect.flatMap(scope.now, (now) => work({ org, actor: by, at: now })))
        .pipe(Effect.zipLeft(epoch.advance))

    /** Issues a personal key. Its text is in the result and is not stored. */
    const issue = Effect.fn("ApiKeys.issue")((request: IssueKey) =>
      write(request, (writer) =>
        Effect.gen(function* () {
          const { description, lifetimeSeconds, text } = request
          const expiresAt =
            lifetimeSeconds === null ? null : Timestamp.plusSeconds(writer.at, lifetimeSeconds)
          const owner = ownerOf(request.user)
          const issued = yield* mint({ owner, description, expiresAt, text }, writer.at)
          yield* record(writer, "api_key_issued", issued.key)
          return { id: issued.key.id, key: issued.text, expiresAt }
        })
      )
    )

    /** The personal keys of a user that are valid now, oldest first. */
    const listPersonal = Effect.fn("ApiKeys.listPersonal")((org: OrgId, user: UserId) =>
      transaction.run(org, (scope) =>
        Effect.flatMap(scope.now, (now) => store.listKeys(org, ownerOf(user), now))
      )
    )

    /** The owner of a key, valid or not; none when there is no such key. */
    const findOwner = Effect.fn("ApiKeys.findOwner")((id: ApiKeyId) =>
      Effect.map(
        store.findCredential(id),
        Option.map(({ key }) => key.owner)
      )
    )

    const endAt = (owned: OwnedKey, at: Timestamp.Timestamp) =>
      Effect.gen(function* () {
        const found = yield* store.findKey(owned, { lock: true })
        if (Option.isNone(found) || !isValidAt(found.value, at)) {
          return yield* new ApiKeyNotFound({ id: owned.id })
        }
        const revoked = { ...found.value, revoked_at: at }
        yield* store.updateKey(revoked)
        return revoked
      })

    const endUnrecorded = (owned: OwnedKey) =>
      Effect.flatMap(
        store.findCredential(owned.id),
        Option.match({
          onNone: () => new ApiKeyNotFound({ id: owned.id }),
          onSome: ({ now }) => Effect.zipLeft(endAt(owned, now), epoch.advance)
        })
      )

    /** Revokes a key; fails with `ApiKeyNotFound` when it is revoked or expired. */
    const revoke = Effect.fn("ApiKeys.revoke")(({ owner, id, org, by }: RevokeKey) =>
      org === null
        ? endUnrecorded({ owner, id })
        : write({ org, by }, (writer) =>
            Effect.tap(endAt({ owner, id }, writer.at), (revoked) =>
              record(writer, "api_key_revoked", revoked)
            )
          )
    )

    return { issue, authenticate, resume, whoami, listPersonal, findOwner, revoke } as const
  })
}) {}
