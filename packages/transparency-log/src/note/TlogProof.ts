/** Proofs of inclusion as texts, by C2SP tlog-proof: extra bytes, an index, hashes, and a checkpoint. */
import * as Option from "effect/Option"
import * as Base64 from "../bytes/Base64.js"
import type { Hash } from "../merkle/MerkleTree.js"
import * as Checkpoint from "./Checkpoint.js"
import * as SignedNote from "./SignedNote.js"

const HEADER = "c2sp.org/tlog-proof@v1"

/** The largest number of hashes: the height of the largest tree. */
const HASHES_MAX = 63

/** A proof of inclusion in the tree of its checkpoint. */
export interface TlogProof {
  /** Bytes that no signature covers. */
  readonly extra: Option.Option<Uint8Array>
  readonly index: number
  /** From the sibling of the leaf upwards. */
  readonly hashes: ReadonlyArray<Hash>
  /** The signed note. */
  readonly checkpoint: string
}

/** A proof as a text. */
export const print = ({ extra, index, hashes, checkpoint }: TlogProof): string =>
  [
    HEADER,
    ...Option.match(extra, {
      onNone: () => [],
      onSome: (bytes) => [`extra ${Base64.encode(bytes)}`]
    }),
    `index ${index}`,
    ...hashes.map(Base64.encode),
    "",
    checkpoint
  ].join("\n")

const after = (prefix: string, line: string | undefined): Option.Option<string> =>
  line?.startsWith(prefix) === true ? Option.some(line.slice(prefix.length)) : Option.none()

/** Reads a proof; none for another form. */
export const parse = (text: string): Option.Option<TlogProof> => {
  const end = text.indexOf("\n\n")
  const [header, ...lines] = text.slice(0, Math.max(0, end)).split("\n")
  const checkpoint = text.slice(end + 2)
  if (end < 0 || header !== HEADER || Option.isNone(SignedNote.parse(checkpoint))) {
    return Option.none()
  }
  const spelled = after("extra ", lines[0])
  const extra = Option.flatMap(spelled, Base64.decode)
  if (Option.isSome(spelled) && Option.isNone(extra)) return Option.none()
  const [index, ...hashes] = Option.isSome(spelled) ? lines.slice(1) : lines
  if (hashes.length > HASHES_MAX) return Option.none()
  return Option.zipWith(
    Option.flatMap(after("index ", index), Checkpoint.parseSize),
    Option.all(hashes.map(Checkpoint.parseHash)),
    (place, path) => ({ extra, index: place, hashes: path, checkpoint })
  )
}
