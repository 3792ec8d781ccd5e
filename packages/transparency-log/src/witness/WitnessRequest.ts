/** The body of `add-checkpoint`, by C2SP tlog-witness: an old size, hashes, an empty line and a checkpoint. */
import * as Option from "effect/Option"
import * as Base64 from "../bytes/Base64.js"
import type { Hash } from "../merkle/MerkleTree.js"
import * as Checkpoint from "../note/Checkpoint.js"
import * as SignedNote from "../note/SignedNote.js"

/** The most bytes of a body. */
export const BYTES_MAX = 16_384

/** The most hashes of a body. */
const HASHES_MAX = 63

/** A request for a cosignature. */
export interface WitnessRequest {
  /** The size that the witness has cosigned last; 0 before its first cosignature. */
  readonly old: number
  readonly hashes: ReadonlyArray<Hash>
  /** The signed note. */
  readonly checkpoint: string
}

/** A request as a body. */
export const print = ({ old, hashes, checkpoint }: WitnessRequest): string =>
  [`old ${old}`, ...hashes.map(Base64.encode), "", checkpoint].join("\n")

/** Reads a body. Returns none for another form, or if the note is not a checkpoint. */
export const parse = (
  text: string
): Option.Option<WitnessRequest & { readonly said: Checkpoint.Checkpoint }> => {
  const end = text.indexOf("\n\n")
  const [first = "", ...lines] = text.slice(0, Math.max(0, end)).split("\n")
  const checkpoint = text.slice(end + 2)
  if (end < 0 || !first.startsWith("old ") || lines.length > HASHES_MAX) return Option.none()
  return Option.zipWith(
    Option.zipWith(
      Checkpoint.parseSize(first.slice("old ".length)),
      Option.all(lines.map(Checkpoint.parseHash)),
      (old, hashes) => ({ old, hashes, checkpoint })
    ),
    Option.flatMap(SignedNote.parse(checkpoint), ({ text: said }) => Checkpoint.parse(said)),
    (request, said) => ({ ...request, said })
  )
}
