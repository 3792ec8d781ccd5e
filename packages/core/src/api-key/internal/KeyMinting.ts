/** Makes new keys, and records what happens to keys: the parts that all use cases of keys share. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { WriteContext } from "../../access/internal/WriteContext.js"
import { Journals } from "../../journal/Journals.js"
import { ApiKeyId } from "../../shared/Identifier.js"
import { IdGenerator } from "../../shared/IdGenerator.js"
import { Secrets } from "../../shared/Secrets.js"
import type { Timestamp } from "../../shared/Timestamp.js"
import { type ApiKey, type ApiKeyOwner, ExpiryInThePast } from "../ApiKey.js"
import * as ApiKeySecret from "../ApiKeySecret.js"
import { ApiKeyStore } from "../ApiKeyStore.js"

/** What a new key is made of. */
export interface KeyDraft {
  readonly owner: ApiKeyOwner
  readonly description: string
  /** `null` is never. */
  readonly expiresAt: Timestamp | null
  /** The text of the key where it was made before; a new one is made without. */
  readonly text?: Redacted.Redacted<string> | undefined
}

/** A new key, with its text: this is the only time that anybody sees it. */
export interface IssuedKey {
  readonly key: ApiKey
  readonly text: Redacted.Redacted<string>
}

/** What the journal keeps of a key: everything but its digest, and when it was used. */
const contentOf = ({ digest: _digest, last_used_at: _used, ...content }: ApiKey) => content

/** Making keys and recording what happens to them. */
export const make = Effect.gen(function* () {
  const store = yield* ApiKeyStore
  const secrets = yield* Secrets
  const ids = yield* IdGenerator
  const journals = yield* Journals

  const secretText = (
    id: ApiKeyId,
    kind: ApiKeyOwner["kind"]
  ): Effect.Effect<Redacted.Redacted<string>> =>
    Effect.flatMap(secrets.randomBytes(ApiKeySecret.RANDOM_BYTES), (bytes) =>
      Option.match(ApiKeySecret.make({ id, kind }, bytes), {
        onNone: () => secretText(id, kind),
        onSome: Effect.succeed
      })
    )

  /** Records one change of a key. */
  const record = (writer: WriteContext, kind: string, key: ApiKey) =>
    journals.record({
      ...writer,
      kind,
      subject: { type: "api_key", id: key.id },
      content: contentOf(key)
    })

  const textOf = ({ owner, text }: KeyDraft) =>
    Effect.gen(function* () {
      const given = text === undefined ? undefined : ApiKeySecret.parse(Redacted.value(text))
      if (text !== undefined && given?._tag === "Some") return { id: given.value, text }
      const id = ApiKeyId.make(yield* ids.next)
      return { id, text: yield* secretText(id, owner.kind) }
    })

  /** Stores a new key, inside the caller's transaction; its text is in the answer and nowhere else. */
  const mint = (draft: KeyDraft, at: Timestamp) =>
    Effect.gen(function* () {
      const { owner, description, expiresAt } = draft
      if (expiresAt !== null && expiresAt <= at) {
        return yield* new ExpiryInThePast({ expires_at: expiresAt })
      }
      const { id, text } = yield* textOf(draft)
      const key: ApiKey = {
        id,
        owner,
        description,
        digest: yield* secrets.digest(Redacted.value(text)),
        created_at: at,
        expires_at: expiresAt,
        revoked_at: null,
        grace_period_expires_at: null,
        last_used_at: null
      }
      yield* store.insert(key)
      return { key, text } satisfies IssuedKey
    })

  return { mint, record } as const
})
