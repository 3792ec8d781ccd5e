/**
 * `attestry log pull DIR`: copies the evidence log of the org, or continues a copy.
 *
 * It computes every hash from the entries. The keys of the copy must have signed the checkpoint, the checkpoint must
 * have the root of the entries, and the log must start with the tree of the copy. Otherwise the copy stays unchanged
 * and the answer is no.
 */
import { resolve } from "node:path"
import * as Base64 from "@attestry/transparency-log/Base64"
import * as Bytes from "@attestry/transparency-log/Bytes"
import type * as Checkpoint from "@attestry/transparency-log/Checkpoint"
import * as EntryBundle from "@attestry/transparency-log/EntryBundle"
import * as MerkleTree from "@attestry/transparency-log/MerkleTree"
import * as SignedNote from "@attestry/transparency-log/SignedNote"
import * as Tile from "@attestry/transparency-log/Tile"
import * as Option from "effect/Option"
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { CommandFailure, unreadable } from "../shared/CommandFailure.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import * as Json from "../shared/Json.js"
import type { Api } from "../transport/Api.js"
import { bundles, GrowingLog } from "./GrowingLog.js"
import * as LogCopy from "./LogCopy.js"
import * as LogKeys from "./LogKeys.js"

const no = (message: string) => new CommandFailure("no", message)

/** The public keys that the deployment serves. */
export const serverKeys = async (api: Api): Promise<ReadonlyArray<LogKeys.Key>> =>
  LogKeys.ofFlags(
    Json.objects(Json.object(await api.call("log.get")).keys).map(({ vkey }) => String(vkey))
  )

/** The keys of the command line, else those of the copy; a new copy takes those of the deployment. */
const keysOf = async (
  api: Api,
  args: Arguments,
  folder: string
): Promise<ReadonlyArray<LogKeys.Key>> => {
  const given = LogKeys.ofFlags(args.texts("verifier"))
  if (given.length > 0) return given
  const kept = LogCopy.keys(folder)
  return kept.length > 0 ? kept : serverKeys(api)
}

interface Pulling {
  readonly api: Api
  readonly folder: string
  /** The checkpoint of the copy. */
  readonly before: Checkpoint.Checkpoint | undefined
  readonly checkpoint: Checkpoint.Checkpoint
}

const fetched = async ({ api }: Pulling, place: Tile.TilePlace): Promise<Uint8Array> =>
  (await api.answer("log.entries", { path: { tile_path: Tile.printPlace(place) } })).bytes

/** A bundle that an interrupted pull left behind. */
const left = ({ folder }: Pulling, place: Tile.TilePlace): Uint8Array | undefined =>
  place.width === MerkleTree.TILE_WIDTH ? LogCopy.read(folder, Tile.printEntries(place)) : undefined

const leavesOf = (bytes: Uint8Array, { index, width }: Tile.TilePlace) => {
  const entries = Option.getOrElse(EntryBundle.parse(bytes), () => [])
  if (entries.length !== width) {
    throw no(`entry bundle ${index} has ${entries.length} whole entries instead of ${width}`)
  }
  return entries.map(MerkleTree.leafHash)
}

/** Adds the entries of a bundle, and compares the root at the end of the existing copy. */
const addBundle = (
  growing: GrowingLog,
  { folder, before }: Pulling,
  { place, bytes }: { readonly place: Tile.TilePlace; readonly bytes: Uint8Array }
): void => {
  const leaves = leavesOf(bytes, place)
  const known = (before?.size ?? 0) - growing.edge.size
  const isEnd = before !== undefined && known > 0 && known <= leaves.length
  const tiles = [...growing.add(isEnd ? leaves.slice(0, known) : [])]
  if (isEnd && !Bytes.equals(growing.root, before.root)) {
    throw no(`the log does not continue the copy: its first ${before.size} entries are others`)
  }
  tiles.push(...growing.add(isEnd ? leaves.slice(known) : leaves))
  LogCopy.writeBundle(folder, place, bytes)
  for (const tile of [{ tile: { level: 0, ...place }, hashes: leaves }, ...tiles]) {
    LogCopy.writeTile(folder, tile)
  }
}

/**
 * Copies new entries; returns whether they have the root of the checkpoint. `usesLeft` allows bundles of an
 * interrupted pull.
 */
const copy = async (
  context: CommandContext,
  pulling: Pulling,
  usesLeft: boolean
): Promise<boolean> => {
  const { folder, before, checkpoint } = pulling
  const growing = new GrowingLog(
    LogCopy.beginning(folder, before ?? { size: 0, root: MerkleTree.EMPTY_ROOT })
  )
  const first = growing.edge.size / MerkleTree.TILE_WIDTH
  for (const place of bundles(first, checkpoint.size)) {
    context.host.signal.throwIfAborted()
    const kept = usesLeft ? left(pulling, place) : undefined
    const bytes = kept ?? (await fetched(pulling, place))
    addBundle(growing, pulling, { place, bytes })
  }
  for (const tile of growing.ends()) LogCopy.writeTile(folder, tile)
  return Bytes.equals(growing.root, checkpoint.root)
}

const checkOrder = ({ before, checkpoint, folder }: Pulling): void => {
  if (before === undefined) return
  if (before.origin !== checkpoint.origin) {
    throw unreadable(`${folder} is a copy of \`${before.origin}\`, not of \`${checkpoint.origin}\``)
  }
  if (before.size > checkpoint.size) {
    throw no(`the log has ${checkpoint.size} entries, fewer than the ${before.size} of the copy`)
  }
  if (before.size === checkpoint.size && !Bytes.equals(before.root, checkpoint.root)) {
    throw no(`the log does not continue the copy: its ${before.size} entries are others`)
  }
}

const opened = async (
  note: string,
  keys: ReadonlyArray<LogKeys.Key>,
  whose: string
): Promise<Checkpoint.Checkpoint> => {
  const found = await LogKeys.open(note, keys)
  if (found !== undefined) return found.checkpoint
  throw no(`${whose} is not signed by ${keys.map(SignedNote.printKey).join(" or ")}`)
}

/** Runs `attestry log pull`. */
export const run: CommandModule["run"] = async (context, args) => {
  const folder = resolve(context.host.cwd, args.positionals[0] ?? "")
  const api = await context.api()
  const keys = await keysOf(api, args, folder)
  const kept = LogCopy.checkpoint(folder)
  const { bytes } = await api.answer("log.checkpoint")
  const note = new TextDecoder().decode(bytes)
  const before =
    kept === undefined ? undefined : await opened(kept, keys, "the checkpoint of the copy")
  const checkpoint = await opened(note, keys, "the checkpoint of the log")
  const pulling: Pulling = { api, folder, before, checkpoint }
  checkOrder(pulling)
  LogCopy.writeKeys(folder, keys)
  // WHY twice: a bundle of an interrupted pull may be incomplete or from another log.
  if (!(await copy(context, pulling, true)) && !(await copy(context, pulling, false))) {
    throw no("the entries of the log do not have the root of its checkpoint")
  }
  LogCopy.writeCheckpoint(folder, note)
  const root = Base64.encode(checkpoint.root)
  const { origin, size } = checkpoint
  const vkeys = keys.map(SignedNote.printKey)
  return {
    value: {
      schema: "attestry.cli/log-pull/v1",
      folder,
      origin,
      from: before?.size ?? 0,
      size,
      root,
      keys: vkeys
    },
    quiet: String(size),
    lines: (style) => [
      `${style.text(origin)}: ${size} entries, ${size - (before?.size ?? 0)} of them new`,
      `root ${root}`,
      ...vkeys.map((vkey) => `key ${style.text(vkey)}`)
    ]
  }
}
