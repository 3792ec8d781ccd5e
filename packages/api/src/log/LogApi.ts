/** The verifiable log of an org: tiles, checkpoints, proofs, receipts and events. SPEC §4.21 */
import { Fingerprint } from "@attestry/core/Fingerprint"
import { AttestationId, EnvironmentName, FlowName } from "@attestry/core/Identifier"
import { JournalSubject } from "@attestry/core/JournalEntry"
import { EpochSeconds } from "@attestry/core/Timestamp"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { LoggedActor } from "../journal/JournalApi.js"
import { jsonBody, noBody, Operation, rule } from "../shared/Operation.js"
import { entryId, epoch, org, tileLevel, tilePath } from "../shared/PathParam.js"
import { integer, optional, repeatable } from "../shared/QueryParam.js"
import { ErasureRequest, ErasureResponse, MadeErasures } from "./ErasureFields.js"
import { LogResponse, PatchLog } from "./LogFields.js"
import { PublicKeyParams, PublicKeys } from "./PublicKeys.js"

/** The state of a log, and a change of it. */
export { LogResponse, PatchLog } from "./LogFields.js"

/** The largest size of a log, as in core. WHY not imported: the client would get the hash functions with it. */
const SIZE_MAX = Number.MAX_SAFE_INTEGER

/** The largest number of events on a page, and the number by default. */
export const EVENTS_MAX = 1_000
/** The number of events on a page by default. */
export const EVENTS = 100

/** The most seconds that a request waits for a receipt. */
export const RECEIPT_WAIT_MAX = 10
/** The most seconds that a request waits for events. */
export const EVENTS_WAIT_MAX = 30

const required = <A, I>(schema: Schema.Schema<A, I>, description: string) =>
  schema.annotations({ description })

const read = rule("org.read", noBody)

/** Open for logs that are public. */
const readOrOpen = rule("org.read", noBody, { opensPublicLog: true })

const Text = Schema.String.pipe(
  HttpApiSchema.withEncoding({ kind: "Text", contentType: "text/plain" })
)

/** A proof that a leaf is in a tree. */
export const InclusionProof = Schema.Struct({
  index: Schema.Int,
  size: Schema.Int,
  leaf_hash: Schema.String,
  hashes: Schema.Array(Schema.String),
  root: Schema.String
}).annotations({ identifier: "InclusionProof" })

/** A proof that one tree is the beginning of another. */
export const ConsistencyProof = Schema.Struct({
  from: Schema.Int,
  to: Schema.Int,
  hashes: Schema.Array(Schema.String),
  from_root: Schema.String,
  to_root: Schema.String
}).annotations({ identifier: "ConsistencyProof" })

/** The receipt of an entry, or that there is none yet. */
export const InclusionReceipt = Schema.Union(
  Schema.Struct({
    status: Schema.Literal("included"),
    entry_id: Schema.String,
    index: Schema.Int,
    size: Schema.Int,
    hashes: Schema.Array(Schema.String),
    entry: Schema.String,
    disclosures: Schema.Array(Schema.String),
    checkpoint: Schema.NullOr(Schema.String)
  }),
  Schema.Struct({ status: Schema.Literal("pending"), entry_id: Schema.String })
).annotations({ identifier: "InclusionReceipt" })

/** The largest index of a snapshot. */
const SNAPSHOT_MAX = 2 ** 31 - 1

interface RecordQuery {
  readonly attestation_id?: unknown
  readonly fingerprint?: unknown
  readonly flow_name?: unknown
  readonly env_name?: unknown
  readonly snapshot?: unknown
}

/** Refuses a query that names nothing, or more than one thing. */
const oneRecord = ({ attestation_id, fingerprint, flow_name, env_name, snapshot }: RecordQuery) => {
  const count = [attestation_id, fingerprint, env_name].filter((each) => each !== undefined).length
  if (count !== 1) {
    const path = count === 0 ? "attestation_id" : "env_name"
    const message = "Input should be one of `attestation_id`, `fingerprint` and `env_name`"
    return { path: [count > 1 && env_name === undefined ? "fingerprint" : path], message }
  }
  if (flow_name !== undefined && fingerprint === undefined) {
    return { path: ["flow_name"], message: "Input should be given with `fingerprint`" }
  }
  return (env_name === undefined) === (snapshot === undefined)
    ? undefined
    : { path: ["snapshot"], message: "Input should be given with `env_name`" }
}

/** The subject of the entries. */
export const RecordParams = Schema.Struct({
  attestation_id: optional(AttestationId, "The id of an attestation."),
  fingerprint: optional(Fingerprint, "The SHA-256 fingerprint of an artifact."),
  flow_name: optional(FlowName, "With `fingerprint`: only as it was reported to this flow."),
  env_name: optional(EnvironmentName, "The name of an environment, with `snapshot`."),
  snapshot: optional(
    integer(1, SNAPSHOT_MAX),
    "With `env_name`: the number of one of its snapshots."
  )
}).pipe(Schema.filter(oneRecord))

/** The entries of something that was recorded, newest first. */
export const RecordedEntries = Schema.Struct({
  entries: Schema.Array(Schema.Struct({ entry: Schema.String, index: Schema.NullOr(Schema.Int) }))
}).annotations({ identifier: "RecordedEntries" })

/** An entry of the log. */
export const LogEvent = Schema.Struct({
  entry: Schema.String,
  index: Schema.Int,
  at: EpochSeconds,
  kind: Schema.String,
  subject: JournalSubject.annotations({ identifier: "JournalSubject" }),
  actor: LoggedActor,
  prev: Schema.NullOr(Schema.Int),
  content: Schema.Unknown,
  erased: Schema.Array(Schema.String)
}).annotations({ identifier: "LogEvent" })

/** Entries by index. */
export const LogEvents = Schema.Struct({
  events: Schema.Array(LogEvent),
  next: Schema.Int,
  size: Schema.Int
}).annotations({ identifier: "LogEvents" })

/** Which entries are wanted. */
export const EventParams = Schema.Struct({
  after: optional(
    integer(-1, SIZE_MAX),
    "Only entries above this index; from the beginning by default. Pass `next` of the " +
      "previous answer."
  ),
  limit: optional(
    integer(1, EVENTS_MAX),
    `How many entries are read, at most ${EVENTS_MAX}; ${EVENTS} by default.`
  ),
  kind: optional(repeatable(Schema.String), "Only entries of this kind. May be repeated."),
  subject_type: optional(
    repeatable(Schema.String),
    "Only entries about this type of subject. May be repeated."
  ),
  wait: optional(
    integer(0, EVENTS_WAIT_MAX),
    `How many seconds to wait for the first entry, at most ${EVENTS_WAIT_MAX}; 0 by default.`
  )
})

const size = optional(
  integer(1, SIZE_MAX),
  "The size of the tree of the proof; that of the newest checkpoint by default."
)

/** The operations of the log. */
export class LogApi extends HttpApiGroup.make("log")
  .add(
    HttpApiEndpoint.get("get")`/log/${org}`
      .addSuccess(LogResponse)
      .annotate(Operation, readOrOpen)
      .annotate(OpenApi.Summary, "Show the state of the log")
      .annotate(
        OpenApi.Description,
        "Answers the size and the root of the log of the org, its newest checkpoint and the " +
          "keys that sign it. A log is `catching_up` while more than a batch of entries waits, " +
          "`unsigned` while the deployment has no key, and `stopped` when it does not continue " +
          "its signed checkpoints. `scrub` is the last verification in the background."
      )
  )
  .add(
    HttpApiEndpoint.patch("patch")`/log/${org}`
      .setPayload(PatchLog)
      .addSuccess(LogResponse)
      .annotate(Operation, rule("log.write", jsonBody))
      .annotate(OpenApi.Summary, "Say who may read the log")
      .annotate(
        OpenApi.Description,
        "With `public` all callers may read checkpoints, tiles, entry bundles, proofs and " +
          "the state of the log, which reveal times and salted digests. Only members read " +
          "receipts and events. The change is an entry of the log."
      )
  )
  .add(
    HttpApiEndpoint.get("checkpoint")`/log/${org}/checkpoint`
      .addSuccess(Text)
      .annotate(Operation, readOrOpen)
      .annotate(OpenApi.Summary, "Read the newest checkpoint")
      .annotate(
        OpenApi.Description,
        "Answers the newest checkpoint as a signed note of C2SP tlog-checkpoint; 503 while nothing is signed."
      )
  )
  .add(
    HttpApiEndpoint.get("entries")`/log/${org}/tile/entries/${tilePath}`
      .addSuccess(HttpApiSchema.Uint8Array())
      .annotate(Operation, readOrOpen)
      .annotate(OpenApi.Summary, "Read an entry bundle")
      .annotate(
        OpenApi.Description,
        "Answers up to 256 entries in the format of C2SP tlog-tiles, each after its length " +
          "in two bytes. An entry reveals a time and salted digests. 404 for a bundle or a " +
          "width that the newest checkpoint does not reach."
      )
  )
  .add(
    HttpApiEndpoint.get("tile")`/log/${org}/tile/${tileLevel}/${tilePath}`
      .addSuccess(HttpApiSchema.Uint8Array())
      .annotate(Operation, readOrOpen)
      .annotate(OpenApi.Summary, "Read a tile of hashes")
      .annotate(
        OpenApi.Description,
        "Answers up to 256 hashes of a level as C2SP tlog-tiles has them. Its bytes never change. 404 for a tile or " +
          "a width that the newest checkpoint does not reach, and for any other spelling."
      )
  )
  .add(
    HttpApiEndpoint.get("epochCheckpoint")`/log/${org}/epochs/${epoch}/checkpoint`
      .addSuccess(Text)
      .annotate(Operation, readOrOpen)
      .annotate(OpenApi.Summary, "Read the newest checkpoint of an epoch")
      .annotate(
        OpenApi.Description,
        "Answers as the checkpoint of the log does, for one epoch. A log has more than one after an operator has " +
          "accepted that a part of it was lost; only the newest is still signed."
      )
  )
  .add(
    HttpApiEndpoint.get("epochEntries")`/log/${org}/epochs/${epoch}/tile/entries/${tilePath}`
      .addSuccess(HttpApiSchema.Uint8Array())
      .annotate(Operation, readOrOpen)
      .annotate(OpenApi.Summary, "Read an entry bundle of an epoch")
      .annotate(OpenApi.Description, "Answers as an entry bundle of the log does, for one epoch.")
  )
  .add(
    HttpApiEndpoint.get("epochTile")`/log/${org}/epochs/${epoch}/tile/${tileLevel}/${tilePath}`
      .addSuccess(HttpApiSchema.Uint8Array())
      .annotate(Operation, readOrOpen)
      .annotate(OpenApi.Summary, "Read a tile of hashes of an epoch")
      .annotate(OpenApi.Description, "Answers as a tile of the log does, for one epoch.")
  )
  .add(
    HttpApiEndpoint.get("recorded")`/log/${org}/entries`
      .setUrlParams(RecordParams)
      .addSuccess(RecordedEntries)
      .annotate(Operation, read)
      .annotate(
        OpenApi.Summary,
        "Find the log entries of an attestation, an artifact or a snapshot"
      )
      .annotate(
        OpenApi.Description,
        "Answers the ids of the entries that recorded an attestation, an artifact or a " +
          "snapshot, newest first and at most 100, for requests of their receipts. `index` is " +
          "null until a checkpoint includes the entry. An artifact has one for each trail to " +
          "which it was reported; an unknown resource has none."
      )
  )
  .add(
    HttpApiEndpoint.get("receipt")`/log/${org}/entries/${entryId}`
      .setUrlParams(
        Schema.Struct({
          size,
          wait: optional(
            integer(0, RECEIPT_WAIT_MAX),
            `How many seconds to wait for a checkpoint that includes it, at most ${RECEIPT_WAIT_MAX}; 0 by default.`
          ),
          format: optional(
            Schema.Literal("json", "tlog-proof"),
            "`json` (the default), or `tlog-proof` for the text of C2SP tlog-proof."
          )
        })
      )
      .addSuccess(InclusionReceipt)
      .annotate(Operation, read)
      .annotate(OpenApi.Summary, "Read the receipt of an entry")
      .annotate(
        OpenApi.Description,
        "Answers the proof that an entry is in the log: its bytes, the disclosures that the caller may see, the " +
          "hashes from its sibling upwards and the checkpoint. `pending` until a checkpoint includes the entry."
      )
  )
  .add(
    HttpApiEndpoint.get("inclusion")`/log/${org}/proofs/inclusion`
      .setUrlParams(
        Schema.Struct({ index: required(integer(0, SIZE_MAX), "The index of the leaf."), size })
      )
      .addSuccess(InclusionProof)
      .annotate(Operation, readOrOpen)
      .annotate(OpenApi.Summary, "Prove that a leaf is in the log")
      .annotate(
        OpenApi.Description,
        "Answers the hash of a leaf, the hashes from its sibling upwards, and the root that they lead to (RFC 6962)."
      )
  )
  .add(
    HttpApiEndpoint.get("consistency")`/log/${org}/proofs/consistency`
      .setUrlParams(
        Schema.Struct({
          from: required(integer(0, SIZE_MAX), "The size of the first tree."),
          to: required(integer(0, SIZE_MAX), "The size of the second tree.")
        })
      )
      .addSuccess(ConsistencyProof)
      .annotate(Operation, readOrOpen)
      .annotate(OpenApi.Summary, "Prove that the log only grew")
      .annotate(
        OpenApi.Description,
        "Answers the hashes which show that the tree of one size is the beginning of that of another (RFC 6962). A " +
          "size of 0 and equal sizes need none."
      )
  )
  .add(
    HttpApiEndpoint.get("events")`/events/${org}`
      .setUrlParams(EventParams)
      .addSuccess(LogEvents)
      .annotate(Operation, read)
      .annotate(OpenApi.Summary, "Follow accepted writes")
      .annotate(
        OpenApi.Description,
        "Answers entries of the log by index: dense, in one order, the same for every reader. Pass `next` as " +
          "`after`: nothing is skipped and nothing comes twice, also with filters. Entries about keys and people " +
          "have no content for callers who are not admins, and addresses of targets are redacted for them."
      )
  )
  .add(
    HttpApiEndpoint.get("keys", "/keys")
      .setUrlParams(PublicKeyParams)
      .addSuccess(PublicKeys)
      .annotate(Operation, rule("open", noBody))
      .annotate(OpenApi.Summary, "List the public keys of logs")
      .annotate(
        OpenApi.Description,
        "Answers the keys that sign or have signed logs as a JWK set (RFC 7517), named by their thumbprints: " +
          "those of public logs, or of one org with `org`."
      )
  )
  .add(
    HttpApiEndpoint.post("erase")`/erasures/${org}`
      .setPayload(ErasureRequest)
      .addSuccess(ErasureResponse)
      .annotate(Operation, rule("erasure.write", jsonBody))
      .annotate(OpenApi.Summary, "Erase personal data")
      .annotate(
        OpenApi.Description,
        "Erases members with personal names from entries and from the records that follow " +
          "from them, for good; every proof stays valid. With `value` it finds the members " +
          "that are equal to a text, and those of free form that contain it, in at most 100 " +
          "entries at a time, and only lists them unless `preview` is false. The answer has " +
          "the number of searched entries and the places that keep the text."
      )
  )
  .add(
    HttpApiEndpoint.get("listErasures")`/erasures/${org}`
      .addSuccess(MadeErasures)
      .annotate(Operation, rule("erasure.write", noBody))
      .annotate(OpenApi.Summary, "List erasures")
      .annotate(
        OpenApi.Description,
        "Answers the newest 100 erasures, newest first: when, by whom, why, and which members of which entries."
      )
  )
  .annotate(OpenApi.Title, "Log")
  .annotate(
    OpenApi.Description,
    "A Merkle log with one entry for each accepted write of an org, which shows that nothing was changed or removed."
  ) {}
