/** Connections to an embedded server log in as a plain role: no statement on them bypasses row-level security. */
import { OrgStore } from "@attestry/core/OrgStore"
import * as Fixture from "@attestry/core/testing/Fixture"
import * as EmbeddedPostgres from "@attestry/embedded-postgres/EmbeddedPostgres"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { Context, Effect, Layer, Option, Predicate, type Scope } from "effect"
import { dataDir, settings } from "../../../embedded-postgres/test/ServerFixture.js"
import * as PgStore from "../../src/pg/PgStore.js"
import * as SqlStore from "../../src/SqlStore.js"

const FORBIDDEN = "42501"

const codeOf = (error: unknown): unknown =>
  Predicate.isRecord(error) && Predicate.isRecord(error.cause) ? error.cause.code : error

/** The ports and the client of the store, on one connection, so that what is set stays set. */
const storeIn = (path: string) =>
  Effect.gen(function* () {
    const options = yield* PgStore.openOwn(
      yield* EmbeddedPostgres.make({ dataDir: path, settings })
    )
    const client = PgStore.layerClient({ ...options, connectionsMax: 1 })
    return yield* Layer.build(SqlStore.layer.pipe(Layer.provideMerge(client)))
  })

/** A folder as it was left by a version whose connections logged in as the owner, with an org. */
const oldFolder = Effect.gen(function* () {
  const path = yield* dataDir
  const org = yield* Effect.scoped(
    Effect.gen(function* () {
      const { url } = yield* EmbeddedPostgres.make({ dataDir: path, settings })
      const ports = yield* Layer.build(PgStore.layer({ url }))
      return yield* Effect.provide(Fixture.org, ports)
    })
  )
  return { path, org }
})

/** Statements by which a connection might become another role, or do what only another may. */
const ESCAPES = [
  "set role attestry",
  "set session authorization attestry",
  "set local session authorization attestry",
  "alter role attestry_pool superuser",
  "create role intruder superuser",
  "grant attestry to attestry_pool",
  "alter table journal disable row level security",
  "drop policy own_org on journal",
  "update journal set kind = 'x'",
  "delete from snapshot",
  "create table attestry.mine ()",
  "create function attestry.mine() returns int4 language sql as 'select 1'",
  "select * from api_key",
  "select * from pg_authid",
  "select pg_read_file('PG_VERSION')",
  "copy (select 1) to program 'true'",
  "load 'auto_explain'",
  "alter system set fsync = off"
]

/** What leads back to the role that logged in, alone or before a statement. */
const RETURNS = ["reset role", "set role none", "reset session authorization", "discard all"]

const rolesOf = (sql: SqlClient.SqlClient) => sql`select session_user::text as session,
  current_user::text as role, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication
  from pg_roles where rolname = session_user`

const PLAIN = {
  session: "attestry_pool",
  rolsuper: false,
  rolbypassrls: false,
  rolcreaterole: false,
  rolcreatedb: false,
  rolreplication: false
}

const refusesEscapes = (
  ports: Context.Context<SqlClient.SqlClient>
): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const sql = Context.get(ports, SqlClient.SqlClient)
    const run = (statement: string) => sql`${sql.literal(statement)}`.unprepared
    assert.deepStrictEqual(yield* rolesOf(sql), [{ ...PLAIN, role: "attestry_app" }])
    for (const back of ["select 1", ...RETURNS]) {
      yield* run(back)
      yield* run("set search_path to attestry, pg_temp")
      for (const way of ESCAPES) {
        const refused = codeOf(yield* Effect.flip(run(way)))
        assert.deepStrictEqual([back, way, refused], [back, way, FORBIDDEN])
      }
      const hidden = yield* run("select count(*)::int4 as n from journal")
      assert.deepStrictEqual(hidden, [{ n: 0 }])
      yield* run("set row_security to off")
      assert.strictEqual(codeOf(yield* Effect.flip(run("select * from journal"))), FORBIDDEN)
      yield* run("reset row_security")
    }
    assert.deepStrictEqual(yield* rolesOf(sql), [{ ...PLAIN, role: "attestry_pool" }])
  })

const memberships = (sql: SqlClient.SqlClient) => sql`select g.rolname::text as role
  from pg_auth_members m join pg_roles g on g.oid = m.roleid
  where m.member = 'attestry_pool'::regrole`

const check = (path: string): Effect.Effect<void, unknown, Scope.Scope> =>
  Effect.gen(function* () {
    const ports = yield* storeIn(path)
    const sql = Context.get(ports, SqlClient.SqlClient)
    assert.deepStrictEqual(yield* memberships(sql), [{ role: "attestry_app" }])
    yield* refusesEscapes(ports)
  })

it.live("works as a plain role, of which no statement makes another", () =>
  Effect.scoped(Effect.flatMap(dataDir, check))
)

it.live(
  "gives a folder of an earlier version the role, at each start, and keeps what is in it",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { path, org } = yield* oldFolder
        yield* Effect.scoped(check(path))
        const ports = yield* storeIn(path)
        const found = yield* Context.get(ports, OrgStore).find({ name: org.name })
        deepStrictEqual(found, Option.some(org))
      })
    )
)
