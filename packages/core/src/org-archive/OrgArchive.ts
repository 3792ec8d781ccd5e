/**
 * Archives of orgs: one folder with every row of an org, that an empty database can take in.
 *
 * `archive.json` names every other file with its digest, and every table with its rows, so that a folder that lacks
 * one row is refused. An archive grows: a later export adds the rows that changed since.
 */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { OrgId, OrgName } from "../shared/Identifier.js"

/** The number of this layout. A folder of another layout is refused. */
export const FORMAT = 1

/** The file that names the others. It is replaced last, so that a folder is as this file says at any moment. */
export const MANIFEST = "archive.json"

const Count = Schema.NonNegativeInt
const Digest = Schema.String.pipe(Schema.pattern(/^[0-9a-f]{64}$/))
const Name = Schema.String.pipe(Schema.pattern(/^[a-z_][a-z0-9_]{0,62}$/))
/** A number that does not fit in 53 bits. */
const Digits = Schema.String.pipe(Schema.pattern(/^-?[0-9]{1,40}$/))

/** A file of rows, in the text form of `COPY`. The digest is that of the unpacked text. */
export const Part = Schema.Struct({
  number: Count,
  rows: Count,
  sha256: Digest
})
/** A file of rows. */
export interface Part extends Schema.Schema.Type<typeof Part> {}

/** The rows of a table. Of two rows with one key, that of the later part counts. */
export const ArchivedTable = Schema.Struct({
  columns: Schema.Array(Name),
  /** The columns that name a row; none where every export has all rows. */
  key: Schema.Array(Name),
  rows: Count,
  /** The sum of the hashes of all rows. */
  hash: Digits,
  /** The oldest transaction that had not ended when the rows were read: a later export begins with it. */
  seen: Digits,
  parts: Schema.Array(Part)
})
/** The rows of a table. */
export interface ArchivedTable extends Schema.Schema.Type<typeof ArchivedTable> {}

/** What `archive.json` says. */
export const OrgArchive = Schema.Struct({
  format: Schema.Literal(FORMAT),
  org: Schema.Struct({ id: OrgId, name: OrgName }),
  /** The version of the program that wrote the folder. */
  release: Schema.String,
  /** The newest migration of the database. */
  migration: Count,
  /** The database cluster: transactions are numbered within one. */
  cluster: Digits,
  /** When the newest export began, in microseconds since 1970. */
  taken_at: Digits,
  /** Whether an export has come to its end. Another one completes a folder that is not whole. */
  is_whole: Schema.Boolean,
  /** Whether addresses of targets and secrets of webhooks are in it. */
  has_secrets: Schema.Boolean,
  /** Whether the contents of files are in it. */
  has_files: Schema.Boolean,
  /** The last numbers that sequences gave. */
  sequences: Schema.Record({ key: Name, value: Digits }),
  tables: Schema.Record({ key: Name, value: ArchivedTable })
})
/** What `archive.json` says. */
export interface OrgArchive extends Schema.Schema.Type<typeof OrgArchive> {}

/** Why a folder is refused. */
export class ArchiveRefused extends Schema.TaggedError<ArchiveRefused>()("ArchiveRefused", {
  problem: Schema.String
}) {
  override get message(): string {
    return `the archive is refused: ${this.problem}`
  }
}

const Text = Schema.parseJson(OrgArchive)
// WHY no excess: a table whose name is no name would be left out.
const decode = Schema.decodeUnknownEither(Text, { onExcessProperty: "error" })
const encode = Schema.encodeSync(Schema.parseJson(OrgArchive, { space: 1 }))

/** Parses the text of `archive.json`. */
export const parse = (text: string): Either.Either<OrgArchive, ArchiveRefused> =>
  Either.mapLeft(
    decode(text),
    () => new ArchiveRefused({ problem: `${MANIFEST} is not one of format ${FORMAT}` })
  )

/** The text of `archive.json`. */
export const print = (archive: OrgArchive): string => `${encode(archive)}\n`

/** The path of a file of rows in the folder. */
export const partPath = (table: string, number: number): string =>
  `tables/${table}/${number}.copy.gz`

/** The folder of the contents of files. */
export const FILES = "files/sha256"

/** The path of the content of a file in the folder. */
export const filePath = (fingerprint: string): string => `${FILES}/${fingerprint}`

/** The rows that an export reads: all, or those since the export before. */
export type Reading = "all" | { readonly since: string }

/** A table of the database, as an export finds it. */
export interface FoundTable {
  readonly columns: ReadonlyArray<string>
  readonly key: ReadonlyArray<string>
  readonly rows: number
  readonly hash: string
  /** Whether rows are never taken away, so that those that changed are all that an archive lacks. */
  readonly isKept: boolean
}

/** Parts may have this many rows for one of the table before they are written anew. */
const ROWS_PER_ROW = 3

const isSame = (one: ReadonlyArray<string>, other: ReadonlyArray<string>): boolean =>
  one.length === other.length && one.every((name, at) => name === other[at])

/**
 * Which rows of a table to read. Undefined for none: it is as it was.
 *
 * WHY all rows again after many changes: an import reads every part, and a table that changes all the time would
 * otherwise grow its archive without end.
 */
export const readingOf = (
  before: ArchivedTable | undefined,
  found: FoundTable
): Reading | undefined => {
  if (before === undefined || !isSame(before.columns, found.columns)) return "all"
  if (before.rows === found.rows && before.hash === found.hash) return undefined
  if (!found.isKept || found.key.length === 0) return "all"
  const written = before.parts.reduce((sum, { rows }) => sum + rows, 0)
  return written > ROWS_PER_ROW * found.rows ? "all" : { since: before.seen }
}

/** What an export continues: the archive of the folder, if it is of the same org in the same cluster. */
export const continued = (
  before: OrgArchive | undefined,
  now: Pick<OrgArchive, "cluster" | "has_secrets" | "migration" | "org">
): Either.Either<OrgArchive["tables"], ArchiveRefused> => {
  if (before === undefined) return Either.right({})
  if (before.org.id !== now.org.id)
    return Either.left(
      new ArchiveRefused({ problem: `the folder has the archive of org \`${before.org.name}\`` })
    )
  // WHY not without secrets: the folder may be meant for others, and would keep those that it has.
  const isContinued =
    before.cluster === now.cluster &&
    before.migration === now.migration &&
    before.has_secrets === now.has_secrets
  return Either.right(isContinued ? before.tables : {})
}
