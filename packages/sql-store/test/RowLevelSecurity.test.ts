/** Row-level security and grants: what the application role may see and do in the database itself. */

import { ArtifactStore } from "@attestry/core/ArtifactStore"
import { ref } from "@attestry/core/Environment"
import type { OrgId } from "@attestry/core/Identifier"
import { JournalStore } from "@attestry/core/JournalStore"
import { MembershipStore } from "@attestry/core/MembershipStore"
import { NotificationStore } from "@attestry/core/NotificationStore"
import type { Org } from "@attestry/core/Org"
import { OutboxStore } from "@attestry/core/OutboxStore"
import { SnapshotStore } from "@attestry/core/SnapshotStore"
import { Transaction } from "@attestry/core/Transaction"
import * as Fixture from "@attestry/core/testing/Fixture"
import * as NotificationFixture from "@attestry/core/testing/NotificationFixture"
import * as Generated from "@attestry/core/testing/Snapshot"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, FastCheck, Predicate } from "effect"
import * as PgLayer from "./shared/PgLayer.js"

const ROLE = "attestry_app"

/** Tables that belong to no org; the application reaches them through functions only. */
const GLOBAL_TABLES = ["api_key", "app_user", "oidc_issuer_use", "org", "public_log"]

const tenantTables = Effect.gen(function* () {
  const database = yield* PgLayer.TestDatabase
  const rows = yield* database.query(
    `select c.relname as name, c.relrowsecurity as enabled, c.relforcerowsecurity as forced
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id'
      where c.relnamespace = 'attestry'::regnamespace and c.relkind in ('r', 'p')
        and c.relname <> all ($1) order by 1`,
    [GLOBAL_TABLES]
  )
  return rows.map(({ name, enabled, forced }) => ({ name: String(name), enabled, forced }))
})

/** An org with at least one row in every table of evidence and environments. */
const filledOrg = Effect.gen(function* () {
  const org = yield* Fixture.org
  const user = yield* Fixture.user
  yield* (yield* MembershipStore).insert({
    org_id: org.id,
    user_id: user.id,
    role: "admin",
    created_at: Fixture.AT
  })
  const trail = yield* Fixture.trail(yield* Fixture.flow(org))
  yield* (yield* ArtifactStore).append(yield* Fixture.newArtifact(trail, 1))
  yield* (yield* JournalStore).append({
    org_id: org.id,
    kind: "flow_created",
    subject: { type: "flow", id: trail.flow_id },
    actor: { kind: "system", id: "system", name: "system" },
    at: Fixture.AT,
    content: "{}",
    digest: "00"
  })
  const environment = ref(yield* Fixture.environment(org))
  const [history] = FastCheck.sample(Generated.snapshotHistory(9), { numRuns: 1, seed: 1 })
  for (const { draft } of history ?? []) {
    yield* (yield* SnapshotStore).append(environment, draft)
  }
  yield* filledOutbox(org)
  return org.id
})

/** At least one row in every table of notifications. */
const filledOutbox = (org: Org) =>
  Effect.gen(function* () {
    const [target] = (yield* NotificationFixture.subscription(org)).targets
    if (target === undefined) return
    const secret = { org_id: org.id, secret: "whsec_", created_at: Fixture.AT, previous: null }
    yield* (yield* NotificationStore).insertSecret(secret)
    const outbox = yield* OutboxStore
    const notification = NotificationFixture.expiryNotification(org, "k1", 7)
    yield* outbox.append([
      yield* NotificationFixture.newDelivery(org, target),
      yield* NotificationFixture.newDelivery(org, target, { notification })
    ])
    const claimed = yield* outbox.claim({ limit: 1_000, perQueue: 1_000, leaseMillis: 60_000 })
    yield* outbox.settle(
      claimed.map(({ org_id, id, token, notification: { event_type } }) => ({
        org_id,
        id,
        token,
        outcome: { _tag: event_type === "API_KEY_EXPIRY" ? "Delivered" : "Released" }
      }))
    )
  })

const countsOf = (tables: ReadonlyArray<{ readonly name: string }>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const entries = yield* Effect.forEach(tables, ({ name }) =>
      Effect.map(
        sql<{ readonly n: number }>`select count(*) as n from ${sql(name)}`,
        ([row]) => [name, row?.n] as const
      )
    )
    return new Map(entries)
  })

const countsIn = (org: OrgId, tables: ReadonlyArray<{ readonly name: string }>) =>
  Effect.flatMap(Transaction, (transaction) => transaction.run(org, () => countsOf(tables)))

/** The SQLSTATE of a refusal. */
const codeOf = (error: unknown): unknown =>
  Predicate.isRecord(error) && Predicate.isRecord(error.cause) ? error.cause.code : error

const refusal = (statement: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return codeOf(yield* Effect.flip(sql`${sql.literal(statement)}`))
  })

const FORBIDDEN = "42501"

layer(PgLayer.layer, { excludeTestServices: true })("row-level security", (it) => {
  it.effect("is enabled and forced on every table with an org", () =>
    Effect.gen(function* () {
      const tables = yield* tenantTables
      assert.deepStrictEqual(
        tables,
        tables.map(({ name }) => ({ name, enabled: true, forced: true }))
      )
      assert.includeMembers(
        tables.map(({ name }) => name),
        ["artifact", "environment", "flow", "journal", "membership", "snapshot", "trail"]
      )
    })
  )

  it.effect("shows no row of any table to a transaction without an org", () =>
    Effect.gen(function* () {
      const tables = yield* tenantTables
      yield* filledOrg
      assert.deepStrictEqual(yield* countsOf(tables), new Map(tables.map(({ name }) => [name, 0])))
    })
  )

  it.effect("shows each org its own rows and no others", () =>
    Effect.gen(function* () {
      const database = yield* PgLayer.TestDatabase
      const tables = yield* tenantTables
      const [one, other, empty] = [yield* filledOrg, yield* filledOrg, (yield* Fixture.org).id]
      for (const org of [one, other, empty]) {
        const own = yield* Effect.forEach(tables, ({ name }) =>
          Effect.map(
            database.query(`select count(*)::int4 as n from ${name} where org_id = $1`, [org]),
            ([row]) => [name, row?.n] as const
          )
        )
        assert.deepStrictEqual(yield* countsIn(org, tables), new Map(own))
      }
      const filled = [...(yield* countsIn(one, tables))].flatMap(([name, n]) => (n ? [name] : []))
      assert.includeMembers(filled, [
        "artifact",
        "environment",
        "flow",
        "journal",
        "membership",
        "snapshot",
        "snapshot_event",
        "snapshot_row",
        "trail"
      ])
    })
  )

  it.effect("refuses to write a row of one org in a transaction of another", () =>
    Effect.gen(function* () {
      const transaction = yield* Transaction
      const [one, other] = yield* Effect.all([Fixture.org, Fixture.org])
      const sql = yield* SqlClient.SqlClient
      const insert = sql`insert into membership (org_id, user_id, role, created_at)
        values (${other.id}, 'u', 'admin', 0)`
      const refused = yield* Effect.flip(transaction.run(one.id, () => insert))
      assert.strictEqual(codeOf(refused), FORBIDDEN)
    })
  )
})

layer(PgLayer.layer, { excludeTestServices: true })("the application role", (it) => {
  it.effect("owns nothing, bypasses nothing, and belongs to no other role", () =>
    Effect.gen(function* () {
      const database = yield* PgLayer.TestDatabase
      assert.deepStrictEqual(
        yield* database.query(
          `select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolcanlogin, rolreplication
            from pg_roles where rolname = $1`,
          [ROLE]
        ),
        [
          {
            rolsuper: false,
            rolbypassrls: false,
            rolcreaterole: false,
            rolcreatedb: false,
            rolcanlogin: false,
            rolreplication: false
          }
        ]
      )
      const owned = `select relname from pg_class where relowner = $1::regrole
        union all select proname from pg_proc where proowner = $1::regrole
        union all select nspname from pg_namespace where nspowner = $1::regrole`
      assert.deepStrictEqual(yield* database.query(owned, [ROLE]), [])
      const memberOf = "select roleid from pg_auth_members where member = $1::regrole"
      assert.deepStrictEqual(yield* database.query(memberOf, [ROLE]), [])
    })
  )

  it.effect("is what every statement runs as", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(yield* sql`select current_user::text as role`, [{ role: ROLE }])
    })
  )

  it.effect("adds to the journal and reads it, and nothing else", () =>
    Effect.gen(function* () {
      const transaction = yield* Transaction
      const org = yield* filledOrg
      const statements = [
        "update journal set kind = 'x'",
        "delete from journal",
        "truncate journal",
        "alter table journal disable row level security",
        "drop table journal"
      ]
      for (const statement of statements) {
        assert.strictEqual(yield* refusal(statement), FORBIDDEN)
      }
      const kept = yield* transaction.run(org, () => countsOf([{ name: "journal" }]))
      assert.deepStrictEqual(kept, new Map([["journal", 1]]))
    })
  )

  it.effect("may only add to what is append-only, and empties or alters nothing", () =>
    Effect.gen(function* () {
      const database = yield* PgLayer.TestDatabase
      const rows = yield* database.query(
        `select table_name as name, array_agg(privilege_type::text order by privilege_type::text) as granted
          from information_schema.role_table_grants
          where grantee = $1 and table_schema = 'attestry' group by 1`,
        [ROLE]
      )
      const granted = new Map(rows.map((row) => [row.name, row.granted]))
      for (const table of ["artifact", "journal", "snapshot", "snapshot_event"]) {
        assert.deepStrictEqual(granted.get(table), ["INSERT", "SELECT"])
      }
      const strong = [...granted].filter(
        ([, all]) =>
          Array.isArray(all) && all.some((one) => /TRUNCATE|TRIGGER|REFERENCES/.test(one))
      )
      assert.deepStrictEqual(strong, [])
    })
  )

  it.effect("cannot reach the tables that belong to no org", () =>
    Effect.gen(function* () {
      for (const table of GLOBAL_TABLES) {
        assert.strictEqual(yield* refusal(`select * from ${table}`), FORBIDDEN)
        assert.strictEqual(yield* refusal(`delete from ${table}`), FORBIDDEN)
      }
    })
  )
})
