/**
 * Writes the archive of an org into a folder, or adds what changed since the last export.
 *
 * Everything is read in one snapshot on one connection, which may lead to a standby. `archive.json` is replaced after
 * each table, so that an export that is cut off leaves what it wrote, and the next one goes on from there.
 */
import type { OrgName } from "@attestry/core/Identifier"
import { OrgId } from "@attestry/core/Identifier"
import * as OrgArchive from "@attestry/core/OrgArchive"
import { OrgNotFound } from "@attestry/core/Orgs"
import type { StoreError } from "@attestry/core/StoreError"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type pg from "pg"
import * as OrgTables from "../../../internal/org-archive/OrgTables.js"
import type { ArchiveFolder, ArchiveFolderError } from "../../ArchiveFolder.js"
import * as ArchiveClient from "./ArchiveClient.js"
import * as ArchiveParts from "./ArchiveParts.js"
import * as ArchiveTables from "./ArchiveTables.js"

/** What an export is asked for. */
export interface ExportRequest {
  readonly org: OrgName
  readonly folder: ArchiveFolder
  /** The version of this program. */
  readonly release: string
  /** Whether addresses of targets and secrets of webhooks are written. */
  readonly hasSecrets: boolean
  /** Whether the contents of files are written. */
  readonly hasFiles: boolean
}

/** What an export wrote. */
export interface Exported {
  readonly org: OrgName
  readonly tables: number
  /** Rows that the archive has. */
  readonly rows: number
  /** Rows that this export wrote. */
  readonly written: number
  /** Files that this export wrote. */
  readonly files: number
}

const { attempt } = ArchiveClient

const bytesOf = new TextEncoder()

const nextNumber = (parts: ReadonlyArray<OrgArchive.Part>): number =>
  Math.max(0, ...parts.map(({ number }) => number)) + 1

/** One export, in the transaction of its connection. */
class Export {
  private archive: OrgArchive.OrgArchive
  private written = 0

  constructor(
    private readonly client: pg.Client,
    private readonly request: ExportRequest,
    private readonly begun: {
      readonly archive: OrgArchive.OrgArchive
      readonly before: OrgArchive.OrgArchive | undefined
    }
  ) {
    this.archive = begun.archive
  }

  private get org(): string {
    return this.archive.org.id
  }

  private save(changed: Partial<OrgArchive.OrgArchive>) {
    this.archive = { ...this.archive, ...changed }
    return this.request.folder.write(
      OrgArchive.MANIFEST,
      bytesOf.encode(OrgArchive.print(this.archive))
    )
  }

  private parts(table: ArchiveTables.SchemaTable, reading: OrgArchive.Reading, first: number) {
    const source = ArchiveClient.copyOut(
      this.client,
      ArchiveTables.copyOf(table, this.org, reading)
    )
    return Stream.fromAsyncIterable(
      ArchiveParts.cut(source, ArchiveParts.PART_BYTES),
      (cause) => cause
    ).pipe(
      Stream.mapError((cause) => ArchiveClient.failed(`export ${table.name}`, cause)),
      Stream.zipWithIndex,
      Stream.mapEffect(([content, at]) =>
        ArchiveParts.write(this.request.folder, {
          content,
          number: first + at,
          table: table.name
        })
      ),
      Stream.runCollect,
      Effect.map(Chunk.toReadonlyArray)
    )
  }

  /** Writes the rows of a table that the archive lacks. */
  table(table: ArchiveTables.SchemaTable, seen: string) {
    return Effect.gen(this, function* () {
      const found = yield* attempt(`count ${table.name}`, () =>
        ArchiveTables.find(this.client, table, this.org)
      )
      const before = this.archive.tables[table.name]
      const reading = OrgArchive.readingOf(before, found)
      if (before !== undefined && reading === undefined)
        return yield* this.save({
          tables: { ...this.archive.tables, [table.name]: { ...before, seen } }
        })
      const kept = before?.parts ?? []
      const made = yield* this.parts(table, reading ?? "all", nextNumber(kept))
      this.written += made.reduce((sum, { rows }) => sum + rows, 0)
      const parts = reading === "all" ? made : [...kept, ...made]
      const { columns, hash, key, rows } = found
      yield* this.save({
        tables: { ...this.archive.tables, [table.name]: { columns, key, rows, hash, seen, parts } }
      })
    })
  }

  /** Writes the contents of files that the folder lacks, and removes those that were erased. */
  files() {
    return Effect.gen(this, function* () {
      const { folder } = this.request
      const there = new Set(yield* folder.list(OrgArchive.FILES))
      const wanted = yield* attempt("list files", () =>
        this.client.query<{ fingerprint: string }>(
          "select distinct fingerprint from attachment_chunk where org_id = $1 order by 1",
          [this.org]
        )
      )
      let written = 0
      for (const { fingerprint } of wanted.rows) {
        if (there.delete(fingerprint)) continue
        const chunks = yield* attempt("read file", () =>
          this.client.query<{ content: Uint8Array }>(
            `select content from attachment_chunk where org_id = $1 and fingerprint = $2 order by index`,
            [this.org, fingerprint]
          )
        )
        yield* folder.write(
          OrgArchive.filePath(fingerprint),
          Buffer.concat(chunks.rows.map(({ content }) => content))
        )
        written += 1
      }
      for (const erased of there) yield* folder.remove(OrgArchive.filePath(erased))
      return written
    })
  }

  /** Removes the parts of the archive before that this one does not name. */
  private removeOthers() {
    const { folder } = this.request
    return Effect.forEach(Object.entries(this.begun.before?.tables ?? {}), ([name, { parts }]) => {
      const named = new Set(this.archive.tables[name]?.parts.map(({ number }) => number))
      return Effect.forEach(parts, ({ number }) =>
        named.has(number) ? Effect.void : folder.remove(OrgArchive.partPath(name, number))
      )
    })
  }

  run(tables: ReadonlyArray<ArchiveTables.SchemaTable>, seen: string) {
    return Effect.gen(this, function* () {
      // WHY at once: parts that this export replaces are no longer named.
      yield* this.save({})
      for (const table of tables) yield* this.table(table, seen)
      const files = this.request.hasFiles ? yield* this.files() : 0
      yield* this.save({ is_whole: true })
      yield* this.removeOthers()
      const all = Object.values(this.archive.tables)
      return {
        org: this.archive.org.name,
        tables: all.length,
        rows: all.reduce((sum, { rows }) => sum + rows, 0),
        written: this.written,
        files
      }
    })
  }
}

/** The archive of the folder, as far as this export continues it. */
const begin = (request: ExportRequest, client: pg.Client) =>
  Effect.gen(function* () {
    const { hasFiles, hasSecrets, org, release } = request
    const id = yield* attempt("find org", () => ArchiveClient.orgNamed(client, org))
    if (id === undefined) return yield* new OrgNotFound({ org })
    yield* attempt("enter org", () => ArchiveClient.enterOrg(client, id))
    const { cluster, migration, now, seen } = yield* attempt("read facts", () =>
      ArchiveClient.facts(client)
    )
    const before = Option.getOrUndefined(yield* ArchiveParts.readManifest(request.folder))
    const started = {
      format: OrgArchive.FORMAT,
      org: { id: OrgId.make(id), name: org },
      release,
      migration,
      cluster,
      taken_at: now,
      is_whole: false,
      has_secrets: hasSecrets,
      has_files: hasFiles,
      sequences: yield* attempt("read sequences", () => ArchiveClient.sequences(client))
    } as const
    const tables = yield* OrgArchive.continued(before, started)
    return { archive: { ...started, tables }, before, seen }
  })

/** Writes the archive of an org. */
export const run = (
  client: pg.Client,
  request: ExportRequest
): Effect.Effect<
  Exported,
  ArchiveFolderError | OrgArchive.ArchiveRefused | OrgNotFound | StoreError
> =>
  Effect.gen(function* () {
    yield* attempt("begin", () => client.query("begin isolation level repeatable read read only"))
    const { archive, before, seen } = yield* begin(request, client)
    const all = yield* attempt("list tables", () => ArchiveTables.list(client))
    const tables = all.filter(({ name }) => OrgTables.isArchived(name, request))
    const exported = yield* new Export(client, request, { archive, before }).run(tables, seen)
    yield* attempt("commit", () => client.query("commit"))
    return exported
  })
