/** Journal entries as CSV, for spreadsheets. */
import type { JournalEntry } from "../shared/Contract.js"
import * as TimeText from "../shared/TimeText.js"
import { canonicalText } from "./CanonicalText.js"

const COLUMNS = [
  "sequence",
  "at",
  "actor_kind",
  "actor",
  "kind",
  "subject_type",
  "subject_id",
  "digest",
  "content"
]

/** WHY the apostrophe: a spreadsheet would evaluate a cell that starts like a formula. */
const cell = (text: string): string =>
  `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`

const line = ({ sequence, at, actor, kind, subject, digest, content }: JournalEntry): string =>
  [
    String(sequence),
    TimeText.absolute(at * 1_000, "utc"),
    actor.kind,
    actor.name,
    kind,
    subject.type,
    subject.id,
    digest,
    canonicalText(content)
  ]
    .map(cell)
    .join(",")

export const print = (entries: ReadonlyArray<JournalEntry>): string =>
  [COLUMNS.map(cell).join(","), ...entries.map(line)].map((each) => `${each}\r\n`).join("")
