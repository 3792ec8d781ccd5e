/** Who a person is: a provider and the subject that it names. Names and addresses are shown only. SPEC §4.27 */
import * as Schema from "effect/Schema"
import { UserId } from "../shared/Identifier.js"
import { Timestamp } from "../shared/Timestamp.js"
import { ISSUER_LENGTH_MAX, ProviderId } from "./Provider.js"

/** The most characters of a subject. OpenID Connect Core, 2 */
export const SUBJECT_LENGTH_MAX = 255

/** A subject of a provider: printable ASCII, compared byte by byte. */
export const Subject = Schema.String.pipe(
  Schema.pattern(new RegExp(`^[\\x20-\\x7e]{1,${SUBJECT_LENGTH_MAX}}$`)),
  Schema.brand("Subject")
)
/** A subject of a provider. */
export type Subject = typeof Subject.Type

/** A person at a provider. */
export const Identity = Schema.Struct({ provider: ProviderId, subject: Subject })
/** A person at a provider. */
export type Identity = typeof Identity.Type

/** The identity of a user. It never moves to another user. */
export const UserIdentity = Schema.Struct({
  ...Identity.fields,
  /** The issuer when it was linked: a provider that gets another issuer knows other people by the same subjects. */
  issuer: Schema.String.pipe(Schema.maxLength(ISSUER_LENGTH_MAX)),
  user_id: UserId,
  linked_at: Timestamp
})
/** The identity of a user. */
export type UserIdentity = typeof UserIdentity.Type

/** The identity belongs to another user, or the user has another identity at the provider. */
export class IdentityTaken extends Schema.TaggedError<IdentityTaken>()("IdentityTaken", {
  provider: ProviderId
}) {
  override get message(): string {
    return `an identity of \`${this.provider}\` is linked already, and an identity never moves to another user`
  }
}

/** The user has no identity at the provider. */
export class IdentityNotFound extends Schema.TaggedError<IdentityNotFound>()("IdentityNotFound", {
  provider: Schema.String
}) {
  override get message(): string {
    return `there is no identity of \`${this.provider}\``
  }
}

/** Linking an identity needs a session that a key of the user opened a few minutes ago. */
export class KeyNotFresh extends Schema.TaggedError<KeyNotFresh>()("KeyNotFresh", {}) {
  override get message(): string {
    return "sign in with an API key, and link the identity within five minutes"
  }
}

/** The deployment has no provider of that id. */
export class ProviderNotFound extends Schema.TaggedError<ProviderNotFound>()("ProviderNotFound", {
  provider: Schema.String
}) {
  override get message(): string {
    return `there is no provider \`${this.provider}\``
  }
}
