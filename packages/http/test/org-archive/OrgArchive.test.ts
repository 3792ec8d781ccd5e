/**
 * ARCHIVE-2, ARCHIVE-3, ARCHIVE-4: an org that has something of every feature is exported, and taken in by an empty
 * database: every row is there, and its records and verdicts are those of its journal. An archive that lacks or changes
 * anything is refused.
 */
import { Flows } from "@attestry/core/Flows"
import { FlowName, type OrgId, OrgName } from "@attestry/core/Identifier"
import * as OrgArchive from "@attestry/core/OrgArchive"
import { OrgStore } from "@attestry/core/OrgStore"
import { RecordVerification } from "@attestry/core/RecordVerification"
import * as TableFinding from "@attestry/core/TableFinding"
import * as Fixture from "@attestry/core/testing/Fixture"
import * as OrgArchives from "@attestry/sql-store/OrgArchives"
import { Effect, Either, ManagedRuntime, Option } from "effect"
import { afterAll, assert, beforeAll, it } from "vitest"
import { lengthForRun } from "../../../core/test/shared/Effort.js"
import * as OrgTables from "../../../sql-store/src/internal/org-archive/OrgTables.js"
import * as PgLayer from "../../../sql-store/test/shared/PgLayer.js"
import * as UseCaseLayer from "../../../sql-store/test/shared/UseCaseLayer.js"
import { fillOthers, fillProposals } from "../log/OtherWorld.js"
import { fillSpaces } from "../log/SpacesWorld.js"
import { fill, fillSeconds } from "../log/World.js"
import { onPostgres } from "../shared/TestServer.js"
import * as MemoryFolder from "./MemoryFolder.js"

type Database = PgLayer.TestDatabase["Type"]

const textOf = new TextDecoder()

const requestOf = (folder: MemoryFolder.MemoryFolder): OrgArchives.ExportRequest => ({
  org: OrgName.make("acme"),
  folder,
  release: "0.1.0",
  hasSecrets: true,
  hasFiles: true
})

const take = ({ url }: Database, folder: MemoryFolder.MemoryFolder) =>
  OrgArchives.exportOrg(url, requestOf(folder))

/** Works with an empty migrated database. */
const onEmpty = <A, E>(
  work: (database: Database) => Effect.Effect<A, E>,
  database = PgLayer.layerDatabase
): Promise<A> =>
  Effect.runPromise(Effect.provide(Effect.flatMap(PgLayer.TestDatabase, work), database))

/** The rows of an org in every archived table, as one text for each table. */
const rowsOf = ({ query }: Database, org: string) =>
  Effect.gen(function* () {
    const all: Record<string, string> = {}
    for (const [table, rule] of OrgTables.RULES) {
      if (rule === "left") continue
      const where = OrgTables.conditionOf(table).replaceAll("$ORG", `'${org}'`)
      const rows = yield* query(
        `select t::text as row from attestry.${table} t where ${where} order by 1`
      )
      all[table] = rows.map(({ row }) => String(row)).join("\n")
    }
    return all
  })

const assertSame = (one: Database, other: Database, org: string) =>
  Effect.gen(function* () {
    const [there, here] = [yield* rowsOf(one, org), yield* rowsOf(other, org)]
    for (const table of Object.keys(there)) assert.strictEqual(here[table], there[table], table)
  })

const useCases = ({ url }: Database) => UseCaseLayer.layer(PgLayer.layerOn({ url }))

const verify = (database: Database, org: OrgId) =>
  Effect.gen(function* () {
    const report = yield* (yield* RecordVerification).verify(org, 5)
    return report.map(TableFinding.print)
  }).pipe(Effect.provide(useCases(database)))

/** Saves a flow twice, as an admin of the org. */
const writeMore = (database: Database) =>
  Effect.gen(function* () {
    const org = Option.getOrThrow(yield* (yield* OrgStore).find({ name: OrgName.make("acme") }))
    const flows = yield* Flows
    for (const description of ["one more", "changed"])
      yield* flows
        .put(org.name, { name: FlowName.make("later"), description })
        .pipe(UseCaseLayer.as(Fixture.actor([org, "admin"])))
  }).pipe(Effect.provide(useCases(database)))

const archiveOf = ({ files }: MemoryFolder.MemoryFolder): OrgArchive.OrgArchive =>
  Either.getOrThrow(OrgArchive.parse(textOf.decode(files.get(OrgArchive.MANIFEST))))

/** In a short run some of the files are damaged, and else each. */
const EVERY = lengthForRun({ quick: 12, full: 6, deep: 1 })

onPostgres("archives of orgs", (server) => {
  const folder = MemoryFolder.make()
  let id: OrgId
  let quiet: ManagedRuntime.ManagedRuntime<PgLayer.TestDatabase, never>

  /** Works with a database that took the org in, and in which no server works. */
  const onQuiet = <A, E>(work: (database: Database) => Effect.Effect<A, E>) =>
    quiet.runPromise(Effect.flatMap(PgLayer.TestDatabase, work))

  beforeAll(async () => {
    await fill(server)
    await fillSeconds(server)
    await fillOthers(server)
    await fillProposals(server)
    const orgs = await server.run(Effect.flatMap(OrgStore, ({ list }) => list))
    id = Option.getOrThrow(Option.fromNullable(orgs.find(({ name }) => name === "acme")?.id))
    await server.run(fillSpaces(id))
    const source = await server.run(
      Effect.flatMap(Effect.serviceOption(PgLayer.TestDatabase), (found) => found)
    )
    const first = MemoryFolder.make()
    await Effect.runPromise(take(source, first))
    quiet = ManagedRuntime.make(PgLayer.layerDatabase)
    await onQuiet(({ url }) => OrgArchives.importOrg(url, first))
    await onQuiet((database) => take(database, folder))
  }, 240_000)

  afterAll(() => quiet.dispose())

  it(
    "hold every row of the org",
    () =>
      onQuiet((source) =>
        Effect.gen(function* () {
          const { tables } = archiveOf(folder)
          assert.isAbove(Object.values(tables).filter(({ rows }) => rows > 0).length, 60)
          yield* Effect.promise(() =>
            onEmpty((database) =>
              Effect.gen(function* () {
                const imported = yield* OrgArchives.importOrg(database.url, folder)
                assert.deepStrictEqual(imported.renamed, [])
                assert.strictEqual(imported.files_missing, 0)
                yield* assertSame(source, database, id)
                assert.deepStrictEqual(yield* verify(database, id), [])
                yield* writeMore(database)
                assert.deepStrictEqual(yield* verify(database, id), [])
              })
            )
          )
        })
      ),
    120_000
  )

  it(
    "are taken in by an owner without privileges, and made by one",
    () =>
      onEmpty(
        (database) =>
          Effect.gen(function* () {
            yield* OrgArchives.importOrg(database.url, folder)
            const again = MemoryFolder.make()
            yield* take(database, again)
            const [one, other] = [archiveOf(folder).tables, archiveOf(again).tables]
            for (const [table, { hash }] of Object.entries(one))
              assert.strictEqual(other[table]?.hash, hash, table)
          }),
        PgLayer.layerPlainOwner
      ),
    120_000
  )

  it(
    "add what changed, and equal one that is made at once",
    () =>
      onQuiet((source) =>
        Effect.gen(function* () {
          const grown = MemoryFolder.copy(folder)
          assert.strictEqual((yield* take(source, grown)).written, 0)
          yield* writeMore(source)
          const more = yield* take(source, grown)
          assert.isAbove(more.written, 0)
          assert.isBelow(more.written, more.rows / 2)
          const whole = MemoryFolder.make()
          yield* take(source, whole)
          const [ofGrown, ofWhole] = [archiveOf(grown), archiveOf(whole)]
          for (const [table, { hash, rows }] of Object.entries(ofWhole.tables)) {
            assert.strictEqual(ofGrown.tables[table]?.hash, hash, table)
            assert.strictEqual(ofGrown.tables[table]?.rows, rows, table)
          }
          assert.isAbove(ofGrown.tables.journal?.parts.length ?? 0, 1)
          yield* Effect.promise(() =>
            onEmpty((database) =>
              Effect.zipRight(
                OrgArchives.importOrg(database.url, grown),
                assertSame(source, database, id)
              )
            )
          )
        })
      ),
    120_000
  )

  it(
    "are refused when a byte is changed or a file is missing, and nothing of the org is there",
    () =>
      onEmpty((database) =>
        Effect.gen(function* () {
          const paths = [...folder.files.keys()].filter((path) => path !== OrgArchive.MANIFEST)
          for (const path of paths.filter((_, at) => at % EVERY === 0)) {
            const content = Uint8Array.from(folder.files.get(path) ?? [])
            const middle = Math.floor(content.length / 2)
            content[middle] = (content[middle] ?? 0) ^ 1
            for (const found of [content, undefined]) {
              const damaged = MemoryFolder.copy(folder)
              if (found === undefined) damaged.files.delete(path)
              else damaged.files.set(path, found)
              const refused = yield* Effect.flip(OrgArchives.importOrg(database.url, damaged))
              assert.strictEqual(refused._tag, "ArchiveRefused", path)
            }
          }
          assert.deepStrictEqual(yield* database.query("select from attestry.org"), [])
        })
      ),
    480_000
  )

  it(
    "are refused when their parts are not as they are named",
    () =>
      onEmpty(({ url }) =>
        Effect.gen(function* () {
          const { tables, ...rest } = archiveOf(folder)
          const { journal } = tables
          assert.isDefined(journal)
          if (journal === undefined) return
          const wrong: ReadonlyArray<Partial<OrgArchive.OrgArchive>> = [
            { tables: { ...tables, journal: { ...journal, rows: journal.rows + 1 } } },
            { tables: { ...tables, journal: { ...journal, hash: "1" } } },
            { tables: { ...tables, journal: { ...journal, parts: [] } } },
            { tables: { ...tables, no_table: journal } },
            { is_whole: false },
            { migration: 99 }
          ]
          for (const each of wrong) {
            const changed = MemoryFolder.copy(folder)
            const text = OrgArchive.print({ ...rest, tables, ...each })
            changed.files.set(OrgArchive.MANIFEST, new TextEncoder().encode(text))
            const refused = yield* Effect.flip(OrgArchives.importOrg(url, changed))
            assert.strictEqual(refused._tag, "ArchiveRefused")
          }
          yield* OrgArchives.importOrg(url, folder)
          const again = yield* Effect.flip(OrgArchives.importOrg(url, folder))
          assert.strictEqual(again._tag, "OrgExists")
        })
      ),
    120_000
  )

  it(
    "leave out secrets and files when they are told to",
    () =>
      onQuiet((source) =>
        Effect.gen(function* () {
          const without = MemoryFolder.make()
          const request = { ...requestOf(without), hasSecrets: false, hasFiles: false }
          yield* OrgArchives.exportOrg(source.url, request)
          const { tables } = archiveOf(without)
          assert.notProperty(tables, "signing_secret")
          assert.notProperty(tables, "notification_target")
          assert.deepStrictEqual(
            [...without.files.keys()].filter((path) => path.startsWith("files/")),
            []
          )
          yield* Effect.promise(() =>
            onEmpty(({ url }) =>
              Effect.map(OrgArchives.importOrg(url, without), ({ files_missing }) =>
                assert.isAbove(files_missing, 0)
              )
            )
          )
        })
      ),
    120_000
  )
})
