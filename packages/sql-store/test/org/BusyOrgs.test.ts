/** Workers look at orgs that have something to do: each mark names its org, and an idle org is named by none. */
import { OrgId } from "@attestry/core/Identifier"
import { type BackgroundWork, OrgStore } from "@attestry/core/OrgStore"
import * as Fixture from "@attestry/core/testing/Fixture"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as PgLayer from "../shared/PgLayer.js"

const WORK: ReadonlyArray<BackgroundWork> = ["evaluation", "waiver", "proposal", "break-glass"]

const FAR = 9_000_000_000_000_000

/** Under which kinds of work an org is listed. */
const kindsOf = (org: string) =>
  Effect.gen(function* () {
    const store = yield* OrgStore
    const busy = yield* Effect.forEach(WORK, (work) =>
      Effect.map(store.listBusy(work), (orgs) => (orgs.some(({ id }) => id === org) ? [work] : []))
    )
    return busy.flat()
  })

const environment = (change: string) => ({ table: "environment", change })

const waiver = (change: string) => ({
  table: "waiver",
  insert: `insert into attestry.waiver (org_id, number, policy_name, reason, owner, owner_id, starts_at, expires_at,
      approvals_required, approver_role, self_approval, requested_by, requester_id, requested_at, approvals)
    values ($1, 1, 'p', 'r', 'o', 'o', 1, 2, 1, 'admin', false, 'o', 'o', 1, '[]')`,
  change
})

const proposal = (change: string) => ({
  table: "proposal",
  insert: `insert into attestry.proposal (org_id, number, request, digest, changes, state_digest, kinds, spaces, reason,
      proposer, barred, made_at, expires_at, approvals)
    values ($1, 1, '{}', 'd', '[]', 'd', '[]', '[]', 'r', '{}', '[]', 1, 2, '[]')`,
  change
})

const opening = (change: string) => ({
  table: "break_glass",
  insert: `insert into attestry.break_glass (org_id, number, user_id, opened_by, credential, means, space_id, role,
      reason, minutes, opened_at, ends_at, notified_at)
    values ($1, 1, 'u', 'o', 'c', 'grant', 's', 'admin', 'r', 1, 1, 2, 1)`,
  change
})

/** What an org has, and the work that this is. */
const CASES: ReadonlyArray<
  readonly [
    { readonly table: string; readonly insert?: string; readonly change: string },
    ReadonlyArray<BackgroundWork>
  ]
> = [
  [environment("is_pending = false"), []],
  [environment("is_pending = true"), ["evaluation"]],
  [environment("due_at = 1"), ["evaluation"]],
  [environment(`due_at = ${FAR}`), []],
  [environment("due_at = 1, archived_at = 1"), []],
  [environment("silence_due_at = 1"), ["evaluation"]],
  [environment(`silence_due_at = ${FAR}`), []],
  [waiver("settled = null"), ["waiver"]],
  [waiver("settled = 'expired'"), []],
  [waiver("rejected = '{}'"), []],
  [waiver("revoked = '{}'"), []],
  [proposal("ended = null"), ["proposal"]],
  [proposal(`expires_at = ${FAR}`), []],
  [proposal("ended = '{}'"), []],
  [opening("closed_at = null"), ["break-glass"]],
  [opening("closed_at = 2"), ["break-glass"]],
  [opening("closed_at = 2, reviewed = '{}'"), []]
]

layer(PgLayer.layer, { excludeTestServices: true })("OrgStore.listBusy", (it) => {
  it.effect("names an org by each of its marks, and no idle one", () =>
    Effect.gen(function* () {
      const { query } = yield* PgLayer.TestDatabase
      for (const [{ table, insert, change }, expected] of CASES) {
        const org = yield* Fixture.org
        yield* Fixture.environment(org)
        if (insert !== undefined) yield* query(insert, [org.id])
        yield* query(`update attestry.${table} set ${change} where org_id = $1`, [org.id])
        assert.deepStrictEqual(yield* kindsOf(org.id), expected, `${table}: ${change}`)
      }
    })
  )

  it.effect("leaves the application with the rows of its own org", () =>
    Effect.gen(function* () {
      const { query } = yield* PgLayer.TestDatabase
      const sql = yield* SqlClient.SqlClient
      const org = yield* Fixture.org
      yield* Fixture.environment(org)
      yield* query("update attestry.environment set is_pending = true where org_id = $1", [org.id])
      const seen = sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`select set_config('attestry.due', 'on', true), set_config('attestry.behind', 'on', true)`
          const rows = yield* sql<{ readonly org_id: string }>`select org_id from environment
            union all select org_id from waiver union all select org_id from proposal
            union all select org_id from break_glass union all select org_id from journal`
          return rows.map(({ org_id }) => OrgId.make(org_id))
        })
      )
      assert.deepStrictEqual(yield* seen, [])
    })
  )
})
