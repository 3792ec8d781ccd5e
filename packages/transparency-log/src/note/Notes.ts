/** Use case: opens signed notes with known keys. It needs signatures and no store, so that any reader can use it. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Signatures } from "./Signatures.js"
import * as SignedNote from "./SignedNote.js"

/** A note that was verified: its text, and the keys whose signatures it has. */
export interface OpenedNote {
  readonly text: string
  readonly by: ReadonlyArray<SignedNote.VerifierKey>
}

/** Use case: opens signed notes. */
export class Notes extends Effect.Service<Notes>()("@attestry/core/Notes", {
  effect: Effect.gen(function* () {
    const signatures = yield* Signatures

    const isTrue = ({ signed }: SignedNote.Claim) =>
      Option.match(signed, { onNone: () => Effect.succeed(false), onSome: signatures.verify })

    /**
     * Reads a note that is signed by at least one of the keys. Lines by other keys are ignored; a false line by one of
     * the keys rejects the whole note.
     */
    const open = Effect.fn("Notes.open")(function* (
      text: string,
      keys: ReadonlyArray<SignedNote.VerifierKey>
    ): Effect.fn.Return<Option.Option<OpenedNote>> {
      const note = SignedNote.parse(text)
      if (Option.isNone(note)) return Option.none()
      const claims = SignedNote.claims(note.value, keys)
      const isSigned = claims.length > 0 && (yield* Effect.every(claims, isTrue))
      return isSigned
        ? Option.some({
            text: note.value.text,
            by: keys.filter((key) => claims.some((claim) => claim.key === key))
          })
        : Option.none()
    })

    return { open } as const
  })
}) {}
