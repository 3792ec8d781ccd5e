/** Generates keys and journals their changes, for all use cases of keys. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { WriteContext } from "../../access/internal/WriteContext.js"
import type { KeyScope } from "../../access/KeyScope.js"
import { Journals } from "../../journal/Journals.js"
import { ApiKeyId } from "../../shared/Identifier.js"
import { IdGenerator } from "../../shared/IdGenerator.js"
import { Secrets } from "../../shared/Secrets.js"
import type { Timestamp } from "../../shared/Timestamp.js"
import { type ApiKey, type ApiKeyOwner, ExpiryNotInFuture } from "../ApiKey.js"
import * as ApiKeySecret from "../ApiKeySecret.js"
import { CredentialStore } from "../CredentialStore.js"

/** A change of a key, and members of its entry beside those of the key. */
interface KeyChange {
  readonly kind: string
  readonly key: ApiKey
  readonly members: { readonly [member: string]: string }
}

/** The fields of a new key. */
export interface KeyDraft {
  readonly owner: ApiKeyOwner
  readonly description: string
  /** `null` is never. */
  readonly expiresAt: Timestamp | null
  /** A key text that was generated before; absent generates a new one. */
  readonly text?: Redacted.Redacted<string> | undefined
  /** Whether an id token is exchanged for it. */
  readonly isExchanged?: boolean
  /** Absent leaves all that the owner has. */
  readonly scope?: KeyScope | undefined
  /** Whether it is a key of an admin for emergencies. */
  readonly isEmergency?: boolean
}

/** A new key with its text, which exists nowhere else. */
export interface IssuedKey {
  readonly key: ApiKey
  readonly text: Redacted.Redacted<string>
}

/**
 * The journalled fields of a key: all but its digest and its last use. Its check, which is shown to no caller, fixes
 * the digest without telling it.
 */
const contentOf = ({ digest, last_used_at: _used, ...content }: ApiKey) => ({
  ...content,
  details: { check: ApiKeySecret.checkOf(digest) }
})

/** Generates keys and journals their changes. */
export const make = Effect.gen(function* () {
  const store = yield* CredentialStore
  const secrets = yield* Secrets
  const ids = yield* IdGenerator
  const journals = yield* Journals

  const secretText = (name: ApiKeySecret.KeyName): Effect.Effect<Redacted.Redacted<string>> =>
    Effect.flatMap(secrets.randomBytes(ApiKeySecret.RANDOM_BYTES), (bytes) =>
      Option.match(ApiKeySecret.make(name, bytes), {
        onNone: () => secretText(name),
        onSome: Effect.succeed
      })
    )

  /** Journals one change of a key, with more members of its entry. */
  const recordChange = (writer: WriteContext, { kind, key, members }: KeyChange) =>
    journals.record({
      ...writer,
      kind,
      subject: { type: "api_key", id: key.id },
      content: { ...contentOf(key), ...members }
    })

  /** Journals one change of a key. */
  const record = (writer: WriteContext, kind: string, key: ApiKey) =>
    recordChange(writer, { kind, key, members: {} })

  const textOf = ({ owner, text, isExchanged = false }: KeyDraft) =>
    Effect.gen(function* () {
      const given = text === undefined ? undefined : ApiKeySecret.parse(Redacted.value(text))
      if (text !== undefined && given?._tag === "Some") return { id: given.value, text }
      const id = ApiKeyId.make(yield* ids.next)
      return { id, text: yield* secretText({ id, kind: owner.kind, isExchanged }) }
    })

  /** Stores a new key inside the caller's transaction. Its text is in the result and is not stored. */
  const mint = (draft: KeyDraft, at: Timestamp) =>
    Effect.gen(function* () {
      const { owner, description, expiresAt, scope } = draft
      if (expiresAt !== null && expiresAt <= at) {
        return yield* new ExpiryNotInFuture({ expires_at: expiresAt })
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
        last_used_at: null,
        ...(scope === undefined ? {} : { scope }),
        ...(draft.isEmergency === true ? { emergency: true } : {})
      }
      yield* store.insertKey(key)
      return { key, text } satisfies IssuedKey
    })

  return { mint, record, recordChange } as const
})
