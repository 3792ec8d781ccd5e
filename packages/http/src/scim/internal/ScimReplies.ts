/** What the use cases of SCIM answer, as replies: refusals of the protocol are replies too. */
import type {
  AlreadyMember,
  LastAdmin,
  LoginTaken,
  NotAMember,
  UserNotFound
} from "@attestry/core/Membership"
import type { ScimInvalid, ScimNotFound, ScimTaken } from "@attestry/core/ScimProblem"
import type { TeamExists, TooManyTeams } from "@attestry/core/Team"
import * as Effect from "effect/Effect"
import type { Reply } from "../../shared/HttpMessage.js"
import * as ScimAnswer from "./ScimAnswer.js"

/** A refusal of the protocol. */
export type ScimRefusal =
  | AlreadyMember
  | LastAdmin
  | LoginTaken
  | NotAMember
  | ScimInvalid
  | ScimNotFound
  | ScimTaken
  | TeamExists
  | TooManyTeams
  | UserNotFound

const TAGS: { readonly [Tag in ScimRefusal["_tag"]]: true } = {
  AlreadyMember: true,
  LastAdmin: true,
  LoginTaken: true,
  NotAMember: true,
  ScimInvalid: true,
  ScimNotFound: true,
  ScimTaken: true,
  TeamExists: true,
  TooManyTeams: true,
  UserNotFound: true
}

const isRefusal = <E extends { readonly _tag: string }>(
  error: E
): error is Extract<E, ScimRefusal> => error._tag in TAGS

const replyOf = (error: ScimRefusal): Reply<string> => {
  switch (error._tag) {
    case "ScimInvalid":
      return {
        status: 400,
        value: ScimAnswer.errorText(400, error.detail, error.scimType)
      }
    case "ScimNotFound":
      return { status: 404, value: ScimAnswer.errorText(404, error.message) }
    case "ScimTaken":
    case "TeamExists":
      return { status: 409, value: ScimAnswer.errorText(409, error.message, "uniqueness") }
    case "AlreadyMember":
    case "LastAdmin":
    case "LoginTaken":
    case "NotAMember":
    case "TooManyTeams":
    case "UserNotFound":
      return { status: 409, value: ScimAnswer.errorText(409, error.message) }
  }
}

/** Replies with refusals of the protocol; other errors stay. */
export const withRefusals = <E extends { readonly _tag: string }, R>(
  reply: Effect.Effect<Reply<string>, E, R>
): Effect.Effect<Reply<string>, Exclude<E, ScimRefusal>, R> =>
  // WHY: what is no refusal fails again, so no failure is swallowed.
  Effect.catchAll(reply, (error) => {
    if (isRefusal(error)) return Effect.succeed(replyOf(error))
    // WHY: what is no refusal is one of the other errors, which the compiler does not see.
    return Effect.fail(error as Exclude<E, ScimRefusal>)
  })
