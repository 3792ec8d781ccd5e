/** What an export continues, and which rows of a table it reads. */
import { OrgId, OrgName } from "@attestry/core/Identifier"
import * as OrgArchive from "@attestry/core/OrgArchive"
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Either, FastCheck as fc } from "effect"

const archives = Arbitrary.make(OrgArchive.OrgArchive)

const org = { id: OrgId.make("01a1f5d3-0000-0000-0000-000000000001"), name: OrgName.make("acme") }
const part = { number: 1, rows: 10, sha256: "0".repeat(64) }
const table: OrgArchive.ArchivedTable = {
  columns: ["org_id", "id"],
  key: ["id"],
  rows: 10,
  hash: "5",
  seen: "700",
  parts: [part]
}
const found: OrgArchive.FoundTable = {
  columns: ["org_id", "id"],
  key: ["id"],
  rows: 11,
  hash: "6",
  isKept: true
}
const archive: OrgArchive.OrgArchive = {
  format: 1,
  org,
  release: "0.1.0",
  migration: 1,
  cluster: "7",
  taken_at: "1",
  is_whole: true,
  has_secrets: true,
  has_files: true,
  sequences: {},
  tables: { flow: table }
}

describe("the text of archive.json", () => {
  it("is read as it was written", () => {
    fc.assert(
      fc.property(archives, (each) => {
        assert.deepStrictEqual(OrgArchive.parse(OrgArchive.print(each)), Either.right(each))
      })
    )
  })

  it("is refused when it is another text, and never fails otherwise", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        assert.isTrue(Either.isLeft(OrgArchive.parse(text)))
      })
    )
  })

  it("names no path outside of the folder", () => {
    const named = (name: string) =>
      OrgArchive.print(archive).replace('"flow"', JSON.stringify(name))
    assert.isTrue(Either.isRight(OrgArchive.parse(named("flow_2"))))
    for (const name of ["../flow", "a/b", "", "Flow", "a".repeat(64)])
      assert.isTrue(Either.isLeft(OrgArchive.parse(named(name))), name)
  })
})

describe("the rows that an export reads", () => {
  it("are all at first, none without a change, and else those since the export before", () => {
    assert.strictEqual(OrgArchive.readingOf(undefined, found), "all")
    assert.isUndefined(OrgArchive.readingOf(table, { ...found, rows: 10, hash: "5" }))
    assert.deepStrictEqual(OrgArchive.readingOf(table, found), { since: "700" })
    assert.deepStrictEqual(OrgArchive.readingOf(table, { ...found, rows: 10 }), { since: "700" })
  })

  it("are all of a table whose rows are taken away, without a key, or with other columns", () => {
    assert.strictEqual(OrgArchive.readingOf(table, { ...found, isKept: false }), "all")
    assert.strictEqual(OrgArchive.readingOf(table, { ...found, key: [] }), "all")
    assert.strictEqual(OrgArchive.readingOf(table, { ...found, columns: ["id", "org_id"] }), "all")
  })

  it("are all when the parts have more than three times the rows", () => {
    const grown = (rows: number) => ({ ...table, parts: [part, { ...part, number: 2, rows }] })
    assert.deepStrictEqual(OrgArchive.readingOf(grown(23), found), { since: "700" })
    assert.strictEqual(OrgArchive.readingOf(grown(24), found), "all")
  })
})

describe("an export into a folder with an archive", () => {
  const now = { cluster: "7", migration: 1, has_secrets: true, org }

  it("continues that of the same org in the same database", () => {
    assert.deepStrictEqual(OrgArchive.continued(archive, now), Either.right(archive.tables))
    assert.deepStrictEqual(OrgArchive.continued(undefined, now), Either.right({}))
  })

  it("begins again after another cluster or migration, and with other secrets", () => {
    for (const other of [{ cluster: "8" }, { migration: 2 }, { has_secrets: false }])
      assert.deepStrictEqual(OrgArchive.continued(archive, { ...now, ...other }), Either.right({}))
  })

  it("refuses that of another org", () => {
    const other = { ...org, id: OrgId.make("01a1f5d3-0000-0000-0000-000000000002") }
    assert.isTrue(Either.isLeft(OrgArchive.continued(archive, { ...now, org: other })))
  })
})
