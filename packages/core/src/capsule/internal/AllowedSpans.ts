/** The spans of the log in which environments allowed artifacts, by the entries about allow-lists. Pure. */
import * as Schema from "effect/Schema"
import type { ValidityPeriod } from "../../history/ValidityPeriod.js"
import type { JournalEntry } from "../../journal/JournalEntry.js"
import { Timestamp } from "../../shared/Timestamp.js"

/** A span in which an environment allowed an artifact. */
export interface AllowedSpan extends ValidityPeriod {
  readonly fingerprint: string
}

const read = Schema.decodeUnknownOption(
  Schema.Struct({
    fingerprint: Schema.String,
    expires_at: Schema.optional(Schema.NullOr(Schema.typeSchema(Timestamp)))
  })
)

const BEGINS: ReadonlySet<string> = new Set(["artifact_allowed", "artifact_allowed_again"])

/** Collects the spans of environments. */
export class AllowedSpans {
  readonly #spans = new Map<string, ReadonlyArray<AllowedSpan>>()

  /** The spans of an environment. */
  of(environment: string): ReadonlyArray<AllowedSpan> {
    return this.#spans.get(environment) ?? []
  }

  /** Applies the next entry. */
  accept({ at, content, kind, sequence, subject }: JournalEntry): void {
    const isBegin = BEGINS.has(kind)
    if (!isBegin && kind !== "artifact_disallowed") return
    const entry = read(JSON.parse(content))
    if (entry._tag === "None") return
    const { expires_at = null, fingerprint } = entry.value
    const position = { position: sequence, at }
    const ended = this.of(subject.id).map((span) =>
      span.to === null && span.fingerprint === fingerprint ? { ...span, to: position } : span
    )
    const next = { fingerprint, from: position, to: null, expires_at }
    this.#spans.set(subject.id, isBegin ? [...ended, next] : ended)
  }
}
