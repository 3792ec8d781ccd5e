/**
 * Permanently erases personal members: from the journal, from the salts of the log, and from the records derived from
 * them. The names of people who wrote entries are personal members too.
 *
 * One transaction does all of it. It records which members of which entries were erased, by whom and why, but never
 * their values. Backups keep the data until they expire.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Access from "../access/Access.js"
import { CurrentActor } from "../access/Actor.js"
import { AccessEpoch } from "../access/internal/AccessEpoch.js"
import * as WriteContext from "../access/internal/WriteContext.js"
import { Fingerprint } from "../artifact/Fingerprint.js"
import { AttachmentStore } from "../attestation/AttachmentStore.js"
import * as ErasedMarks from "../journal/ErasedMembers.js"
import type { JournalActor, JournalEntry } from "../journal/JournalEntry.js"
import { JournalStore } from "../journal/JournalStore.js"
import { Journals } from "../journal/Journals.js"
import { EntryIds } from "../log/EntryIds.js"
import * as Erasure from "../log/Erasure.js"
import * as EntryId from "../log/internal/EntryId.js"
import type { LoggedEntry } from "../log/Log.js"
import { LogEntryNotFound } from "../log/LogProof.js"
import { LogSequencer } from "../log/LogSequencer.js"
import { LogStore } from "../log/LogStore.js"
import { LogUpkeep } from "../log/LogUpkeep.js"
import type { Json } from "../shared/CanonicalJson.js"
import * as CanonicalJson from "../shared/CanonicalJson.js"
import type { OrgId, OrgName } from "../shared/Identifier.js"
import { IdGenerator } from "../shared/IdGenerator.js"
import { Secrets } from "../shared/Secrets.js"
import * as Timestamp from "../shared/Timestamp.js"
import { Transaction } from "../shared/Transaction.js"
import { AuditStore } from "./AuditStore.js"
import * as ErasedText from "./ErasedText.js"
import * as ErasedParts from "./internal/ErasedParts.js"
import * as ErasedRows from "./internal/ErasedRows.js"
import type { ErasedMembers, FoundText, SearchedText } from "./internal/ErasureFinding.js"
import * as ErasureFinding from "./internal/ErasureFinding.js"
import { Replay } from "./internal/Replay.js"
import { UNRECORDED } from "./internal/ReplayState.js"
import { differences } from "./RecordVerification.js"

/** The members to erase, and the reason. */
export interface ErasureDraft {
  readonly entries: ReadonlyArray<ErasedMembers>
  readonly reason: string
  /**
   * The text by which the members were found, which is also erased from user accounts; null if the request named the
   * members.
   */
  readonly value: string | null
}

/** A completed erasure. */
export interface MadeErasure extends Omit<ErasureDraft, "value"> {
  readonly at: Timestamp.Timestamp
  readonly by: string
}

/** The org, and the origin for its log if the log must be created. */
export interface ErasurePath {
  readonly org: OrgName
  readonly origin: string
}

/** The org, and the actor of the erasure. */
interface ErasingPath extends ErasurePath {
  readonly orgId: OrgId
  readonly by: JournalActor
}

/** A text to erase from every personal member that has it. */
export interface ValueErasure {
  readonly value: string
  readonly reason: string
  /** Whether this is a dry run. */
  readonly preview: boolean
}

/** A pointer is not that of a personal member of its entry. */
export class NotPersonal extends Schema.TaggedError<NotPersonal>()("NotPersonal", {
  entry: Schema.String,
  pointer: Schema.String,
  /** The indexes of the entry and of the pointer in the request. */
  place: Schema.Tuple(Schema.Int, Schema.Int)
}) {
  override get message(): string {
    return `\`${this.pointer}\` is no personal member of entry ${this.entry}`
  }
}

const KIND = "personal_data_erased"

/** The maximum number of erasures in a list. */
const LISTED_MAX = 100

const NOTHING: FoundText = {
  entries: [],
  kept: [],
  searched: { entries: 0, files: 0, complete: true }
}

const PERMISSION = "erasure.write"

/** An erasure in progress. */
interface Erasing extends Pick<ErasureDraft, "value"> {
  readonly org: OrgName
  readonly orgId: OrgId
  /** The key for the ids of entries. */
  readonly key: Uint8Array
  readonly at: Timestamp.Timestamp
}

/**
 * The users whose names an erasure of an entry removes: the user that the entry is about and, if the erasure is by
 * value, its actor.
 */
const peopleOf = ({ actor, subject }: JournalEntry, isByValue: boolean): ReadonlySet<string> =>
  new Set([
    ...(subject.type === "user" ? [subject.id] : []),
    ...(isByValue && actor.kind === "user" ? [actor.id] : [])
  ])

/** Kinds of entries whose actor created the notification; the subject is its number. */
const NOTIFICATIONS: ReadonlySet<string> = new Set([
  "environment_notification_created",
  "flow_notification_created"
])

/** The texts to erase from copies: those of the erased members, and the text by which they were found. */
const textsOf = (values: ReadonlyArray<Json>, value: string | null): ReadonlyArray<string> => {
  const texts = values.flatMap(ErasedText.copiedOf)
  return [...new Set(value === null || values.length === 0 ? texts : [...texts, value])]
}

const decodeMade = Schema.decodeUnknownOption(
  Schema.Struct({
    reason: Schema.String,
    entries: Schema.Array(
      Schema.Struct({ entry: Schema.String, pointers: Schema.Array(Schema.String) })
    )
  })
)

/** Use cases: erasures. */
export class Erasures extends Effect.Service<Erasures>()("@attestry/core/Erasures", {
  effect: Effect.gen(function* () {
    const [logs, journal, records] = [yield* LogStore, yield* JournalStore, yield* AuditStore]
    const [journals, entryIds, ids] = [yield* Journals, yield* EntryIds, yield* IdGenerator]
    const [sequencer, upkeep] = [yield* LogSequencer, yield* LogUpkeep]
    const [secrets, transaction] = [yield* Secrets, yield* Transaction]
    const [accessEpoch, attachments] = [yield* AccessEpoch, yield* AttachmentStore]
    const [rows, finding] = [yield* ErasedRows.make, yield* ErasureFinding.make]

    const granted = (org: OrgName) =>
      Effect.flatMap(CurrentActor, (actor) => Access.authorize(actor, org, PERMISSION))

    /** Adds waiting entries to the log, if no worker does. */
    const prepare = (org: OrgId, origin: string) =>
      upkeep === "worker" ? Effect.void : sequencer.catchUp(org, origin)

    const findLogged = (org: OrgId, sequence: number) =>
      Effect.gen(function* () {
        for (const tree of [...(yield* logs.listTrees(org))].reverse()) {
          const [found] = yield* logs.listLogged(tree, { sequence })
          if (found !== undefined) return Option.some(found)
        }
        return Option.none<LoggedEntry>()
      })

    /** Erases texts from copies outside of the records. */
    const eraseCopies = (
      { orgId: org, value, at }: Erasing,
      entry: JournalEntry,
      texts: ReadonlyArray<string>
    ) =>
      Effect.gen(function* () {
        if (texts.length === 0) return
        const left = { texts, left: ErasedMarks.ERASED }
        const parts = texts.map(ErasedText.partOf)
        yield* records.withholdAnswers(org, parts)
        for (const { id, notification } of yield* records.listDeliveries(org, parts)) {
          yield* records.putDelivery(org, {
            id,
            notification: ErasedText.erased(notification, texts)
          })
        }
        if (value !== null)
          yield* records.eraseAddresses(org, { target: null, urls: [value], emails: [value], at })
        for (const user of peopleOf(entry, value !== null)) {
          yield* records.eraseTexts(org, { user, ...left })
        }
        if (NOTIFICATIONS.has(entry.kind)) {
          yield* records.eraseTexts(org, { number: Number(entry.subject.id), ...left })
        }
      })

    /** Erases members of one entry. */
    const eraseEntry = (
      erasing: Erasing,
      { entry, pointers, at }: ErasedMembers & { readonly at: number }
    ) =>
      Effect.gen(function* () {
        const { org, orgId, key } = erasing
        const sequence = EntryId.read(key, entry)
        const logged = Option.isNone(sequence)
          ? Option.none<LoggedEntry>()
          : yield* findLogged(orgId, sequence.value)
        if (Option.isNone(logged)) return yield* new LogEntryNotFound({ org, entry })
        const erased = Erasure.erase(logged.value, pointers)
        if (Either.isLeft(erased)) {
          const pointer = erased.left
          return yield* new NotPersonal({ entry, pointer, place: [at, pointers.indexOf(pointer)] })
        }
        const content = CanonicalJson.print(erased.right.content)
        const digest = yield* secrets.digest(content)
        const { remains, actor, values, files } = erased.right
        // WHY the condition: if only a file is erased, the entry does not change.
        if (values.length > 0)
          yield* logs.erase(orgId, {
            sequence: logged.value.entry.sequence,
            actor,
            content,
            digest,
            remains
          })
        for (const file of files)
          yield* attachments.erase({ org: orgId, fingerprint: Fingerprint.make(file) })
        const texts = textsOf(values, erasing.value)
        yield* eraseCopies(erasing, logged.value.entry, texts)
        return {
          subject: logged.value.entry.subject,
          texts,
          files
        } satisfies ErasedParts.ErasedEntry
      })

    /** Updates the records of a subject to the erased journal. */
    const mend = ({ orgId: org, value, at }: Erasing, { subject, texts }: ErasedParts.ErasedPart) =>
      Effect.gen(function* () {
        const replay = new Replay()
        const added = (yield* journal.listBySubject(org, subject)).flatMap((entry) =>
          replay.accept(entry)
        )
        const expected = [
          ...added,
          ...[...replay.records].flatMap(([table, rows]) =>
            [...rows].map(([key, columns]) => ({ table, key, columns }))
          )
        ]
        for (const { table, key, columns } of expected) {
          // WHY: the journal no longer has the address.
          if (table === "notification_target" && columns.target === UNRECORDED) {
            const emails = value === null ? texts : [value]
            yield* records.eraseAddresses(org, { target: key, urls: texts, emails, at })
          }
          for (const stored of yield* records.listRecords(org, table, { keys: [key] })) {
            const changed = differences(table, columns, stored.columns)
            const ordered = Object.fromEntries(
              Object.entries(columns).map(([name, value]) => [
                name,
                ErasedText.inOrderOf(stored.columns[name], value)
              ])
            )
            yield* records.eraseRecord(org, { kind: table, key, columns: ordered, changed })
          }
        }
        // WHY last: updating an allow-list adds to its earlier entries, from which the texts are erased here.
        if (subject.type === "environment" && texts.length > 0) {
          const left = ErasedMarks.ERASED
          yield* records.eraseTexts(org, { environment: subject.id, texts, left })
        }
      })

    const eraseAs = Effect.fn("Erasures.eraseAs")(function* (
      { org, orgId, origin, by }: ErasingPath,
      draft: ErasureDraft
    ) {
      yield* prepare(orgId, origin)
      const key = Option.getOrElse(
        yield* entryIds.keyOf({ org: orgId, origin }),
        () => new Uint8Array(EntryId.KEY_BYTES)
      )
      yield* transaction.run(orgId, (scope) =>
        Effect.gen(function* () {
          const now = yield* scope.now
          const erasing = { org, orgId, key, value: draft.value, at: now }
          const parts = yield* Effect.forEach(draft.entries, (each, at) =>
            eraseEntry(erasing, { ...each, at })
          )
          for (const part of ErasedParts.bySubject(parts)) yield* mend(erasing, part)
          // WHY: a person may erase their own name, and this entry must not add it again.
          const isOwn = parts.some(({ texts }) => texts.includes(by.name))
          const actor = isOwn ? { ...by, name: ErasedMarks.ERASED } : by
          const trails = ErasedParts.bySubject(parts).flatMap(({ subject, texts }) =>
            subject.type === "trail" && texts.length > 0 ? [{ trail: subject.id, texts }] : []
          )
          const writer = { org: orgId, actor, at: now }
          yield* rows.erase(writer, trails)
          yield* journals.record({
            ...writer,
            kind: KIND,
            subject: { type: "erasure", id: yield* ids.next },
            content: {
              entries: draft.entries,
              reason: draft.reason,
              ...ErasedParts.removedBy(parts)
            }
          })
        })
      )
      // WHY: cached credentials contain names of accounts.
      yield* accessEpoch.advance
      return draft.entries
    })

    /** Erases members of entries. Members that are already erased count as done. */
    const erase = Effect.fn("Erasures.erase")(function* (
      { org, origin }: ErasurePath,
      draft: ErasureDraft
    ) {
      const access = yield* granted(org)
      const { actor: by } = WriteContext.make(access, Timestamp.fromMillis(0))
      return yield* eraseAs({ org, orgId: access.orgId, origin, by }, draft)
    })

    const findIn = Effect.fn("Erasures.findIn")(function* (
      { orgId: org, origin }: Pick<ErasingPath, "orgId" | "origin">,
      text: SearchedText
    ) {
      yield* prepare(org, origin)
      return yield* finding.find({ org, origin, ...text })
    })

    /** Finds a text in entries, up to a maximum number of entries. */
    const find = Effect.fn("Erasures.find")(function* (
      { org, origin }: ErasurePath,
      text: SearchedText
    ) {
      const { orgId } = yield* granted(org)
      return yield* findIn({ orgId, origin }, text)
    })

    /**
     * Erases every personal member of an org that has a text, or only lists the first ones; for operators. An org
     * without a log has none.
     */
    const eraseValue = Effect.fn("Erasures.eraseValue")(function* (
      { org, orgId, by }: Omit<ErasingPath, "origin">,
      { value, reason, preview }: ValueErasure
    ) {
      const tree = yield* logs.find(orgId)
      if (Option.isNone(tree)) return NOTHING
      const [first] = yield* logs.listTrees(orgId)
      const path = { org, orgId, by, origin: first?.origin ?? tree.value.origin }
      const erased: Array<ErasedMembers> = []
      for (;;) {
        const found = yield* findIn(path, { text: value, isInFiles: true })
        erased.push(...found.entries)
        if (preview || found.entries.length === 0) {
          return { ...found, entries: erased } satisfies FoundText
        }
        yield* eraseAs(path, { entries: found.entries, reason, value })
      }
    })

    /** The newest erasures, newest first. */
    const list = Effect.fn("Erasures.list")(function* (org: OrgName) {
      const { orgId } = yield* granted(org)
      const { entries } = yield* journal.scanBack({
        org: orgId,
        filter: { kinds: [KIND] },
        limit: LISTED_MAX,
        readMax: 1_000_000
      })
      return entries.flatMap(
        ({ at, actor, content }): ReadonlyArray<MadeErasure> =>
          Option.match(decodeMade(JSON.parse(content)), {
            onNone: () => [],
            onSome: (made) => [{ ...made, at, by: actor.name }]
          })
      )
    })

    return { erase, eraseValue, find, list } as const
  })
}) {}
