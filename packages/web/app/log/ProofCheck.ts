/**
 * Verifies a receipt with core's functions and the platform's signatures. It runs only in the worker.
 *
 * It trusts no claim of the server: it computes the leaf, the root and the disclosed members itself.
 */

import * as InclusionReceipt from "@attestry/core/InclusionReceipt"
import * as Base64 from "@attestry/transparency-log/Base64"
import * as Checkpoint from "@attestry/transparency-log/Checkpoint"
import * as MerkleProof from "@attestry/transparency-log/MerkleProof"
import * as SignedNote from "@attestry/transparency-log/SignedNote"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type { ProofAnswer, ProofQuestion, Refusal } from "./ProofMessages.js"

/** Whether a signature is valid; undefined if the platform cannot verify it. */
export type Verify = (signed: SignedNote.SignedMessage) => Promise<boolean | undefined>

const refused = (refusal: Refusal): ProofAnswer => ({ outcome: "refused", refusal })

const isGrown = (
  { from, hashes }: NonNullable<ProofQuestion["grown"]>,
  { size, root }: Checkpoint.Checkpoint
): boolean =>
  Option.match(
    Option.all([Checkpoint.parseHash(from.root), Option.all(hashes.map(Checkpoint.parseHash))]),
    {
      onNone: () => false,
      onSome: ([fromRoot, path]) =>
        MerkleProof.verifyConsistency({
          from: from.size,
          to: size,
          fromRoot,
          toRoot: root,
          hashes: path
        })
    }
  )

/**
 * The names of the keys that signed. Undefined if the platform cannot verify signatures, empty if a signature is
 * invalid.
 */
const signers = async (
  note: SignedNote.SignedNote,
  vkeys: ReadonlyArray<string>,
  verify: Verify
): Promise<ReadonlyArray<string> | undefined> => {
  const keys = vkeys.flatMap((vkey) => Option.toArray(SignedNote.parseKey(vkey)))
  const claims = SignedNote.claims(note, keys)
  const names = new Set<string>()
  for (const { key, signed } of claims) {
    const isTrue = Option.isSome(signed) ? await verify(signed.value) : false
    if (isTrue === undefined) return undefined
    if (!isTrue) return []
    names.add(key.name)
  }
  return [...names]
}

/** Verifies a receipt, and returns the facts that it proves. */
export const check = async (
  { receipt, vkeys, grown }: ProofQuestion,
  verify: Verify
): Promise<ProofAnswer> => {
  const read = InclusionReceipt.fromJson(receipt)
  if (Option.isNone(read)) return refused("malformed")
  const checked = InclusionReceipt.check(read.value)
  if (Either.isLeft(checked)) return refused(checked.left)
  const { index, checkpoint, note, said } = checked.right
  const signedBy = await signers(note, vkeys, verify)
  if (signedBy === undefined) return { outcome: "unable" }
  if (signedBy.length === 0) return refused("unsigned")
  if (grown !== undefined && !isGrown(grown, checkpoint)) return refused("fork")
  const { origin, size, root } = checkpoint
  return {
    outcome: "proved",
    origin,
    index,
    size,
    root: Base64.encode(root),
    signedBy,
    at: said.at / 1_000_000,
    shown: said.shown,
    withheld: said.withheld.length
  }
}
