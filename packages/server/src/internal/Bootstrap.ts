/**
 * Creates an org, an administrator and an API key on an empty store, in one transaction.
 *
 * Of two servers that start together on one empty store, one creates the org and knows the key.
 */
import { ApiKeys } from "@attestry/core/ApiKeys"
import { Login, OrgId, OrgName } from "@attestry/core/Identifier"
import { IdGenerator } from "@attestry/core/IdGenerator"
import type { JournalActor } from "@attestry/core/JournalEntry"
import { Memberships } from "@attestry/core/Memberships"
import { Orgs } from "@attestry/core/Orgs"
import { Secrets } from "@attestry/core/Secrets"
import { Transaction } from "@attestry/core/Transaction"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as BootstrapKeyFile from "./BootstrapKeyFile.js"

/** The result of the first start; the key is shown once. */
export interface FirstStart {
  readonly org: OrgName
  readonly user: Login
  readonly key: Redacted.Redacted<string>
  /** The file that holds the key, if one is configured; then the key is not shown. */
  readonly keyFile: string | undefined
}

/** The configured names; missing ones are generated. */
export interface BootstrapOptions {
  readonly org: OrgName | undefined
  readonly user: Login | undefined
  readonly keyFile: string | undefined
}

const system: JournalActor = { kind: "system", id: "bootstrap", name: "attestry-server" }

const generated = (prefix: string) =>
  Effect.map(
    Effect.flatMap(Secrets, ({ randomBytes }) => randomBytes(3)),
    (bytes) =>
      `${prefix}-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`
  )

/** The key in the configured file, if the file exists. */
const givenKey = (file: string | undefined) =>
  file === undefined ? Effect.succeed(Option.none()) : BootstrapKeyFile.read(file)

/** Creates the first org; none when an org exists. */
export const run = (options: BootstrapOptions) =>
  Effect.gen(function* () {
    if ((yield* (yield* Orgs).list).length > 0) return Option.none<FirstStart>()
    const { keyFile } = options
    const given = yield* givenKey(keyFile)
    const orgs = yield* Orgs
    const memberships = yield* Memberships
    const keys = yield* ApiKeys
    const transaction = yield* Transaction
    const id = OrgId.make(yield* (yield* IdGenerator).next)
    const name = options.org ?? OrgName.make(yield* generated("org"))
    const user = options.user ?? Login.make(yield* generated("admin"))

    return yield* transaction.run(id, (scope) =>
      Effect.gen(function* () {
        const now = yield* scope.now
        const org = yield* orgs.createFirst({ id, name, created_at: now }, system)
        if (Option.isNone(org)) return Option.none<FirstStart>()
        const member = yield* memberships.add({
          org: org.value,
          login: user,
          role: "admin",
          displayName: null,
          email: null,
          by: system,
          source: "script"
        })
        const { key } = yield* keys.issue({
          org: id,
          user: member.id,
          by: system,
          description: "made at the first start",
          lifetimeSeconds: null,
          text: Option.getOrUndefined(given)
        })
        // WHY in the transaction: a key that cannot be written must not exist.
        if (keyFile !== undefined && Option.isNone(given)) {
          yield* BootstrapKeyFile.write(keyFile, key)
        }
        return Option.some<FirstStart>({ org: org.value.name, user, key, keyFile })
      })
    )
  })
