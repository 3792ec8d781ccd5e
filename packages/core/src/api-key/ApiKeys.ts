/**
 * Issues API keys and tells who a key belongs to.
 *
 * A credential that was found valid is believed for at most a second, so that a request usually costs no
 * query and a revocation holds everywhere within that second (P-REVOKE).
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { Actor } from "../access/Actor.js"
import { ApiKeyId, type UserId } from "../shared/Identifier.js"
import { IdGenerator } from "../shared/IdGenerator.js"
import { Secrets } from "../shared/Secrets.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"
import { InvalidCredential, isValidAt } from "./ApiKey.js"
import * as ApiKeySecret from "./ApiKeySecret.js"
import { ApiKeyStore, type Credential } from "./ApiKeyStore.js"
import * as BelievedCredentials from "./BelievedCredentials.js"

/** What a new personal key is made of. */
export interface IssueKey {
  readonly user: UserId
  readonly description: string
  readonly now: Timestamp
  readonly expiresAt: Timestamp | null
}

/** A new key, with its text: this is the only time that anybody sees it. */
export interface IssuedKey {
  readonly id: ApiKeyId
  readonly key: Redacted.Redacted<string>
}

/** For how long a credential that was found valid is believed. */
export const BELIEVED_FOR = Duration.seconds(1)

/** Use cases: issuing keys, authenticating with them. */
export class ApiKeys extends Effect.Service<ApiKeys>()("@attestry/core/ApiKeys", {
  effect: Effect.gen(function* () {
    const store = yield* ApiKeyStore
    const secrets = yield* Secrets
    const ids = yield* IdGenerator

    const findCredential = BelievedCredentials.make(store.findCredential, BELIEVED_FOR)

    const secretText = (id: ApiKeyId): Effect.Effect<Redacted.Redacted<string>> =>
      Effect.flatMap(secrets.randomBytes(ApiKeySecret.RANDOM_BYTES), (bytes) =>
        Option.match(ApiKeySecret.make(id, bytes), {
          onNone: () => secretText(id),
          onSome: Effect.succeed
        })
      )

    /** Issues a personal key; its text is in the answer and nowhere else. */
    const issue = Effect.fn("ApiKeys.issue")(function* (request: IssueKey) {
      const id = ApiKeyId.make(yield* ids.next)
      const key = yield* secretText(id)
      yield* store.insert({
        id,
        user_id: request.user,
        description: request.description,
        digest: yield* secrets.digest(Redacted.value(key)),
        created_at: request.now,
        expires_at: request.expiresAt,
        revoked_at: null
      })
      return { id, key } satisfies IssuedKey
    })

    const verify = (text: string, { key, actor, now }: Credential) =>
      Effect.flatMap(secrets.digest(text), (digest) =>
        Effect.flatMap(
          secrets.equals(digest, key.digest),
          (matches): Effect.Effect<Actor, InvalidCredential> =>
            matches && isValidAt(key, now) ? Effect.succeed(actor) : new InvalidCredential()
        )
      )

    /** The actor whose key this text is; every way of being wrong is the same failure. */
    const authenticate = (
      redacted: Redacted.Redacted<string>
    ): Effect.Effect<Actor, InvalidCredential | StoreError> => {
      const text = Redacted.value(redacted)
      return Option.match(ApiKeySecret.parse(text), {
        onNone: () => new InvalidCredential(),
        onSome: (id) =>
          Effect.flatMap(
            findCredential(id),
            Option.match({
              onNone: (): Effect.Effect<Actor, InvalidCredential> => new InvalidCredential(),
              onSome: (credential) => verify(text, credential)
            })
          )
      })
    }

    return { issue, authenticate } as const
  })
}) {}
