/** The build level (SLSA) of an artifact, by the verified provenance among the entries that were looked at. Pure. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { attestationType } from "../../evidence/EvidenceKind.js"
import type { JournalEntry } from "../../journal/JournalEntry.js"

const TYPE = attestationType("provenance")

const Attested = Schema.Struct({
  name: Schema.String,
  type: Schema.Literal(TYPE),
  isOverride: Schema.Boolean,
  fingerprint: Schema.String,
  body: Schema.Struct({
    attestation_data: Schema.Struct({
      build_level: Schema.optional(Schema.Unknown),
      verification: Schema.Struct({ state: Schema.String })
    })
  })
})

const readAttested = Schema.decodeUnknownOption(Schema.parseJson(Attested))

const isLevel = Schema.is(Schema.Int.pipe(Schema.between(0, 4)))

/** The level of the newest provenance in each place; the highest counts, as each is verified by a rule. */
const levelOf = (entries: ReadonlyArray<JournalEntry>, fingerprint: string): number | undefined => {
  const levels = new Map<string, number | undefined>()
  for (const { content, subject } of entries) {
    const read = Option.getOrUndefined(readAttested(content))
    if (read === undefined || read.isOverride || read.fingerprint !== fingerprint) continue
    const { build_level: level, verification } = read.body.attestation_data
    const isGiven = verification.state === "verified" && isLevel(level)
    levels.set(`${subject.id} ${read.name}`, isGiven ? level : undefined)
  }
  const given = [...levels.values()].filter((level) => level !== undefined)
  return given.length === 0 ? undefined : Math.max(...given)
}

/** The member of a receipt with the level; none where no verified provenance gives one. Entries are oldest first. */
export const fieldOf = (
  entries: ReadonlyArray<JournalEntry>,
  fingerprint: string
): { readonly buildLevel?: number } => {
  const buildLevel = levelOf(entries, fingerprint)
  return buildLevel === undefined ? {} : { buildLevel }
}
