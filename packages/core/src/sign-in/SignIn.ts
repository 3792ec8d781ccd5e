/** One attempt to sign in with a provider, and its outcome. Attempts are not part of the journal. */
import * as Schema from "effect/Schema"
import { UserId } from "../shared/Identifier.js"
import { Timestamp } from "../shared/Timestamp.js"
import { Subject } from "./Identity.js"
import { ProviderId } from "./Provider.js"

/** Attempts are stored for this long. */
export const RETENTION_SECONDS = 90 * 24 * 3600

/** How an attempt can fail, and what its page says. */
export const FailureClass = Schema.Literal("cancelled", "expired", "refused", "provider")
/** How an attempt can fail. */
export type FailureClass = typeof FailureClass.Type

/** What came of an attempt. */
export const Outcome = Schema.Literal("signed-in", ...FailureClass.literals)
/** What came of an attempt. */
export type Outcome = typeof Outcome.Type

/** An attempt, before the store sets its instant. It never holds claims or tokens. */
export const SignInDraft = Schema.Struct({
  provider: ProviderId,
  outcome: Outcome,
  /** The user who signed in; `null` for every other outcome. */
  user_id: Schema.NullOr(UserId),
  /** The subject that a verified token named; `null` without one. */
  subject: Schema.NullOr(Subject)
})
/** An attempt, before the store sets its instant. */
export type SignInDraft = typeof SignInDraft.Type

/** An attempt. The store holds at most one alike for each minute. */
export const SignIn = Schema.Struct({ ...SignInDraft.fields, at: Timestamp })
/** An attempt. */
export type SignIn = typeof SignIn.Type

/** An attempt as an org sees it, with the login of its member. */
export const ListedSignIn = Schema.Struct({ ...SignIn.fields, login: Schema.NullOr(Schema.String) })
/** An attempt as an org sees it. */
export type ListedSignIn = typeof ListedSignIn.Type

/** The person cannot sign in; issuer and subject are what an administrator needs to let them in. */
export class SignInRefused extends Schema.TaggedError<SignInRefused>()("SignInRefused", {
  provider: ProviderId,
  issuer: Schema.String,
  subject: Schema.NullOr(Subject)
}) {
  override get message(): string {
    return `nobody here is known to \`${this.provider}\` by that subject`
  }
}
