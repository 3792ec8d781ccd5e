/** Reads the entries of a capsule, and writes them as lines: every entry about the subjects, as far as it is shown. */
import * as Bytes from "@attestry/transparency-log/Bytes"
import * as Sha256 from "@attestry/transparency-log/Sha256"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { Attachment } from "../../attestation/Attestation.js"
import * as AttestationFacts from "../../attestation/AttestationFacts.js"
import * as LogDisclosure from "../../log/internal/LogDisclosure.js"
import { entryOf, type LoggedEntry, type LogTree } from "../../log/Log.js"
import type { LogEntry } from "../../log/LogEntry.js"
import { LogDamaged } from "../../log/LogProof.js"
import { LogStore, type SubjectLeaf } from "../../log/LogStore.js"
import type { OrgName } from "../../shared/Identifier.js"
import * as Slices from "../../shared/Slices.js"
import { isAttestation } from "../../verification/internal/ReplayRules.js"
import * as CapsuleEntry from "../CapsuleEntry.js"
import { CapsuleTooLarge } from "../CapsuleFailure.js"
import { CapsuleHost } from "../CapsuleHost.js"
import type * as CapsuleLimits from "../CapsuleLimits.js"

/** Entries that are read together. */
const TOGETHER = 500

/** About how many bytes a line has besides the content of its entry. */
const LINE_BYTES = 400

/** The log to read, and what is shown of its entries. */
export interface EntriesAsked {
  readonly org: OrgName
  readonly tree: LogTree
  readonly size: number
  readonly evidence: CapsuleLimits.CapsuleEvidence
  /** Whether the caller sees addresses. */
  readonly isAdmin: boolean
}

const readAttachments = Schema.decodeUnknownOption(Schema.Array(Attachment))

/** The files that an entry names. */
export const attachmentsOf = ({ content }: LoggedEntry["entry"]): ReadonlyArray<Attachment> => {
  const said: unknown = JSON.parse(content)
  const found = readAttachments(Predicate.isRecord(said) ? said.attachments : [])
  return found._tag === "Some" ? found.value : []
}

/** Whether a body decides: it has facts that policies read, or names a control. */
const isDeciding = ({ content }: LoggedEntry["entry"]): boolean => {
  const said: unknown = JSON.parse(content)
  if (!Predicate.isRecord(said) || !Predicate.isRecord(said.body)) return false
  const type = typeof said.type === "string" ? said.type : ""
  const of = { body: said.body, isOverride: said.isOverride === true, type }
  return type === "decision" || AttestationFacts.stored(of) !== null
}

const shownBy =
  ({ evidence, isAdmin }: EntriesAsked, { entry }: LoggedEntry) =>
  (pointer: string): boolean => {
    if (!isAdmin && LogDisclosure.isAddress(pointer)) return false
    if (evidence !== "facts" || !isAttestation(entry.kind)) return true
    return !pointer.startsWith("/body") || isDeciding(entry)
  }

/** Makes the reading of entries with the ports of a store. */
export const make = Effect.gen(function* () {
  const store = yield* LogStore
  const { limits } = yield* CapsuleHost

  /** The leaves of all entries about some subjects, by index; fails for more than a capsule may have. */
  const leavesOf = (
    { size, tree }: EntriesAsked,
    subjects: ReadonlyMap<string, ReadonlyArray<string>>
  ) =>
    Effect.gen(function* () {
      const found: Array<SubjectLeaf> = []
      for (const [type, ids] of subjects) {
        for (const part of Slices.partsOf(ids, TOGETHER)) {
          const leaves = yield* store.listSubjectLeaves(tree, { type, ids: part, below: size })
          for (const leaf of leaves) found.push(leaf)
          const { entries: max } = limits
          if (found.length > max)
            return yield* new CapsuleTooLarge({ what: "entries", count: found.length, max })
        }
      }
      const count = found.reduce((sum, leaf) => sum + leaf.bytes + LINE_BYTES, 0)
      if (count > limits.bytes)
        return yield* new CapsuleTooLarge({ what: "bytes", count, max: limits.bytes })
      return found.sort((left, right) => left.index - right.index)
    })

  /** The log entry of a leaf, if its journal entry is what the log has. */
  const sound = ({ org }: EntriesAsked, logged: LoggedEntry): LogEntry | LogDamaged => {
    const entry = entryOf(logged)
    // WHY: a changed journal row gives another leaf, and nothing would prove it.
    return Bytes.equals(entry.hash, logged.leaf.hash)
      ? entry
      : new LogDamaged({ org, level: 0, index: logged.leaf.index })
  }

  /** The lines of the entries at some leaves; `each` sees every entry, in order. */
  const lines = (
    asked: EntriesAsked,
    leaves: ReadonlyArray<SubjectLeaf>,
    each: (logged: LoggedEntry) => void
  ) =>
    Stream.fromIterable(Slices.partsOf(leaves, TOGETHER)).pipe(
      Stream.mapEffect((part) =>
        store.listLogged(asked.tree, { sequences: part.map(({ sequence }) => sequence) })
      ),
      Stream.mapEffect((page) =>
        Effect.gen(function* () {
          const texts = yield* Slices.map(page, (logged) => {
            const entry = sound(asked, logged)
            if (entry instanceof LogDamaged) return entry
            const place = { index: logged.leaf.index, at: logged.entry.at }
            each(logged)
            return CapsuleEntry.print(CapsuleEntry.make(place, entry, shownBy(asked, logged)))
          })
          const damaged = texts.find((text) => text instanceof LogDamaged)
          if (damaged instanceof LogDamaged) return yield* damaged
          return Sha256.utf8(texts.join(""))
        })
      )
    )

  return { leavesOf, lines } as const
})
