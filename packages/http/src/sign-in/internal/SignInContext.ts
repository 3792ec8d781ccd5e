/** What a sign-in is for, as it waits sealed in the browser: a session, or an identity of a user who asked for it. */
import { UserId } from "@attestry/core/Identifier"
import * as Schema from "effect/Schema"

/** What a sign-in is for. */
export const SignInContext = Schema.Struct({
  /** The page to return to; a path of this host. */
  next: Schema.String,
  /** The user who links the identity; absent opens a session. */
  link: Schema.optionalWith(UserId, { exact: true })
})
/** What a sign-in is for. */
export type SignInContext = typeof SignInContext.Type

const Text = Schema.parseJson(SignInContext)

/** The text of a context. */
export const print: (context: SignInContext) => string = Schema.encodeSync(Text)

/** The context of a text; none where it is not one. */
export const parse = Schema.decodeOption(Text)
