/** The secret of an invitation: `attestry_invitation_<id>_<secret><checksum>`, shaped like an API key. */
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as SecretText from "../api-key/internal/SecretText.js"
import { InvitationId } from "../shared/Identifier.js"

const WORD = "invitation"

/** The longest text that can be a secret. */
export const LENGTH_MAX = 128

/** The number of random bytes for one secret. */
export const RANDOM_BYTES = SecretText.RANDOM_BYTES

/** The secret of an invitation; none when too few random bytes are usable. */
export const make = (
  id: InvitationId,
  random: Uint8Array
): Option.Option<Redacted.Redacted<string>> => SecretText.make({ word: WORD, id }, random)

/** The id in a secret; none when the text is no secret of an invitation or its checksum is wrong. */
export const parse = (text: string): Option.Option<InvitationId> =>
  SecretText.parse(text).pipe(
    Option.filter(({ word }) => word === WORD),
    Option.map(({ id }) => InvitationId.make(id))
  )
