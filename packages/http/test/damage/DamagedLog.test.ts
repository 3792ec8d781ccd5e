/**
 * Operations of the log on a damaged row of the journal or of the log: what does not read it answers as before, and
 * what reads it is 500 that says so, never a proof of something else.
 */
import { Effect, Option } from "effect"
import { assert, beforeAll, it } from "vitest"
import { TestDatabase } from "../../../sql-store/test/shared/PgLayer.js"
import { fill } from "../log/World.js"
import { onBothStores, type TestServer } from "../shared/TestServer.js"

/** Operations of the log: the query of each, and whether it reads the content or the hash of an entry. */
const OPERATIONS: ReadonlyArray<
  readonly [operation: string, query: string, reads: { content?: boolean; hash?: boolean }]
> = [
  ["GET /log/{org}", "", {}],
  ["GET /log/{org}/checkpoint", "", {}],
  ["GET /log/{org}/tile/{level}/{tile_path}", "", {}],
  ["GET /log/{org}/tile/entries/{tile_path}", "", { content: true }],
  ["GET /log/{org}/epochs/{epoch}/checkpoint", "", {}],
  ["GET /log/{org}/epochs/{epoch}/tile/{level}/{tile_path}", "", {}],
  ["GET /log/{org}/epochs/{epoch}/tile/entries/{tile_path}", "", { content: true }],
  ["GET /log/{org}/entries", "?env_name=prod&snapshot=1", { content: true }],
  ["GET /log/{org}/entries/{entry}", "", { content: true, hash: true }],
  ["GET /log/{org}/proofs/inclusion", "?index=1", { hash: true }],
  ["GET /events/{org}", "?limit=1000", { content: true }]
]

/** Fills the log of a server, and asks it while a row of it is damaged. */
const prepare = (server: TestServer) => {
  const { call, run } = server
  let path: { readonly [name: string]: string } = {}

  beforeAll(async () => {
    await fill(server)
    const { body } = await call("GET /log/{org}/entries", { query: "?env_name=prod&snapshot=1" })
    const [found] = (body as { entries: ReadonlyArray<{ entry: string; index: number }> }).entries
    assert.isBelow(found?.index ?? 256, 255)
    const width = String((found?.index ?? 0) + 1)
    path = { entry: found?.entry ?? "", level: "0", epoch: "1", tile_path: `000.p/${width}` }
  }, 60_000)

  const statuses = async () => {
    const found: Array<readonly [string, number]> = []
    for (const [operation, query] of OPERATIONS) {
      const { status, body } = await call(operation, { path, query })
      if (status === 500)
        assert.match(JSON.stringify(body), /damaged|could not be read/i, operation)
      found.push([operation, status])
    }
    return found
  }

  const whileChanged = (set: string, table: string) =>
    run(
      Effect.gen(function* () {
        const database = yield* Effect.serviceOption(TestDatabase)
        if (Option.isNone(database)) return undefined
        const { query } = database.value
        const where = `(org_id, sequence) = (select org_id, sequence from attestry.journal
          where kind = 'snapshot_created' and org_id = (select org_id from attestry.org
            where name = '${server.org}') order by sequence limit 1)`
        const column = set.split(" ")[0] ?? ""
        const [kept] = yield* query(
          `select encode(${column}, 'hex') as value from attestry.${table} where ${where}`
        )
        yield* query(`update attestry.${table} set ${set} where ${where}`)
        const found = yield* Effect.promise(statuses)
        yield* query(`update attestry.${table} set ${column} = decode($1, 'hex') where ${where}`, [
          kept?.value
        ])
        return found
      }).pipe(Effect.orDie)
    )

  return { statuses, whileChanged }
}

const expected = (reads: "content" | "hash") =>
  OPERATIONS.map(([operation, , of]) => [operation, of[reads] === true ? 500 : 200] as const)

onBothStores("a damaged entry of a log", (server) => {
  const { statuses, whileChanged } = prepare(server)

  it("answers everything before", async () => {
    assert.deepStrictEqual(
      await statuses(),
      OPERATIONS.map(([operation]) => [operation, 200])
    )
  })

  it("is 500 where the content of an entry is read that is no text", async () => {
    const found = await whileChanged("content = '\\xff'", "journal")
    if (found !== undefined) assert.deepStrictEqual(found, expected("content"))
  })
})

// WHY a server of its own: one that has checked a tile keeps it, and does not read the row.
onBothStores("a damaged leaf of a log", (server) => {
  const { whileChanged } = prepare(server)

  it("is 500 where a proof would lead to another root", async () => {
    const found = await whileChanged("hash = decode(repeat('00', 32), 'hex')", "log_leaf")
    if (found !== undefined) assert.deepStrictEqual(found, expected("hash"))
  })
})
