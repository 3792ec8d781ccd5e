/** Searches all entries of an org, and the files that they name, for a text. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Fingerprint } from "../../artifact/Fingerprint.js"
import { type AttachmentKey, AttachmentStore } from "../../attestation/AttachmentStore.js"
import { EntryIds } from "../../log/EntryIds.js"
import * as Erasure from "../../log/Erasure.js"
import type { LoggedEntry } from "../../log/Log.js"
import { LogStore } from "../../log/LogStore.js"
import type { OrgId } from "../../shared/Identifier.js"
import * as ErasedText from "../ErasedText.js"
import * as ErasureSearch from "./ErasureSearch.js"

/** Members of an entry. */
export interface ErasedMembers {
  /** The id of the entry. */
  readonly entry: string
  readonly pointers: ReadonlyArray<string>
}

/** How much a search has read. */
export interface Searched {
  /** The number of entries read, in the order of the log. */
  readonly entries: number
  /** The number of attached files read. */
  readonly files: number
  /** Whether the search reached the end; it stops when it has found the maximum number of entries for one erasure. */
  readonly complete: boolean
}

/** Where a text was found. */
export interface FoundText {
  /** The members to erase, in the first matching entries. */
  readonly entries: ReadonlyArray<ErasedMembers>
  /** Where the text stays, in the first matching entries. */
  readonly kept: ReadonlyArray<ErasedMembers>
  readonly searched: Searched
}

/** A text to search for. */
export interface SearchedText {
  readonly text: string
  /** Whether attached files are searched too. */
  readonly isInFiles: boolean
}

/** A search in the log of an org. */
export interface Question extends SearchedText {
  readonly org: OrgId
  readonly origin: string
}

/** The maximum number of entries in one erasure. */
export const ENTRIES_MAX = 100

/** The number of leaves read at once. */
const LEAVES = 256

/** Pointers by the sequence number of their entry. */
interface Found {
  readonly sequence: number
  readonly pointers: ReadonlyArray<string>
}

/** Collects the pointers that a search finds. */
class Finds {
  readonly erased: Array<Found> = []
  readonly kept: Array<Found> = []
  entries = 0
  /** Files read so far, and whether each has the text. */
  readonly files = new Map<Fingerprint, boolean>()

  add(sequence: number, { erased, kept }: ErasureSearch.Places): void {
    this.entries += 1
    if (erased.length > 0) this.erased.push({ sequence, pointers: erased })
    if (kept.length > 0 && this.kept.length < ENTRIES_MAX)
      this.kept.push({ sequence, pointers: kept })
  }

  get isFull(): boolean {
    return this.erased.length >= ENTRIES_MAX
  }
}

/** Makes the search with the ports of a store. */
export const make = Effect.gen(function* () {
  const [logs, entryIds, attachments] = [yield* LogStore, yield* EntryIds, yield* AttachmentStore]

  const isInFile = (key: AttachmentKey, text: string) =>
    Effect.gen(function* () {
      const scan = new ErasedText.Scan(text)
      yield* attachments.read(key).pipe(
        Stream.decodeText(),
        Stream.runForEachWhile((piece) => Effect.sync(() => !scan.accept(piece)))
      )
      return scan.end()
    })

  /** The pointers of an entry's files that contain the text. */
  const filesWith = ({ org, text, isInFiles }: Question, logged: LoggedEntry, finds: Finds) =>
    Effect.gen(function* () {
      const found: Array<string> = []
      if (!isInFiles) return found
      for (const [pointer, file] of Erasure.filesOf(logged)) {
        const fingerprint = Fingerprint.make(file)
        const isFound =
          finds.files.get(fingerprint) ?? (yield* isInFile({ org, fingerprint }, text))
        finds.files.set(fingerprint, isFound)
        if (isFound) found.push(pointer)
      }
      return found
    })

  /** Reads entries until all are read or enough is found; returns whether all are read. */
  const search = (question: Question, finds: Finds) =>
    Effect.gen(function* () {
      for (const tree of yield* logs.listTrees(question.org)) {
        for (let begin = 0; begin < tree.edge.size; begin += LEAVES) {
          if (finds.isFull) return false
          for (const logged of yield* logs.listLogged(tree, { begin, end: begin + LEAVES })) {
            const { erased, kept } = ErasureSearch.find(logged, question.text)
            const files = yield* filesWith(question, logged, finds)
            finds.add(logged.entry.sequence, { erased: [...erased, ...files], kept })
          }
        }
      }
      return finds.erased.length <= ENTRIES_MAX
    })

  const named = ({ org, origin }: Question, found: ReadonlyArray<Found>) =>
    Effect.map(
      entryIds.of(
        { org, origin },
        found.map(({ sequence }) => sequence)
      ),
      (names) =>
        found.map(({ pointers }, at): ErasedMembers => ({ entry: names[at] ?? "", pointers }))
    )

  /** Searches for a text. */
  const find = (question: Question) =>
    Effect.gen(function* () {
      const finds = new Finds()
      const complete = yield* search(question, finds)
      return {
        entries: yield* named(question, finds.erased.slice(0, ENTRIES_MAX)),
        kept: yield* named(question, finds.kept),
        searched: { entries: finds.entries, files: finds.files.size, complete }
      } satisfies FoundText
    })

  return { find } as const
})
