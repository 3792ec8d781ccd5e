/** Port: browser sessions. They are global, as API keys are. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { SessionId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Session } from "./Session.js"

/** A session before the store sets its beginning. */
export interface SessionDraft extends Pick<Session, "id" | "key_id" | "digest"> {
  readonly lifetimeSeconds: number
}

/** Port: browser sessions. */
export class SessionStore extends Context.Tag("@attestry/core/SessionStore")<
  SessionStore,
  {
    /** Adds a session that begins now, and returns it; deletes expired sessions. */
    readonly insertSession: (draft: SessionDraft) => Effect.Effect<Session, StoreError>
    /** The session of that id; none when there is none or it has expired. */
    readonly findSession: (id: SessionId) => Effect.Effect<Option.Option<Session>, StoreError>
    /** Removes a session; does nothing when there is none. */
    readonly removeSession: (id: SessionId) => Effect.Effect<void, StoreError>
  }
>() {}
