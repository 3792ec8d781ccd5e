/**
 * `attestry log verify PATH`: verifies a copy of an evidence log, a receipt, or that the log extends a remembered
 * checkpoint.
 *
 * Only the last sends a request. Keys come from the command line or from the copy, never from the deployment, which
 * is under verification.
 */
import { readFileSync, statSync } from "node:fs"
import { resolve } from "node:path"
import * as InclusionReceipt from "@attestry/core/InclusionReceipt"
import * as Base64 from "@attestry/transparency-log/Base64"
import * as Bytes from "@attestry/transparency-log/Bytes"
import * as Checkpoint from "@attestry/transparency-log/Checkpoint"
import * as EntryBundle from "@attestry/transparency-log/EntryBundle"
import * as MerkleProof from "@attestry/transparency-log/MerkleProof"
import * as MerkleTree from "@attestry/transparency-log/MerkleTree"
import * as Tile from "@attestry/transparency-log/Tile"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type { CommandContext } from "../shared/CommandContext.js"
import { unreadable, usage } from "../shared/CommandFailure.js"
import type { CommandResult } from "../shared/CommandResult.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import * as Json from "../shared/Json.js"
import { bundles, EMPTY, GrowingLog } from "./GrowingLog.js"
import * as LogCopy from "./LogCopy.js"
import * as LogKeys from "./LogKeys.js"

type What = "copy" | "receipt" | "checkpoint"

/** The result: what was verified, and the reason if it failed. */
const answer = (
  what: What,
  problem: string | null,
  { origin, size, ...more }: { readonly origin: string; readonly size: number } & Json.Fields
): CommandResult => ({
  exit: problem === null ? "done" : "no",
  value: {
    schema: "attestry.cli/log-verify/v1",
    what,
    verified: problem === null,
    problem,
    origin,
    size,
    ...more
  },
  quiet: problem === null ? "verified" : "not verified",
  lines: (style) =>
    problem === null
      ? [
          style.tint("green", "verified"),
          `${what} of ${style.text(origin)}, ${size} entries`,
          ...Json.members(more).map(([name, value]) => `${name} ${style.text(value)}`)
        ]
      : [style.tint("red", "not verified"), style.text(problem)]
})

const NOWHERE = { origin: "", size: 0 }

const UNSIGNED = "its checkpoint is not signed by the key"

/** Compares a file of a copy with its expected content. */
const differs = (folder: string, { tile, hashes }: Tile.ReadTile): string | undefined => {
  const path = Tile.print(tile)
  const there = LogCopy.read(folder, path)
  if (there === undefined) return `${path} is missing`
  return Bytes.equals(there, Bytes.concat(hashes))
    ? undefined
    : `${path} does not hold the hashes of the entries`
}

/** The first problem in the files of a copy. */
const problemOf = (folder: string, { size, root }: Checkpoint.Checkpoint): string | undefined => {
  const growing = new GrowingLog(EMPTY)
  for (const place of bundles(0, size)) {
    const path = Tile.printEntries(place)
    const bytes = LogCopy.read(folder, path)
    if (bytes === undefined) return `${path} is missing`
    const entries = Option.getOrElse(EntryBundle.parse(bytes), () => [])
    if (entries.length !== place.width) return `${path} does not hold ${place.width} entries`
    const leaves = entries.map(MerkleTree.leafHash)
    const tiles = [{ tile: { level: 0, ...place }, hashes: leaves }, ...growing.add(leaves)]
    const wrong = tiles.map((tile) => differs(folder, tile)).find((each) => each !== undefined)
    if (wrong !== undefined) return wrong
  }
  const wrong = growing.ends().map((tile) => differs(folder, tile))
  return (
    wrong.find((each) => each !== undefined) ??
    (Bytes.equals(growing.root, root)
      ? undefined
      : "the entries do not have the root of the checkpoint")
  )
}

const verifyCopy = async (
  folder: string,
  given: ReadonlyArray<LogKeys.Key>
): Promise<CommandResult> => {
  const note = LogCopy.checkpoint(folder)
  if (note === undefined) throw unreadable(`${folder} is no copy of a log: it has no checkpoint`)
  const keys = given.length > 0 ? given : LogCopy.keys(folder)
  const opened = await LogKeys.open(note, keys)
  if (opened === undefined) return answer("copy", UNSIGNED, NOWHERE)
  const { checkpoint, by } = opened
  const { origin, size, root } = checkpoint
  const problem = problemOf(folder, checkpoint) ?? null
  return answer("copy", problem, { origin, size, root: Base64.encode(root), signed_by: by })
}

const REFUSALS: { readonly [refusal in InclusionReceipt.Refusal]: string } = {
  checkpoint: "its checkpoint cannot be read",
  inclusion: "its hashes do not lead from the entry to the root of the checkpoint",
  disclosures: "what it shows does not have the digests of the entry"
}

const verifyReceipt = async (
  receipt: InclusionReceipt.InclusionReceipt,
  keys: ReadonlyArray<LogKeys.Key>
): Promise<CommandResult> => {
  const checked = InclusionReceipt.check(receipt)
  if (Either.isLeft(checked)) return answer("receipt", REFUSALS[checked.left], NOWHERE)
  const { index, checkpoint, said } = checked.right
  const { origin, size } = checkpoint
  const opened = await LogKeys.open(receipt.checkpoint, keys)
  const facts = Json.object(said.shown.facts)
  return answer("receipt", opened === undefined ? UNSIGNED : null, {
    origin,
    size,
    index,
    at: new Date(said.at / 1_000).toISOString(),
    kind: Json.text(facts.kind) ?? null,
    withheld: said.withheld.length,
    signed_by: opened?.by ?? []
  })
}

const hashesOf = (value: unknown): ReadonlyArray<MerkleTree.Hash> =>
  Json.list(value).flatMap((each) => Option.toArray(Checkpoint.parseHash(String(each))))

/** Requests a proof that the log extends the remembered tree. */
const verifyGrowth = async (
  { api }: CommandContext,
  note: string,
  keys: ReadonlyArray<LogKeys.Key>
): Promise<CommandResult> => {
  const remembered = await LogKeys.open(note, keys)
  if (remembered === undefined) return answer("checkpoint", UNSIGNED, NOWHERE)
  const before = remembered.checkpoint
  const deployment = await api()
  const { bytes } = await deployment.answer("log.checkpoint")
  const present = await LogKeys.open(new TextDecoder().decode(bytes), keys)
  const { origin } = before
  if (present === undefined) {
    return answer("checkpoint", "the checkpoint of the log is not signed by the key", {
      origin,
      size: before.size
    })
  }
  const now = present.checkpoint
  const ends = { origin, size: now.size, from: before.size }
  if (now.origin !== origin) return answer("checkpoint", `the log is \`${now.origin}\``, ends)
  if (now.size < before.size) {
    return answer("checkpoint", `the log has only ${now.size} of ${before.size} entries`, ends)
  }
  const sizes = { from: before.size, to: now.size }
  const proof = Json.object(await deployment.call("log.consistency", { urlParams: sizes }))
  const isGrown = MerkleProof.verifyConsistency({
    ...sizes,
    fromRoot: before.root,
    toRoot: now.root,
    hashes: hashesOf(proof.hashes)
  })
  const problem = isGrown ? null : `the first ${before.size} entries of the log are others`
  return answer("checkpoint", problem, { ...ends, root: Base64.encode(now.root) })
}

const readText = (path: string): string | undefined => {
  try {
    return statSync(path).isDirectory() ? undefined : readFileSync(path, "utf8")
  } catch (cause) {
    throw unreadable(`${path} cannot be read`, undefined, cause)
  }
}

/** Runs `attestry log verify`. */
export const run: CommandModule["run"] = async (context, args) => {
  const path = resolve(context.host.cwd, args.positionals[0] ?? "")
  const keys = LogKeys.ofFlags(args.texts("verifier"))
  const text = readText(path)
  if (text === undefined) return verifyCopy(path, keys)
  if (keys.length === 0) {
    throw usage(
      "--verifier is missing: the public key that signs the log",
      "a copy of the log has it in `keys`"
    )
  }
  const receipt = InclusionReceipt.parse(text)
  if (Option.isSome(receipt)) return verifyReceipt(receipt.value, keys)
  if (text.includes("\n\n— ")) return verifyGrowth(context, text, keys)
  throw unreadable(`${path} is no receipt, no checkpoint and no copy of a log`)
}
