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

    const verifyLine = (note: SignedNote.SignedNote, key: SignedNote.VerifierKey) =>
      Effect.fn(function* (line: SignedNote.SignatureLine) {
        const claimed = SignedNote.claimed(note, { key, line })
        return Option.isSome(claimed) && (yield* signatures.verify(claimed.value))
      })

    /** Whether a key signed a note, or a line of it is false; none when it has no line by the key. */
    const signedBy = (note: SignedNote.SignedNote) =>
      Effect.fn(function* (key: SignedNote.VerifierKey) {
        const lines = note.signatures.filter((line) => SignedNote.isBy(key, line))
        const verified = yield* Effect.forEach(lines, verifyLine(note, key))
        return { key, hasLine: lines.length > 0, isTrue: verified.every((each) => each) }
      })

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
      const found = yield* Effect.forEach(keys, signedBy(note.value))
      const signed = found.filter(({ hasLine }) => hasLine)
      return signed.length > 0 && signed.every(({ isTrue }) => isTrue)
        ? Option.some({ text: note.value.text, by: signed.map(({ key }) => key) })
        : Option.none()
    })

    return { open } as const
  })
}) {}
