/** Port: browser sessions. They are global, as the credentials are that they stand for. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { SessionId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Session } from "./Session.js"

/** A session before the store's clock has said when it begins. */
export interface SessionDraft extends Pick<Session, "id" | "key_id" | "digest"> {
  readonly lifetimeSeconds: number
}

/** Port: browser sessions. */
export class SessionStore extends Context.Tag("@attestry/core/SessionStore")<
  SessionStore,
  {
    /** Adds a session that begins now, and forgets those that have ended. */
    readonly insert: (draft: SessionDraft) => Effect.Effect<Session, StoreError>
    /** The session of that id, unless it has ended. */
    readonly find: (id: SessionId) => Effect.Effect<Option.Option<Session>, StoreError>
    /** Ends a session; one that has ended stays so. */
    readonly remove: (id: SessionId) => Effect.Effect<void, StoreError>
  }
>() {}
