/** Finds a text in an entry: members that an erasure removes, and positions where the text stays. Pure. */
import * as Option from "effect/Option"
import * as ErasedMembers from "../../journal/ErasedMembers.js"
import type { JournalEntry } from "../../journal/JournalEntry.js"
import * as Erasure from "../../log/Erasure.js"
import * as Disclosure from "../../log/internal/Disclosure.js"
import type { LoggedEntry } from "../../log/Log.js"
import * as LogEntry from "../../log/LogEntry.js"
import type { Json } from "../../shared/CanonicalJson.js"
import * as ErasedText from "../ErasedText.js"

/** Where an entry has a text, as JSON Pointers. */
export interface Places {
  /** Personal members that an erasure removes. */
  readonly erased: ReadonlyArray<string>
  /** Texts and member names that contain it and stay. */
  readonly kept: ReadonlyArray<string>
}

const NOWHERE: Places = { erased: [], kept: [] }

/** The pointers of the texts, and of the members by name, that contain a text. */
const pointersWith = (value: Json, at: string, text: string): ReadonlyArray<string> => {
  if (typeof value === "string") return ErasedText.contains(value, text) ? [at] : []
  if (typeof value !== "object" || value === null || ErasedMembers.isMark(value)) return []
  return Object.entries(value).flatMap(([name, member]) => {
    const pointer = `${at}/${LogEntry.step(name)}`
    const isNamed = !Array.isArray(value) && ErasedText.contains(name, text)
    return isNamed ? [pointer] : pointersWith(member, pointer, text)
  })
}

/** The pointers in a content that contain a text. */
const placesIn = (content: Json, text: string): ReadonlyArray<string> => {
  if (typeof content !== "object" || content === null) return []
  return Object.entries(content).flatMap(([name, member]) =>
    pointersWith(member, LogEntry.pointerOf(name), text)
  )
}

/** Whether an entry may have a text. WHY first: few entries do, and this test is cheap. */
const mayHave = ({ actor, content }: JournalEntry, text: string): boolean =>
  ErasedText.contains(actor.name, text) ||
  ErasedText.spellings(text).some((each) => content.includes(ErasedText.partOf(each)))

/** Finds a text in an entry. */
export const find = (logged: LoggedEntry, text: string): Places => {
  const { entry } = logged
  if (!mayHave(entry, text)) return NOWHERE
  // INVARIANT: the content of an entry is JSON.
  const content: Json = JSON.parse(entry.content)
  const name = ErasedText.contains(entry.actor.name, text) ? [LogEntry.ACTOR_NAME] : []
  const places = [...name, ...placesIn(content, text)]
  const personal = Erasure.personal(logged)
  const [erased, kept] = [new Set<string>(), new Set<string>()]
  for (const place of places) {
    // WHY the first: nested members come before the member that contains them.
    const owner = personal.find(({ pointer }) => Erasure.isWithin(place, pointer))
    const isErased =
      owner !== undefined &&
      Option.exists(Disclosure.parse(owner.disclosure), ({ value }) =>
        ErasedText.has(owner.pointer, value, text)
      )
    if (isErased) erased.add(owner.pointer)
    else kept.add(place)
  }
  return { erased: [...erased], kept: [...kept] }
}
