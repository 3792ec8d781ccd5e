/** Serves the log of an org. */
import {
  EVENTS,
  type EventParams,
  LogApi,
  type LogEvent,
  type LogResponse,
  type RecordParams
} from "@attestry/api/LogApi"
import { JWK_SET } from "@attestry/api/PublicKeys"
import { CurrentActor } from "@attestry/core/Actor"
import * as ErasedMembers from "@attestry/core/ErasedMembers"
import * as Erasure from "@attestry/core/Erasure"
import { Erasures } from "@attestry/core/Erasures"
import { EvidenceEntries, type Recorded } from "@attestry/core/EvidenceEntries"
import type { OrgName } from "@attestry/core/Identifier"
import * as Log from "@attestry/core/Log"
import { TileNotFound } from "@attestry/core/LogProof"
import { BATCH_MAX } from "@attestry/core/LogSequencer"
import { LogViews } from "@attestry/core/LogViews"
import * as PublicKeySet from "@attestry/core/PublicKeySet"
import { PublicLogs } from "@attestry/core/PublicLogs"
import * as Slices from "@attestry/core/Slices"
import * as Base64 from "@attestry/transparency-log/Base64"
import * as Sha256 from "@attestry/transparency-log/Sha256"
import * as Tile from "@attestry/transparency-log/Tile"
import * as TlogProof from "@attestry/transparency-log/TlogProof"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { actorOf } from "../../journal/internal/JournalHandlers.js"
import { ok, type StreamedReply } from "../../shared/HttpMessage.js"
import * as Authentication from "../../shared/internal/Authentication.js"
import { group } from "../../shared/internal/Handlers.js"
import * as LogErrors from "../../shared/internal/LogErrors.js"
import { toWire } from "../../shared/internal/WireErrors.js"
import { PublicUrl } from "../../shared/PublicUrl.js"

/** The names of members that can be erased. */
const PERSONAL_NAMES = [...ErasedMembers.PERSONAL]

const TEXT = "text/plain; charset=utf-8"

/** Bytes with their own headers. */
const bytes = (
  content: Uint8Array,
  headers: { readonly [name: string]: string }
): StreamedReply => ({
  status: 200,
  stream: Stream.succeed(content),
  headers: { "content-length": String(content.byteLength), ...headers }
})

/** A tile, whose bytes never change. Shared caches may keep tiles of public logs only. */
const tileReply = ({ content, isPublic }: Served): StreamedReply =>
  bytes(content, {
    "content-type": "application/octet-stream",
    "cache-control": `${isPublic ? "public" : "private"}, immutable, max-age=31536000`
  })

/** Bytes of a log, and whether all callers may read it. */
interface Served {
  readonly content: Uint8Array
  readonly isPublic: boolean
}

const textReply = (text: string): StreamedReply =>
  bytes(Sha256.utf8(text), { "content-type": TEXT, "cache-control": "no-cache" })

type Views = LogViews
type State = Effect.Effect.Success<ReturnType<Views["get"]>>
type Found = Effect.Effect.Success<ReturnType<Views["events"]>>
type Receipt = Option.Option.Value<Effect.Effect.Success<ReturnType<Views["receipt"]>>>

const messageOf = (org: string, { isFork, keys }: State): string | null => {
  if (isFork) return LogErrors.stopped(org)
  return keys.length === 0 ? "The operator sets ATTESTRY_LOG_KEY_FILE" : null
}

const stateOf = ({ isFork, keys, pending }: State): (typeof LogResponse.Type)["state"] => {
  if (isFork) return "stopped"
  if (keys.length === 0) return "unsigned"
  return pending > BATCH_MAX ? "catching_up" : "current"
}

const detectionOf = ({
  isKept,
  isAsked
}: State): (typeof LogResponse.Type)["rollback_detection"] => {
  if (isKept) return isAsked ? "both" : "state_file"
  return isAsked ? "witness" : "none"
}

const logOf = (org: string, found: State) => ({
  origin: found.tree.origin,
  epoch: found.tree.epoch,
  size: found.tree.edge.size,
  root: Base64.encode(found.root),
  checkpoint: Option.getOrNull(
    Option.map(found.checkpoint, ({ size, signed_at, witnesses, quorum }) => ({
      size,
      signed_at,
      witnesses,
      quorum: Option.getOrNull(quorum)
    }))
  ),
  keys: found.recorded,
  visibility: found.visibility,
  state: stateOf(found),
  pending: found.pending,
  scrub: Option.getOrElse(found.scrub, () => ({ through: null, finished_at: null, findings: 0 })),
  message: messageOf(org, found),
  rollback_detection: detectionOf(found),
  epochs: found.trees.map((tree) => ({
    epoch: tree.epoch,
    origin: tree.origin,
    size: tree.edge.size,
    ended_at: found.ended.get(tree.epoch) ?? null
  }))
})

const eventOf = ({ entry, leaf, id, content }: Found["events"][number]): typeof LogEvent.Type => ({
  entry: id,
  index: leaf.index,
  at: entry.at,
  kind: entry.kind,
  subject: entry.subject,
  actor: actorOf(entry),
  prev: leaf.prev,
  content,
  erased: Object.keys(Erasure.erasedOf({ entry, leaf }))
})

const isWanted = (
  { kind, subject_type }: typeof EventParams.Type,
  { entry }: Found["events"][number]
): boolean =>
  (kind === undefined || kind.includes(entry.kind)) &&
  (subject_type === undefined || subject_type.includes(entry.subject.type))

const receiptOf = (entry: string, { index, size, hashes, ...receipt }: Receipt) => ({
  status: "included" as const,
  entry_id: entry,
  index,
  size,
  hashes: hashes.map(Base64.encode),
  entry: Base64.encode(receipt.bytes),
  disclosures: receipt.disclosures,
  checkpoint: Option.getOrNull(receipt.checkpoint)
})

/** The receipt as the text of C2SP tlog-proof; its extra bytes hold the entry and the disclosures. */
const tlogProofOf = ({ index, hashes, disclosures, ...receipt }: Receipt) => {
  const extra = JSON.stringify({ entry: Base64.encode(receipt.bytes), disclosures })
  return TlogProof.print({
    extra: Option.some(Sha256.utf8(extra)),
    index,
    hashes,
    checkpoint: Option.getOrElse(receipt.checkpoint, () => "")
  })
}

/** Keys as a JWK set (RFC 7517). */
const keySetReply = (keys: ReadonlyArray<PublicKeySet.PublicKey>): StreamedReply => {
  return bytes(Sha256.utf8(JSON.stringify({ keys: keys.map(PublicKeySet.toJwk) })), {
    "content-type": JWK_SET,
    "cache-control": "no-cache"
  })
}

/** A proof that does not exist yet: the client asks again after a second. */
const notYet = (entry: string): StreamedReply => {
  const content = Sha256.utf8(JSON.stringify({ message: `Entry ${entry} is in no checkpoint yet` }))
  return {
    ...bytes(content, { "content-type": "application/json", "retry-after": "1" }),
    status: 404
  }
}

/** The path of a tile. */
interface TilePath {
  readonly org: OrgName
  readonly tile_path: string
}

/** The path of an epoch. */
interface EpochPath {
  readonly org: OrgName
  readonly epoch: number
}

/** The subject of a query. INVARIANT: the contract has checked that it names one thing. */
const recordedOf = (query: typeof RecordParams.Type): Option.Option<Recorded> => {
  const { attestation_id, fingerprint, flow_name, env_name, snapshot } = query
  if (attestation_id !== undefined) return Option.some({ _tag: "Attestation", id: attestation_id })
  if (fingerprint !== undefined) {
    return Option.some({ _tag: "Artifact", fingerprint, flow: Option.fromNullable(flow_name) })
  }
  return env_name === undefined || snapshot === undefined
    ? Option.none()
    : Option.some({ _tag: "Snapshot", environment: env_name, index: snapshot })
}

const make = Effect.gen(function* () {
  const views = yield* LogViews
  const recorded = yield* EvidenceEntries
  const base = yield* PublicUrl
  const asked = ({ org }: { readonly org: OrgName }) => ({ org, origin: Log.originOf(base, org) })
  const placeOf = (path: TilePath): Effect.Effect<Tile.TilePlace, TileNotFound> =>
    Option.match(Tile.parsePlace(path.tile_path), {
      onNone: () => new TileNotFound({ org: path.org }),
      onSome: Effect.succeed
    })
  const checkpointOf = (path: EpochPath) =>
    Effect.map(toWire(views.checkpoint({ ...asked(path), epoch: path.epoch })), textReply)
  const entriesOf = (path: EpochPath & TilePath) =>
    placeOf(path).pipe(
      Effect.flatMap((place) => views.entries({ ...asked(path), epoch: path.epoch }, place)),
      toWire,
      Effect.map(tileReply)
    )
  const tileOf = (path: EpochPath & TilePath & { readonly level: string }) =>
    Effect.gen(function* () {
      const level = Tile.parseLevel(path.level)
      if (Option.isNone(level)) return yield* new TileNotFound({ org: path.org })
      const place = yield* placeOf(path)
      const question = { ...asked(path), epoch: path.epoch }
      return yield* views.tile(question, { level: level.value, ...place })
    }).pipe(toWire, Effect.map(tileReply))
  const [erasures, publicLogs] = [yield* Erasures, yield* PublicLogs]
  return { views, recorded, erasures, publicLogs, asked, checkpointOf, entriesOf, tileOf }
})

/** Serves the log of an org. */
export const LogHandlers = group(
  LogApi,
  Effect.map(make, ({ views, recorded, erasures, publicLogs, ...parts }) => ({
    get: ({ path }) =>
      Effect.map(toWire(views.get(parts.asked(path))), (found) => ok(logOf(path.org, found))),
    patch: ({ path, payload }) =>
      publicLogs.put(path.org, payload.visibility).pipe(
        Effect.zipRight(views.get(parts.asked(path))),
        toWire,
        Effect.map((found) => ok(logOf(path.org, found)))
      ),
    keys: ({ urlParams: { org }, incoming, authenticate }) =>
      Effect.gen(function* () {
        if (org === undefined) return yield* toWire(publicLogs.listAll())
        const credentials = Authentication.read(incoming, ["bearer"])
        const actor =
          credentials._tag === "Key" ? yield* authenticate(credentials.text) : yield* CurrentActor
        return yield* toWire(publicLogs.listKeys(org, actor))
      }).pipe(Effect.map(keySetReply)),
    erase: ({ path, payload }) =>
      Effect.gen(function* () {
        const { value, entries: named = [], reason, files: isInFiles = true } = payload
        const found =
          value === undefined
            ? null
            : yield* erasures.find(parts.asked(path), { text: value, isInFiles })
        const entries = found?.entries ?? named
        const preview = payload.preview ?? value !== undefined
        if (!preview && entries.length > 0) {
          yield* erasures.erase(parts.asked(path), { entries, reason, value: value ?? null })
        }
        const searched = found === null ? null : { ...found.searched, members: PERSONAL_NAMES }
        return ok({ erased: entries, kept: found?.kept ?? [], searched, preview })
      }).pipe(toWire),
    listErasures: ({ path }) => Effect.map(toWire(erasures.list(path.org)), ok),
    // WHY the first epoch: its origin has no suffix, and readers find a log below its origin.
    checkpoint: ({ path }) => parts.checkpointOf({ ...path, epoch: 1 }),
    entries: ({ path }) => parts.entriesOf({ ...path, epoch: 1 }),
    tile: ({ path }) => parts.tileOf({ ...path, epoch: 1 }),
    epochCheckpoint: ({ path }) => parts.checkpointOf(path),
    epochEntries: ({ path }) => parts.entriesOf(path),
    epochTile: ({ path }) => parts.tileOf(path),
    recorded: ({ path, urlParams }) =>
      Effect.forEach(Option.toArray(recordedOf(urlParams)), (what) =>
        recorded.find(parts.asked(path), what)
      ).pipe(
        toWire,
        Effect.map((found) => found.flat()),
        Effect.map((entries) =>
          ok({
            entries: entries.map(({ entry, index }) => ({ entry, index: Option.getOrNull(index) }))
          })
        )
      ),
    receipt: ({ path, urlParams }) =>
      recorded
        .receipt(parts.asked(path), {
          entry: path.entry,
          size: Option.fromNullable(urlParams.size),
          wait: urlParams.wait ?? 0
        })
        .pipe(
          toWire,
          Effect.map(
            Option.match({
              onNone: () =>
                urlParams.format === "tlog-proof"
                  ? notYet(path.entry)
                  : ok({ status: "pending" as const, entry_id: path.entry }),
              onSome: (found) =>
                urlParams.format === "tlog-proof"
                  ? textReply(tlogProofOf(found))
                  : ok(receiptOf(path.entry, found))
            })
          )
        ),
    inclusion: ({ path, urlParams: { index, size } }) =>
      views.inclusion(parts.asked(path), { index, size: Option.fromNullable(size) }).pipe(
        toWire,
        Effect.map((proof) =>
          ok({
            index: proof.index,
            size: proof.size,
            leaf_hash: Base64.encode(proof.leaf),
            hashes: proof.hashes.map(Base64.encode),
            root: Base64.encode(proof.root)
          })
        )
      ),
    consistency: ({ path, urlParams }) =>
      views.consistency(parts.asked(path), urlParams).pipe(
        toWire,
        Effect.map(({ from, to, hashes, fromRoot, toRoot }) =>
          ok({
            from,
            to,
            hashes: hashes.map(Base64.encode),
            from_root: Base64.encode(fromRoot),
            to_root: Base64.encode(toRoot)
          })
        )
      ),
    events: ({ path, urlParams }) =>
      views
        .events(parts.asked(path), {
          after: urlParams.after ?? -1,
          limit: urlParams.limit ?? EVENTS,
          wait: urlParams.wait ?? 0
        })
        .pipe(
          toWire,
          Effect.flatMap(({ events, size }) =>
            Effect.map(
              Slices.map(
                events.filter((each) => isWanted(urlParams, each)),
                eventOf
              ),
              (shown) =>
                ok({
                  events: shown,
                  next: events.at(-1)?.leaf.index ?? urlParams.after ?? -1,
                  size
                })
            )
          )
        )
  }))
)
