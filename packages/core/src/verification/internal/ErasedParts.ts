/** The parts of entries that erasures removed. Pure. */
import type { JournalSubject } from "../../journal/JournalEntry.js"

/** The values removed from an entry. */
export interface ErasedPart {
  readonly subject: JournalSubject
  readonly texts: ReadonlyArray<string>
}

/** The values and the files removed from an entry. */
export interface ErasedEntry extends ErasedPart {
  readonly files: ReadonlyArray<string>
}

/** Removed parts by subject, with all texts removed from its entries. */
export const bySubject = (parts: ReadonlyArray<ErasedPart>): ReadonlyArray<ErasedPart> => {
  const subjects = new Map<string, ErasedPart>()
  for (const { subject, texts } of parts) {
    const name = `${subject.type} ${subject.id}`
    subjects.set(name, { subject, texts: [...(subjects.get(name)?.texts ?? []), ...texts] })
  }
  return [...subjects.values()]
}

/** The fingerprints of files that an erasure removed; verification does not report them as missing. */
export const removedBy = (
  parts: ReadonlyArray<ErasedEntry>
): { readonly files?: ReadonlyArray<string> } => {
  const files = [...new Set(parts.flatMap((part) => part.files))].sort()
  return files.length === 0 ? {} : { files }
}
