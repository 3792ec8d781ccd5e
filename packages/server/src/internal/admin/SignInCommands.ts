/** Runs administration commands about sign-in: identities of users, settings of orgs, and the reach of providers. */
import { PutSignInSettings } from "@attestry/api/SignInApi"
import * as FieldErrors from "@attestry/core/FieldErrors"
import type { Login } from "@attestry/core/Identifier"
import { Identities } from "@attestry/core/Identities"
import {
  type IdentityNotFound,
  type IdentityTaken,
  ProviderNotFound
} from "@attestry/core/Identity"
import type { JournalActor } from "@attestry/core/JournalEntry"
import { UserNotFound } from "@attestry/core/Membership"
import { Memberships } from "@attestry/core/Memberships"
import { type OrgNotFound, Orgs } from "@attestry/core/Orgs"
import type { ChangeHeld } from "@attestry/core/Protection"
import { find } from "@attestry/core/Provider"
import { ProviderConnections } from "@attestry/core/ProviderConnections"
import { Providers } from "@attestry/core/Providers"
import { SignInRules } from "@attestry/core/SignInRules"
import { fromInput } from "@attestry/core/SignInSettings"
import type { StoreError } from "@attestry/core/StoreError"
import * as YamlText from "@attestry/core/YamlText"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import type { AdminCommand } from "./AdminCommand.js"

/** A file of settings cannot be used; each problem names its place. */
export class SettingsFileFailed extends Schema.TaggedError<SettingsFileFailed>()(
  "SettingsFileFailed",
  { problems: Schema.Array(Schema.String) }
) {
  override get message(): string {
    return `the settings cannot be saved:\n${this.problems.map((line) => `  ${line}`).join("\n")}`
  }
}

/** Some providers cannot be used now. */
export class ProvidersFailed extends Schema.TaggedError<ProvidersFailed>()("ProvidersFailed", {
  problems: Schema.Array(Schema.String)
}) {
  override get message(): string {
    return `not every provider can be used:\n${this.problems.map((line) => `  ${line}`).join("\n")}`
  }
}

type Of<Tag extends AdminCommand["_tag"]> = Extract<AdminCommand, { readonly _tag: Tag }>

/** A command about sign-in. */
export type SignInCommand = Of<"user link" | "user unlink" | "sign-in set" | "sign-in check">

/** The errors of these commands. */
export type SignInCommandError =
  | ChangeHeld
  | IdentityNotFound
  | IdentityTaken
  | OrgNotFound
  | ProviderNotFound
  | ProvidersFailed
  | SettingsFileFailed
  | StoreError
  | UserNotFound

/** The services that these commands need. */
export type SignInServices = Identities | Memberships | Orgs | SignInRules

const userOf = (login: Login) =>
  Effect.gen(function* () {
    const found = yield* (yield* Memberships).findUser(login)
    return Option.isSome(found) ? found.value.user : yield* new UserNotFound({ login })
  })

const link = ({ login, provider: id, subject }: Of<"user link">, by: JournalActor) =>
  Effect.gen(function* () {
    const provider = find(yield* Providers, id)
    if (provider === undefined) return yield* new ProviderNotFound({ provider: id })
    const user = yield* userOf(login)
    const { issuer } = provider
    yield* (yield* Identities).link(
      { provider: provider.id, subject, issuer, user_id: user.id },
      by
    )
    return { login, provider: id, issuer, subject }
  })

const unlink = ({ login, provider }: Of<"user unlink">, by: JournalActor) =>
  Effect.gen(function* () {
    const user = yield* userOf(login)
    yield* (yield* Identities).unlink(user.id, provider, by)
    return { login, provider, unlinked: true }
  })

const decode = ParseResult.decodeUnknownEither(PutSignInSettings, {
  errors: "all",
  onExcessProperty: "error"
})

const lines = (errors: { readonly [field: string]: string }) =>
  Object.entries(errors).map(([field, problem]) => `${field}: ${problem}`)

/** INVARIANT: `AdminClient` has put the content of the file in the place of its name. */
const set = ({ org, file }: Of<"sign-in set">, by: JournalActor) =>
  Effect.gen(function* () {
    const { value } = yield* Either.mapLeft(
      YamlText.parse(file),
      ({ problems }) =>
        new SettingsFileFailed({
          problems: problems.map(
            ({ line, column, message }) => `line ${line}, column ${column}: ${message}`
          )
        })
    )
    const settings = yield* Either.mapLeft(
      decode(value),
      (issue) => new SettingsFileFailed({ problems: lines(FieldErrors.fromParseIssue(issue)) })
    )
    const found = yield* (yield* Orgs).get(org)
    return yield* Effect.catchTag(
      (yield* SignInRules).set(found, fromInput(settings), by),
      "InvalidSignInSettings",
      ({ problems }) => new SettingsFileFailed({ problems: lines(problems) })
    )
  })

const check = Effect.gen(function* () {
  const connections = yield* ProviderConnections
  const found = yield* Effect.forEach(yield* Providers, (provider) =>
    Effect.map(Effect.either(connections.check(provider)), (result) => ({
      provider: provider.id,
      issuer: provider.issuer,
      result: Either.isRight(result) ? "ok" : result.left.detail
    }))
  )
  const wrong = found.filter(({ result }) => result !== "ok")
  return wrong.length === 0
    ? found
    : yield* new ProvidersFailed({
        problems: wrong.map(({ provider, result }) => `${provider}: ${result}`)
      })
})

/** Runs a command about sign-in. */
export const run = (
  command: SignInCommand,
  by: JournalActor
): Effect.Effect<unknown, SignInCommandError, SignInServices> => {
  switch (command._tag) {
    case "user link":
      return link(command, by)
    case "user unlink":
      return unlink(command, by)
    case "sign-in set":
      return set(command, by)
    case "sign-in check":
      return check
  }
}
