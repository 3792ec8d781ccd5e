/**
 * Receipts of entries, as clients store them, and their verification without a server. Reads the JSON of the API and
 * the text of C2SP tlog-proof. Pure: the caller verifies the signatures of the checkpoint, with `SignedNote.claims`.
 */

import * as Base64 from "@attestry/transparency-log/Base64"
import * as Checkpoint from "@attestry/transparency-log/Checkpoint"
import * as MerkleProof from "@attestry/transparency-log/MerkleProof"
import * as MerkleTree from "@attestry/transparency-log/MerkleTree"
import * as SignedNote from "@attestry/transparency-log/SignedNote"
import * as TlogProof from "@attestry/transparency-log/TlogProof"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as LogEntry from "./LogEntry.js"

/** A parsed receipt, not yet checked. */
export interface InclusionReceipt {
  readonly index: number
  /** The inclusion proof, from the sibling of the leaf upwards. */
  readonly hashes: ReadonlyArray<MerkleTree.Hash>
  /** The bytes of the entry. */
  readonly entry: Uint8Array
  readonly disclosures: ReadonlyArray<string>
  /** The signed note of the checkpoint. */
  readonly checkpoint: string
}

/** The statement that a receipt proves, once the signature of its checkpoint is verified. */
export interface CheckedReceipt {
  readonly index: number
  readonly leaf: MerkleTree.Hash
  readonly checkpoint: Checkpoint.Checkpoint
  readonly note: SignedNote.SignedNote
  /** The entry, with the members that the receipt discloses. */
  readonly said: LogEntry.Read
}

/** Why a receipt proves nothing. */
export type Refusal = "checkpoint" | "inclusion" | "disclosures"

type Fields = { readonly [name: string]: unknown }

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null

const isTexts = (value: unknown): value is ReadonlyArray<string> =>
  Array.isArray(value) && value.every((each) => typeof each === "string")

const parseJson = (text: string): Option.Option<Fields> =>
  Option.filter(Either.getRight(Either.try((): unknown => JSON.parse(text))), isFields)

const bytesOf = (value: unknown): Option.Option<Uint8Array> =>
  typeof value === "string" ? Base64.decode(value) : Option.none()

/** The entry and its disclosures, which are JSON in both formats. */
const contentOf = ({ entry, disclosures }: Fields) =>
  Option.flatMap(bytesOf(entry), (bytes) =>
    isTexts(disclosures) ? Option.some({ entry: bytes, disclosures }) : Option.none()
  )

/** Parses the JSON of a receipt. None for another format or a pending receipt. */
export const fromJson = (fields: unknown): Option.Option<InclusionReceipt> => {
  if (!isFields(fields)) return Option.none()
  const { index, hashes, checkpoint } = fields
  if (typeof index !== "number" || !isTexts(hashes) || typeof checkpoint !== "string") {
    return Option.none()
  }
  return Option.zipWith(
    contentOf(fields),
    Option.all(hashes.map(Checkpoint.parseHash)),
    (content, path) => ({ ...content, index, hashes: path, checkpoint })
  )
}

const fromTlogProof = ({ extra, ...proof }: TlogProof.TlogProof) =>
  extra.pipe(
    Option.flatMap(Base64.textOf),
    Option.flatMap(parseJson),
    Option.flatMap(contentOf),
    Option.map((content): InclusionReceipt => ({ ...proof, ...content }))
  )

/** Parses a receipt in either format. */
export const parse = (text: string): Option.Option<InclusionReceipt> =>
  Option.orElse(Option.flatMap(parseJson(text), fromJson), () =>
    Option.flatMap(TlogProof.parse(text), fromTlogProof)
  )

/**
 * Checks a receipt: computes the leaf from the bytes of the entry, compares the root of the inclusion proof with the
 * checkpoint, and compares the disclosed members with the digests in the entry.
 */
export const check = (receipt: InclusionReceipt): Either.Either<CheckedReceipt, Refusal> => {
  const note = SignedNote.parse(receipt.checkpoint)
  const checkpoint = Option.flatMap(note, ({ text }) => Checkpoint.parse(text))
  if (Option.isNone(note) || Option.isNone(checkpoint)) return Either.left("checkpoint")
  const { index, hashes } = receipt
  const { size, root } = checkpoint.value
  const leaf = MerkleTree.leafHash(receipt.entry)
  if (!MerkleProof.verifyInclusion({ index, size, leaf, hashes }, root)) {
    return Either.left("inclusion")
  }
  return Option.match(LogEntry.read(receipt.entry, receipt.disclosures), {
    onNone: () => Either.left("disclosures" as const),
    onSome: (said) =>
      Either.right({ index, leaf, checkpoint: checkpoint.value, note: note.value, said })
  })
}
