/**
 * Opens, resumes and ends browser sessions.
 *
 * Sessions are not journalled. Each use reads the key, so that revoking it also ends its sessions. An org can end the
 * sessions of a member for itself; they then have no membership in it.
 */

import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { Actor } from "../access/Actor.js"
import { InvalidCredential } from "../api-key/ApiKey.js"
import { ApiKeys } from "../api-key/ApiKeys.js"
import { CredentialStore } from "../api-key/CredentialStore.js"
import * as CurrentOutcome from "../shared/CurrentOutcome.js"
import { SessionId } from "../shared/Identifier.js"
import { IdGenerator } from "../shared/IdGenerator.js"
import { Secrets } from "../shared/Secrets.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"
import * as Session from "./Session.js"

/** A new session; its text belongs in the cookie only. */
export interface OpenedSession {
  readonly text: Redacted.Redacted<string>
  readonly csrfToken: Redacted.Redacted<string>
}

/** The actor of a session's cookie, and the CSRF token of its writes. */
export interface ResumedSession {
  readonly actor: Actor
  readonly csrfToken: Redacted.Redacted<string>
  /** When the session ends at the latest; its key may end before. */
  readonly expiresAt: Timestamp
}

/** Use cases of browser sessions. */
export class Sessions extends Effect.Service<Sessions>()("@attestry/core/Sessions", {
  effect: Effect.gen(function* () {
    const store = yield* CredentialStore
    const keys = yield* ApiKeys
    const secrets = yield* Secrets
    const ids = yield* IdGenerator

    const csrfOf = (text: Redacted.Redacted<string>) =>
      Effect.map(secrets.digest(Session.csrfSource(text)), Redacted.make)

    /** Opens a session for an authenticated actor. */
    const open = Effect.fn("Sessions.open")(function* (actor: Actor) {
      const id = SessionId.make(yield* ids.next)
      const text = Session.print(id, yield* secrets.randomBytes(Session.SECRET_BYTES))
      yield* store.insertSession({
        id,
        key_id: actor.key_id,
        digest: yield* secrets.digest(Redacted.value(text)),
        lifetimeSeconds: Session.LIFETIME_SECONDS
      })
      return { text, csrfToken: yield* csrfOf(text) } satisfies OpenedSession
    })

    const find = (text: Redacted.Redacted<string>) =>
      Effect.gen(function* () {
        const id = Session.parse(Redacted.value(text))
        const session = Option.isNone(id) ? Option.none() : yield* store.findSession(id.value)
        if (Option.isNone(session)) return yield* new InvalidCredential()
        const digest = yield* secrets.digest(Redacted.value(text))
        return (yield* secrets.equals(digest, session.value.digest))
          ? session.value
          : yield* new InvalidCredential()
      })

    /** The actor of a cookie, as long as session and key are valid. */
    const resume = (
      text: Redacted.Redacted<string>
    ): Effect.Effect<ResumedSession, InvalidCredential | StoreError> =>
      Effect.gen(function* () {
        const session = yield* find(text)
        const actor = yield* keys.resume(session.key_id, session.created_at)
        return { actor, csrfToken: yield* csrfOf(text), expiresAt: session.expires_at }
      })

    /** Whether a token is the CSRF token of a session. */
    const isToken = (session: ResumedSession, token: string): Effect.Effect<boolean> =>
      secrets.equals(token, Redacted.value(session.csrfToken))

    /** Ends the session of a cookie; does nothing for a text that is none. */
    const close = Effect.fn("Sessions.close")(function* (text: Redacted.Redacted<string>) {
      yield* find(text).pipe(
        Effect.flatMap(({ id }) =>
          Effect.zipRight(
            store.removeSession(id),
            CurrentOutcome.setOutcome({ type: "session", id, name: null, result: "deleted" })
          )
        ),
        Effect.catchTag("InvalidCredential", () => Effect.void)
      )
    })

    return { open, resume, isToken, close } as const
  })
}) {}
