/**
 * Erases personal members for good: from the journal, from the salts of the log, and from the records that follow from
 * them.
 *
 * One transaction does all of it and records which members of which entries were erased, by whom and why, never what.
 * Backups keep what they have until they age out.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Access from "../access/Access.js"
import { CurrentActor } from "../access/Actor.js"
import * as WriteContext from "../access/internal/WriteContext.js"
import * as ErasedMarks from "../journal/ErasedMembers.js"
import type { JournalActor, JournalSubject } from "../journal/JournalEntry.js"
import { JournalStore } from "../journal/JournalStore.js"
import { Journals } from "../journal/Journals.js"
import * as EntryId from "../log/EntryId.js"
import { EntryIds } from "../log/EntryIds.js"
import * as Erasure from "../log/Erasure.js"
import type { LoggedEntry } from "../log/Log.js"
import { LogEntryNotFound } from "../log/LogProof.js"
import { LogSequencer } from "../log/LogSequencer.js"
import { LogStore } from "../log/LogStore.js"
import { LogUpkeep } from "../log/LogUpkeep.js"
import * as CanonicalJson from "../shared/CanonicalJson.js"
import type { OrgId, OrgName } from "../shared/Identifier.js"
import { IdGenerator } from "../shared/IdGenerator.js"
import { Secrets } from "../shared/Secrets.js"
import * as Timestamp from "../shared/Timestamp.js"
import { Transaction } from "../shared/Transaction.js"
import { CopyStore } from "./CopyStore.js"
import * as ErasedText from "./ErasedText.js"
import { RecordStore } from "./RecordStore.js"
import { differences } from "./RecordVerification.js"
import { Replay } from "./Replay.js"

/** Members of an entry. */
export interface ErasedMembers {
  /** The id of the entry. */
  readonly entry: string
  readonly pointers: ReadonlyArray<string>
}

/** Members to erase, and why. */
export interface ErasureDraft {
  readonly entries: ReadonlyArray<ErasedMembers>
  readonly reason: string
}

/** An erasure that was made. */
export interface MadeErasure extends ErasureDraft {
  readonly at: Timestamp.Timestamp
  readonly by: string
}

/** The org, and the origin that its log begins with when it is new. */
export interface ErasurePath {
  readonly org: OrgName
  readonly origin: string
}

/** An org whose members are erased, and by whom. */
interface ErasingPath extends ErasurePath {
  readonly orgId: OrgId
  readonly by: JournalActor
}

/** A text to erase wherever it is a personal member. */
export interface ValueErasure {
  readonly value: string
  readonly reason: string
  /** Whether nothing changes. */
  readonly preview: boolean
}

/** A pointer is no personal member of its entry. */
export class NotPersonal extends Schema.TaggedError<NotPersonal>()("NotPersonal", {
  entry: Schema.String,
  pointer: Schema.String,
  /** The places of the entry and of the pointer in the request. */
  place: Schema.Tuple(Schema.Int, Schema.Int)
}) {
  override get message(): string {
    return `\`${this.pointer}\` is no personal member of entry ${this.entry}`
  }
}

/** The most entries of one erasure. */
export const ENTRIES_MAX = 100

/** Leaves that are read at a time, when a value is looked for. */
const LEAVES = 256

const KIND = "personal_data_erased"

/** The most erasures that are listed. */
const LISTED_MAX = 100

const PERMISSION = "erasure.write"

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
    const [logs, journal, records] = [yield* LogStore, yield* JournalStore, yield* RecordStore]
    const [journals, entryIds, ids] = [yield* Journals, yield* EntryIds, yield* IdGenerator]
    const [sequencer, upkeep] = [yield* LogSequencer, yield* LogUpkeep]
    const [secrets, transaction, copies] = [yield* Secrets, yield* Transaction, yield* CopyStore]

    const granted = (org: OrgName) =>
      Effect.flatMap(CurrentActor, (actor) => Access.authorize(actor, org, PERMISSION))

    /** Entries get their leaves first, where no worker gives them. */
    const prepare = (org: OrgId, origin: string) =>
      upkeep === "worker" ? Effect.void : sequencer.catchUp(org, origin)

    const findLogged = (org: OrgId, sequence: number) =>
      Effect.gen(function* () {
        for (const tree of [...(yield* logs.listTrees(org))].reverse()) {
          const found = yield* logs.findLogged(tree, sequence)
          if (Option.isSome(found)) return found
        }
        return Option.none<LoggedEntry>()
      })

    /** Takes erased texts out of what is no record of its own. */
    const eraseCopies = (org: OrgId, subject: JournalSubject, texts: ReadonlyArray<string>) =>
      Effect.gen(function* () {
        if (texts.length === 0) return
        const parts = texts.map(ErasedText.partOf)
        yield* copies.withholdAnswers(org, parts)
        for (const { id, notification } of yield* copies.listDeliveries(org, parts)) {
          yield* copies.putDelivery(org, {
            id,
            notification: ErasedText.erased(notification, texts)
          })
        }
        if (subject.type === "environment") {
          const left = ErasedMarks.ERASED
          yield* copies.eraseAllowances(org, { environment: subject.id, texts, left })
        }
      })

    /** Erases members of one entry; returns its subject. */
    const eraseEntry = (
      {
        org,
        orgId,
        key
      }: { readonly org: OrgName; readonly orgId: OrgId; readonly key: Uint8Array },
      { entry, pointers, at }: ErasedMembers & { readonly at: number }
    ) =>
      Effect.gen(function* () {
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
        const { remains } = erased.right
        yield* logs.erase(orgId, {
          ...{ sequence: logged.value.entry.sequence, content, digest, remains }
        })
        const { subject } = logged.value.entry
        yield* eraseCopies(orgId, subject, [
          ...new Set(erased.right.values.flatMap(ErasedText.textsOf))
        ])
        return subject
      })

    /** Writes what the journal now says into the records of a subject. */
    const mend = (org: OrgId, subject: JournalSubject) =>
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
          for (const stored of yield* records.find(org, table, [key])) {
            const changed = differences(table, columns, stored.columns)
            yield* records.erase(org, { table, key, columns, changed })
          }
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
          const subjects = new Map<string, JournalSubject>()
          for (const [at, each] of draft.entries.entries()) {
            const subject = yield* eraseEntry({ org, orgId, key }, { ...each, at })
            subjects.set(`${subject.type} ${subject.id}`, subject)
          }
          for (const subject of subjects.values()) yield* mend(orgId, subject)
          yield* journals.record({
            ...{ org: orgId, actor: by, at: yield* scope.now },
            kind: KIND,
            subject: { type: "erasure", id: yield* ids.next },
            content: { entries: draft.entries, reason: draft.reason }
          })
        })
      )
      return draft.entries
    })

    /** Erases members of entries. What is erased already counts as done. */
    const erase = Effect.fn("Erasures.erase")(function* (
      { org, origin }: ErasurePath,
      draft: ErasureDraft
    ) {
      const access = yield* granted(org)
      const { actor: by } = WriteContext.make(access, Timestamp.fromMillis(0))
      return yield* eraseAs({ org, orgId: access.orgId, origin, by }, draft)
    })

    const findIn = Effect.fn("Erasures.findIn")(function* (
      { orgId, origin }: Pick<ErasingPath, "orgId" | "origin">,
      value: string
    ) {
      yield* prepare(orgId, origin)
      const found: Array<{ readonly sequence: number; readonly pointers: ReadonlyArray<string> }> =
        []
      for (const tree of yield* logs.listTrees(orgId)) {
        for (let begin = 0; begin < tree.edge.size; begin += LEAVES) {
          for (const logged of yield* logs.listLogged(tree, { begin, end: begin + LEAVES })) {
            const pointers = Erasure.equalTo(logged, value)
            if (pointers.length > 0) found.push({ sequence: logged.entry.sequence, pointers })
          }
          if (found.length >= ENTRIES_MAX) break
        }
      }
      const first = found.slice(0, ENTRIES_MAX)
      const names = yield* entryIds.of(
        { org: orgId, origin },
        first.map(({ sequence }) => sequence)
      )
      return first.map(({ pointers }, at): ErasedMembers => ({ entry: names[at] ?? "", pointers }))
    })

    /** The members that are equal to a text, of the first entries that have any. */
    const find = Effect.fn("Erasures.find")(function* (
      { org, origin }: ErasurePath,
      value: string
    ) {
      const { orgId } = yield* granted(org)
      return yield* findIn({ orgId, origin }, value)
    })

    /**
     * Erases every member of an org that is equal to a text, or tells the first of them; for operators. An org without
     * a log has none.
     */
    const eraseValue = Effect.fn("Erasures.eraseValue")(function* (
      { org, orgId, by }: Omit<ErasingPath, "origin">,
      { value, reason, preview }: ValueErasure
    ) {
      const tree = yield* logs.find(orgId)
      if (Option.isNone(tree)) return []
      const [first] = yield* logs.listTrees(orgId)
      const path = { org, orgId, by, origin: first?.origin ?? tree.value.origin }
      const erased: Array<ErasedMembers> = []
      for (;;) {
        const entries = yield* findIn(path, value)
        erased.push(...entries)
        if (preview || entries.length === 0) return erased
        yield* eraseAs(path, { entries, reason })
      }
    })

    /** The newest erasures, newest first. */
    const list = Effect.fn("Erasures.list")(function* (org: OrgName) {
      const { orgId } = yield* granted(org)
      const { entries } = yield* journal.lookBack({
        ...{ org: orgId, filter: { kinds: [KIND] }, limit: LISTED_MAX, readMax: 1_000_000 }
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
