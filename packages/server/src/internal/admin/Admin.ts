/** Administration as functions that return promises, for hosts. */
import type { BaseRole } from "@attestry/core/Role"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { AdminCommand } from "./AdminCommand.js"
import * as AdminCommands from "./AdminCommands.js"

/** A member to add. */
export interface NewUser {
  readonly org: string
  readonly login: string
  readonly role: BaseRole
  readonly email?: string
  readonly displayName?: string
}

/** A key to issue. */
export interface NewKey {
  readonly user: string
  readonly description?: string
  /** A duration such as `90d` or `12h`; never by default. */
  readonly expiresIn?: string
}

/** Orgs, users and keys, for which the API has no operation. Each call rejects with the reason. */
export interface Admin {
  readonly createOrg: (name: string) => Promise<void>
  readonly addUser: (user: NewUser) => Promise<void>
  /** Issues a personal key; its text is returned once. */
  readonly issueKey: (key: NewKey) => Promise<{ readonly id: string; readonly key: string }>
  readonly revokeKey: (id: string) => Promise<void>
}

/** Runs an effect with the services of a host. */
export type Run = <A, E>(effect: Effect.Effect<A, E, AdminCommands.AdminServices>) => Promise<A>

const decode = Schema.decodeUnknownEither(AdminCommand, { onExcessProperty: "error" })

const IssuedKey = Schema.Struct({ id: Schema.String, key: Schema.String })

/** The functions of a host. */
export const make = (run: Run): Admin => {
  const command = (fields: {
    readonly _tag: AdminCommand["_tag"]
    readonly [name: string]: unknown
  }) => {
    const present = Object.fromEntries(
      Object.entries(fields).filter(([, value]) => value !== undefined)
    )
    return run(Effect.flatMap(decode(present), AdminCommands.run))
  }
  const done = () => undefined
  return {
    createOrg: (name) => command({ _tag: "org create", name }).then(done),
    addUser: ({ displayName, ...user }) =>
      command({ _tag: "user add", ...user, "display-name": displayName }).then(done),
    issueKey: async ({ expiresIn, ...key }) =>
      Either.getOrThrow(
        Schema.decodeUnknownEither(IssuedKey)(
          await command({ _tag: "key issue", ...key, "expires-in": expiresIn })
        )
      ),
    revokeKey: (id) => command({ _tag: "key revoke", id }).then(done)
  }
}
