/** The text of a checkpoint, by C2SP tlog-checkpoint: origin, size and root of a log, each on a line. */
import * as Option from "effect/Option"
import * as Base64 from "../bytes/Base64.js"
import * as MerkleTree from "../merkle/MerkleTree.js"

/** A parsed checkpoint. */
export interface Checkpoint {
  readonly origin: string
  readonly size: number
  readonly root: MerkleTree.Hash
}

/** The text of a checkpoint, which has no extension lines. */
export const print = ({ origin, size, root }: Checkpoint): string =>
  `${origin}\n${size}\n${Base64.encode(root)}\n`

/** Reads a whole number from 0 to 2^53 - 1 without leading zeros. */
export const parseSize = (text: string): Option.Option<number> =>
  /^(?:0|[1-9][0-9]{0,15})$/.test(text) && Number(text) <= MerkleTree.SIZE_MAX
    ? Option.some(Number(text))
    : Option.none()

/** Reads a hash in Base64. */
export const parseHash = (text: string): Option.Option<MerkleTree.Hash> =>
  Option.filter(Base64.decode(text), ({ byteLength }) => byteLength === MerkleTree.HASH_BYTES)

/** Reads the text of a checkpoint; lines after the third are ignored, and none of them may be empty. */
export const parse = (text: string): Option.Option<Checkpoint> => {
  const lines = text.split("\n")
  const [origin = "", size = "", root = ""] = lines
  if (!text.endsWith("\n") || lines.slice(0, -1).some((line) => line === "")) return Option.none()
  return Option.zipWith(parseSize(size), parseHash(root), (read, hash) => ({
    origin,
    size: read,
    root: hash
  }))
}
