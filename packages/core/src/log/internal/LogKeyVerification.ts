/** Verifies the public keys of logs, and the cosignatures on their checkpoints: parts of level 1. */

import * as SignedNote from "@attestry/transparency-log/SignedNote"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { JournalStore } from "../../journal/JournalStore.js"
import { type DamagedRow, noting } from "../../shared/DamagedRecords.js"
import type { OrgId } from "../../shared/Identifier.js"
import type { StoreError } from "../../shared/StoreError.js"
import { Transaction } from "../../shared/Transaction.js"
import type { LogCheckpoint, LogTree, RecordedKey } from "../Log.js"
import { type EpochStarted, startedOf } from "../LogEpochs.js"
import type { LogFinding } from "../LogFinding.js"
import { LogPublishing } from "../LogPublishing.js"
import { LogSigner } from "../LogSigner.js"
import { type CheckpointSizes, type Cosignature, LogStore } from "../LogStore.js"
import * as LogKeyHistory from "./LogKeyHistory.js"

/** The known facts about the keys of an org's logs. */
export interface OrgKeys {
  readonly rows: ReadonlyArray<RecordedKey>
  readonly rotations: ReadonlyArray<LogKeyHistory.KeyRotation>
  /** Unreadable rows among them. */
  readonly unreadable: ReadonlyArray<DamagedRow>
  /** How later epochs began, according to log entries. */
  readonly epochs: ReadonlyArray<EpochStarted>
}

const parsed = (vkeys: Iterable<string>): ReadonlyArray<SignedNote.VerifierKey> =>
  [...vkeys].flatMap((vkey) => Option.toArray(SignedNote.parseKey(vkey)))

/** The ids of the keys with a signature in a note. */
export const signersOf = (note: string): ReadonlySet<string> =>
  new Set(
    Option.match(SignedNote.parse(note), {
      onNone: () => [],
      onSome: ({ signatures }) => signatures.map(({ keyId }) => keyId)
    })
  )

/** Verifies keys and cosignatures with the ports of a store. */
export const make = Effect.gen(function* () {
  const [store, journal, signer] = [yield* LogStore, yield* JournalStore, yield* LogSigner]
  const { policy } = yield* LogPublishing
  const transaction = yield* Transaction
  const witnesses = Option.match(policy, {
    onNone: () => [],
    onSome: (each) => each.witnesses.map(({ key }) => key)
  })

  /** The stored keys of an org, and their rotations according to its log. */
  const keysOf = (org: OrgId): Effect.Effect<OrgKeys, StoreError> =>
    transaction.snapshot(
      org,
      Effect.gen(function* () {
        const [entries, left] = yield* noting(journal.listBySubject(org, { type: "log", id: org }))
        const [rows, others] = yield* noting(store.listKeys(org))
        return {
          rows,
          unreadable: [...left, ...others],
          rotations: entries.flatMap((entry) => Option.toArray(LogKeyHistory.rotationOf(entry))),
          epochs: entries.flatMap((entry) => Option.toArray(startedOf(entry)))
        }
      })
    )

  const sourcesOf = (origin: string, { rotations }: OrgKeys) =>
    Effect.map(signer.known(origin), (known) => ({
      known,
      rotations: LogKeyHistory.ofOrigin(rotations, origin)
    }))

  /** The keys that may have signed a log. Stored keys count only if there is no other source. */
  const trusted = (origin: string, keys: OrgKeys) =>
    Effect.map(sourcesOf(origin, keys), (sources) =>
      parsed(
        sources.known.length === 0
          ? keys.rows.map(({ vkey }) => vkey)
          : LogKeyHistory.trusted(sources)
      )
    )

  /** The key rows of a tree that differ. A key that has signed must have a row. */
  const compareKeys = (
    { origin }: LogTree,
    keys: OrgKeys,
    newest: Option.Option<LogCheckpoint>
  ): Effect.Effect<ReadonlyArray<LogFinding>> =>
    Effect.map(sourcesOf(origin, keys), (sources) => {
      const rows = keys.rows.filter(({ vkey }) => LogKeyHistory.originOf(vkey) === origin)
      const found = LogKeyHistory.compare(rows, sources)
      const signers = Option.match(newest, {
        onNone: () => new Set<string>(),
        onSome: ({ note }) => signersOf(note)
      })
      const isFound = new Set(found.flatMap((each) => ("vkey" in each ? [each.vkey] : [])))
      const missing = sources.known.filter(
        ({ vkey }) =>
          !isFound.has(vkey) &&
          !rows.some((row) => row.vkey === vkey) &&
          parsed([vkey]).some((key) => signers.has(SignedNote.keyId(key)))
      )
      return [...found, ...missing.map(({ vkey }): LogFinding => ({ _tag: "KeyMissing", vkey }))]
    })

  /** Key rows whose first size is above a checkpoint that the key has signed. */
  const compareBegins = (
    { origin }: LogTree,
    { rows }: OrgKeys,
    firstSigned: ReadonlyMap<string, number>
  ): ReadonlyArray<LogFinding> =>
    rows.flatMap(({ vkey, first_size }) => {
      const [key] = LogKeyHistory.originOf(vkey) === origin ? parsed([vkey]) : []
      const first = key === undefined ? undefined : firstSigned.get(SignedNote.keyId(key))
      return first !== undefined && first < first_size
        ? [{ _tag: "KeyChanged" as const, vkey, column: "first_size" }]
        : []
    })

  /** Key rows that belong to none of the org's logs. */
  const strangers = (
    trees: ReadonlyArray<LogTree>,
    { rows }: OrgKeys
  ): ReadonlyArray<LogFinding> => {
    const origins = new Set<string | undefined>(trees.map(({ origin }) => origin))
    return rows
      .filter(({ vkey }) => !origins.has(LogKeyHistory.originOf(vkey)))
      .map(({ vkey }) => ({ _tag: "KeyUnknown", vkey }))
  }

  /**
   * Whether a signature line belongs to its witness and, if the witness is known, is a valid cosignature of the
   * checkpoint.
   */
  const isTrue = ({ note }: LogCheckpoint, { line: text, witness, key_id }: Cosignature) =>
    Effect.gen(function* () {
      const line = SignedNote.parseLine(text.replace(/\n$/, ""))
      const signed = SignedNote.parse(note)
      if (Option.isNone(line) || Option.isNone(signed)) return false
      if (line.value.name !== witness || line.value.keyId !== key_id) return false
      const key = witnesses.find((each) => SignedNote.isBy(each, line.value))
      if (key === undefined) return true
      const claim = SignedNote.claimed(signed.value, { key, line: line.value })
      return Option.isSome(claim) && (yield* signer.verify(claim.value))
    })

  /** Reads the checkpoint of a cosignature again; none if the checkpoint or the cosignature no longer exists. */
  const reread = (tree: LogTree, { size, line }: Cosignature) =>
    Effect.gen(function* () {
      const sizes = { after: size - 1, upTo: size }
      const [[found]] = yield* noting(store.listCheckpoints(tree, sizes))
      const [lines] = yield* noting(store.listCosignatures(tree, sizes))
      const isThere = lines.some((each) => each.line === line)
      return { found, isThere }
    })

  /** The cosignatures in a range of sizes that do not match. Read after the checkpoints of the range. */
  const compareCosignatures = (
    tree: LogTree,
    sizes: CheckpointSizes,
    signed: ReadonlyArray<LogCheckpoint>
  ): Effect.Effect<ReadonlyArray<LogFinding>, StoreError> =>
    Effect.gen(function* () {
      const findings: Array<LogFinding> = []
      if ((yield* signer.known(tree.origin)).length === 0) return findings
      const [rows, unreadable] = yield* noting(store.listCosignatures(tree, sizes))
      for (const row of unreadable) findings.push({ _tag: "RowUnreadable", ...row })
      for (const row of rows) {
        const { size, witness } = row
        const read = signed.find((each) => each.size === size)
        // WHY once more: a checkpoint may have been signed or thinned since they were read.
        const again = read === undefined ? yield* reread(tree, row) : { found: read, isThere: true }
        if (!again.isThere) continue
        const fits = again.found !== undefined && (yield* isTrue(again.found, row))
        if (!fits) findings.push({ _tag: "CosignatureChanged", size, witness })
      }
      return findings
    })

  return { keysOf, trusted, compareKeys, compareBegins, strangers, compareCosignatures } as const
})
