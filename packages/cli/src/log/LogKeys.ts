/** Parses public keys of evidence logs, and verifies signed notes with them. Sends no request. */
import * as Checkpoint from "@attestry/transparency-log/Checkpoint"
import { Notes } from "@attestry/transparency-log/Notes"
import * as SignedNote from "@attestry/transparency-log/SignedNote"
import * as SignaturesWebCrypto from "@attestry/transparency-log/webcrypto/SignaturesWebCrypto"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { unreadable, usage } from "../shared/CommandFailure.js"

/** A public key of a log or a witness. */
export type Key = SignedNote.VerifierKey

/** Parses the keys of a command line. */
export const ofFlags = (texts: ReadonlyArray<string>): ReadonlyArray<Key> =>
  texts.map((text) =>
    Option.getOrThrowWith(SignedNote.parseKey(text), () =>
      usage(
        `--verifier: \`${text}\` is no key`,
        "a key is NAME+ID+BASE64, as `attestry log pull` prints it"
      )
    )
  )

/** Parses the keys of a file, one per line. */
export const ofFile = (file: string, text: string): ReadonlyArray<Key> => {
  const lines = text.split(/\r?\n/).filter((line) => line !== "")
  return lines.map((line) =>
    Option.getOrThrowWith(SignedNote.parseKey(line), () =>
      unreadable(`${file} has a line that is no key of a log`)
    )
  )
}

/** Prints keys, one per line. */
export const print = (keys: ReadonlyArray<Key>): string =>
  keys.map((key) => `${SignedNote.printKey(key)}\n`).join("")

/** A checkpoint that one of the keys signed, with the names of its signers; undefined without such a signature. */
export const open = async (
  note: string,
  keys: ReadonlyArray<Key>
): Promise<
  { readonly checkpoint: Checkpoint.Checkpoint; readonly by: ReadonlyArray<string> } | undefined
> => {
  const opened = await Effect.runPromise(
    Effect.flatMap(Notes, (notes) => notes.open(note, keys)).pipe(
      Effect.provide(Layer.provide(Notes.Default, SignaturesWebCrypto.layer))
    )
  )
  return Option.getOrUndefined(
    Option.flatMap(opened, ({ text, by }) =>
      Option.map(Checkpoint.parse(text), (checkpoint) => ({
        checkpoint,
        by: by.map(({ name }) => name)
      }))
    )
  )
}
