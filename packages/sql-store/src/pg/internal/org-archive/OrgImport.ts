/**
 * Takes the archive of an org into a database that does not have it.
 *
 * Everything is one transaction: until it ends nothing of the org is there, and it ends only if every table has the
 * rows, and the sum of their hashes, that `archive.json` names.
 */
import { CHUNK_BYTES_MAX } from "@attestry/core/AttachmentStore"
import type { OrgName } from "@attestry/core/Identifier"
import * as OrgArchive from "@attestry/core/OrgArchive"
import { OrgExists } from "@attestry/core/Orgs"
import type { StoreError } from "@attestry/core/StoreError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type pg from "pg"
import type { ArchiveFolder, ArchiveFolderError } from "../../ArchiveFolder.js"
import * as ArchiveClient from "./ArchiveClient.js"
import * as ArchiveParts from "./ArchiveParts.js"
import * as ArchiveTables from "./ArchiveTables.js"

/** What an import took in. */
export interface Imported {
  readonly org: OrgName
  readonly rows: number
  readonly files: number
  /** Files whose contents are not in the archive. */
  readonly files_missing: number
  /** Logins that people of the org have here, where theirs were taken. */
  readonly renamed: ReadonlyArray<string>
}

type Failure = ArchiveFolderError | OrgArchive.ArchiveRefused | OrgExists | StoreError

const { attempt } = ArchiveClient

const refuse = (problem: string) => new OrgArchive.ArchiveRefused({ problem })

const archiveIn = (folder: ArchiveFolder) =>
  Effect.gen(function* () {
    const archive = yield* ArchiveParts.readManifest(folder)
    if (Option.isNone(archive)) return yield* refuse(`\`${OrgArchive.MANIFEST}\` is missing`)
    if (!archive.value.is_whole)
      return yield* refuse("its export did not end; repeat `org export` into the same folder")
    return archive.value
  })

/** The table into which rows are copied before they are inserted. WHY: `COPY` refuses row-level security. */
const ARRIVING = "pg_temp.arriving"

const columnsOf = (columns: ReadonlyArray<string>): string =>
  columns.map(ArchiveTables.quoted).join(", ")

/** Copies a text into the table of arriving rows. */
const copyIn = (client: pg.Client, columns: ReadonlyArray<string>, content: Uint8Array) =>
  new Promise<void>((resolve, reject) => {
    const sink = ArchiveClient.copyIn(client, `copy ${ARRIVING} (${columnsOf(columns)}) from stdin`)
    sink.on("error", reject)
    sink.on("finish", resolve)
    sink.end(content)
  })

/** Where rows of all orgs meet those that are there: those stay. */
const MEET = new Set(["api_key", "app_user", "oidc_issuer", "user_identity"])

const insertOf = (name: string, { columns, key }: OrgArchive.ArchivedTable): string => {
  const all = columnsOf(columns)
  const newest =
    key.length === 0
      ? `select ${all} from ${ARRIVING}`
      : `select distinct on (${columnsOf(key)}) ${all} from ${ARRIVING}
          order by ${columnsOf(key)}, arriving_order desc`
  const meeting = MEET.has(name) ? " on conflict do nothing" : ""
  return `insert into ${ArchiveTables.quoted(name)} (${all}) overriding system value ${newest}${meeting}`
}

/** People whose login another person has here get the login with the org's name. */
const RENAME = `update ${ARRIVING} a set login = a.login || '+' || $1
  where exists (select from app_user u where u.login = a.login and u.user_id <> a.user_id)
  returning a.login`

/** WHY: an org of which a person is elsewhere may not be here. */
const OWN_ORGS = `update ${ARRIVING} set
  default_org_id = case when default_org_id = $1 then $1 end,
  home_org_id = case when home_org_id = $1 then $1 end`

/** One import, in the transaction of its connection. */
class Import {
  readonly renamed: Array<string> = []

  constructor(
    private readonly client: pg.Client,
    private readonly folder: ArchiveFolder,
    private readonly archive: OrgArchive.OrgArchive
  ) {}

  private people() {
    const { id, name } = this.archive.org
    return attempt("import people", async () => {
      const { rows } = await this.client.query<{ login: string }>(RENAME, [name])
      this.renamed.push(...rows.map(({ login }) => login))
      await this.client.query(OWN_ORGS, [id])
    })
  }

  /** Takes in the rows of a table, and compares what is there then. */
  private table(table: ArchiveTables.SchemaTable, archived: OrgArchive.ArchivedTable) {
    const { client, folder } = this
    const { name } = table
    return Effect.gen(this, function* () {
      if (archived.columns.some((column) => !table.columns.includes(column)))
        return yield* refuse(`this database has other columns in \`${name}\``)
      yield* attempt(`prepare ${name}`, async () => {
        await client.query(`drop table if exists ${ARRIVING}`)
        await ArchiveClient.onTable(
          client,
          `create temporary table arriving on commit drop as
            select ${columnsOf(archived.columns)} from ${ArchiveTables.quoted(name)} with no data`
        )
        await client.query(
          `alter table ${ARRIVING} add column arriving_order int8 generated always as identity`
        )
      })
      for (const part of archived.parts) {
        const content = yield* ArchiveParts.read(folder, name, part)
        yield* attempt(`import ${name}`, () => copyIn(client, archived.columns, content))
      }
      if (name === "app_user") yield* this.people()
      yield* attempt(`import ${name}`, () =>
        ArchiveClient.onTable(client, insertOf(name, archived))
      )
      if (MEET.has(name)) return
      const found = yield* attempt(`compare ${name}`, () =>
        ArchiveTables.find(client, { ...table, columns: archived.columns }, this.archive.org.id)
      )
      if (found.rows !== archived.rows || found.hash !== archived.hash)
        return yield* refuse(
          `\`${name}\` came out with ${found.rows} rows, and not with the ${archived.rows} that were written`
        )
    })
  }

  private files() {
    const org = this.archive.org.id
    return Effect.gen(this, function* () {
      const wanted = yield* attempt("list files", () =>
        this.client.query<{ fingerprint: string }>(
          "select fingerprint from attachment where org_id = $1 order by 1",
          [org]
        )
      )
      if (!this.archive.has_files) return { files: 0, files_missing: wanted.rows.length }
      for (const { fingerprint } of wanted.rows) {
        const content = yield* ArchiveParts.readFile(this.folder, fingerprint)
        yield* attempt("import file", async () => {
          for (let at = 0; at * CHUNK_BYTES_MAX < content.length; at++)
            await this.client.query(
              `insert into attachment_chunk (org_id, fingerprint, index, content) values ($1, $2, $3, $4)`,
              [
                org,
                fingerprint,
                at,
                content.subarray(at * CHUNK_BYTES_MAX, (at + 1) * CHUNK_BYTES_MAX)
              ]
            )
        })
      }
      return { files: wanted.rows.length, files_missing: 0 }
    })
  }

  /**
   * WHY the lock: a number in flight is drawn before or after the largest is known. A sequence that is ahead stays.
   */
  private sequences() {
    return attempt("import sequences", async () => {
      for (const [name, last] of Object.entries(this.archive.sequences)) {
        if (last === "0") continue
        await ArchiveClient.onTable(
          this.client,
          `alter sequence if exists ${ArchiveTables.quoted(name)} no cycle`
        )
        await this.client.query(
          `select setval(s.seqrelid, greatest($2::int8, n.last_value))
            from pg_sequence s join pg_sequences n
              on n.schemaname = current_schema() and n.sequencename = $1
            where s.seqrelid = $3::regclass and coalesce(n.last_value, 0) < $2::int8`,
          [name, last, ArchiveTables.quoted(name)]
        )
      }
    })
  }

  run(tables: ReadonlyArray<ArchiveTables.SchemaTable>) {
    return Effect.gen(this, function* () {
      const names = new Set(tables.map(({ name }) => name))
      const unknown = Object.keys(this.archive.tables).filter((name) => !names.has(name))
      if (unknown.length > 0)
        return yield* refuse(`this database has no table \`${unknown.join("`, `")}\``)
      for (const table of tables) {
        const archived = this.archive.tables[table.name]
        if (archived !== undefined) yield* this.table(table, archived)
      }
      const files = yield* this.files()
      yield* this.sequences()
      const rows = Object.values(this.archive.tables).reduce((sum, each) => sum + each.rows, 0)
      return { org: this.archive.org.name, rows, ...files, renamed: this.renamed }
    })
  }
}

const checkAbsent = (client: pg.Client, { id, name }: OrgArchive.OrgArchive["org"]) =>
  Effect.gen(function* () {
    const found = yield* attempt("find org", () =>
      client.query("select from org where org_id = $1 or name = $2", [id, name])
    )
    if (found.rows.length > 0) return yield* new OrgExists({ org: name })
  })

/** Takes in the archive of a folder. */
export const run = (client: pg.Client, folder: ArchiveFolder): Effect.Effect<Imported, Failure> =>
  Effect.gen(function* () {
    const archive = yield* archiveIn(folder)
    const { id } = archive.org
    yield* attempt("begin", () => client.query("begin"))
    yield* checkAbsent(client, archive.org)
    const { migration } = yield* attempt("read facts", () => ArchiveClient.facts(client))
    if (migration !== archive.migration)
      return yield* refuse(
        `it is of migration ${archive.migration} and this database of ${migration}: use the release that wrote it`
      )
    yield* attempt("enter org", async () => {
      await ArchiveClient.enterOrg(client, id)
      await client.query("select set_config('attestry.loading', 'on', true)")
    })
    const tables = yield* attempt("list tables", () => ArchiveTables.list(client))
    const imported = yield* new Import(client, folder, archive).run(tables)
    yield* attempt("commit", () => client.query("commit"))
    return imported
  })
