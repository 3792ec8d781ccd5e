/** The people whom the host of an embedded Attestry signs in, as the host says who they are. */
import * as Core from "@attestry/core/HostActor"
import type { BaseRole } from "@attestry/core/Role"
import * as Timestamp from "@attestry/core/Timestamp"
import type { FindActor } from "@attestry/http/HostSignIn"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** A request as the host sees it. */
export interface HostRequest {
  readonly method: string
  /** The path with its query. */
  readonly url: string
  /** The value of a header, by its name in lower case; several are joined by a comma. */
  readonly headers: (name: string) => string | undefined
  readonly remoteAddress: string
}

/** A person whom the host has signed in. */
export interface HostActor {
  /** By which the host knows the person for ever: 1 to 255 printable ASCII characters. */
  readonly subject: string
  readonly name: string
  readonly email?: string
  /** When the host asked the person; absent where a recent sign-in cannot be shown. */
  readonly authTime?: Date
  /** The orgs of the person, with the base role in each; absent leaves the memberships that are stored. */
  readonly orgs?: ReadonlyArray<{ readonly org: string; readonly role: BaseRole }>
}

/** Who has sent a request; null for a person whom the host does not know. */
export type HostSignIn = (request: HostRequest) => Promise<HostActor | null>

const decode = Schema.decodeUnknown(Core.HostActor)

const printed = ({ subject, name, email, authTime, orgs }: HostActor) => ({
  subject,
  name,
  email: email ?? null,
  authTime: authTime === undefined ? null : Timestamp.fromMillis(authTime.getTime()),
  orgs: orgs ?? null
})

/** The sign-in of a host for the edge. An answer that is no person fails like a throw. */
export const toEdge =
  (signIn: HostSignIn): FindActor =>
  ({ method, url, headers, remoteAddress }) =>
    Effect.tryPromise(() =>
      signIn({
        method,
        url,
        remoteAddress,
        headers: (name) => {
          const values = headers(name.toLowerCase())
          return values.length === 0 ? undefined : values.join(", ")
        }
      })
    ).pipe(
      Effect.flatMap((person) =>
        person === null ? Effect.succeedNone : Effect.asSome(decode(printed(person)))
      ),
      Effect.tapError((cause) => Effect.logError("the sign-in of the host failed", cause))
    )
