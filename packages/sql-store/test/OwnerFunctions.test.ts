/**
 * The functions that run as the owner bypass row-level security. Each that takes an org works only for the org of the
 * transaction; each other has a reason here.
 */
import { CredentialStore } from "@attestry/core/CredentialStore"
import { MembershipEventId } from "@attestry/core/Identifier"
import { MembershipStore } from "@attestry/core/MembershipStore"
import { ProviderId } from "@attestry/core/Provider"
import { SignInStore } from "@attestry/core/SignInStore"
import { Transaction } from "@attestry/core/Transaction"
import * as Fixture from "@attestry/core/testing/Fixture"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Predicate } from "effect"
import * as PgLayer from "./shared/PgLayer.js"

/** Functions that belong to no org, and why. */
const GLOBAL: Record<string, string> = {
  addresses_erase:
    "it takes no org, and changes targets and deliveries of the org of the transaction alone",
  allow_list_period_erase:
    "it takes no org, and changes what the org of the transaction allowed alone",
  decaying_environments: "the scan asks which environments of all orgs have something to be told",
  delivery_erase: "it takes no org, and changes deliveries of the org of the transaction alone",
  api_key_expiring_orgs: "the scan asks which orgs have something to be told",
  api_key_touch: "uses of keys of many orgs are written together; it writes `last_used_at` alone",
  attachment_erase: "it takes no org, and removes a file of the org of the transaction alone",
  behind_orgs:
    "the turn that evaluates asks which orgs have environments behind a change of a policy",
  due_orgs: "the turn that evaluates asks which orgs have a due environment",
  background_lease_acquire: "turns at background work belong to no org",
  background_lease_release: "turns at background work belong to no org",
  background_lease_until: "turns at background work belong to no org",
  commits_erase:
    "it takes no org, and changes rows of snapshots of the org of the transaction alone",
  creator_erase: "it takes no org, and changes notifications of the org of the transaction alone",
  credential_by_id: "a credential is looked up before its org is known",
  denied_attempt_insert: "the org that was asked for may not exist",
  denied_attempt_list: "administration lists attempts of all orgs",
  idempotency_prune: "it deletes expired keys, of any org, and returns nothing",
  invitation_by_id: "a secret is looked up before its org is known",
  journal_erase: "it takes no org, and changes entries of the org of the transaction alone",
  log_behind: "the sweep asks which orgs have entries without a leaf",
  log_scrub_list: "the worker asks which logs have grown since they were verified",
  log_thin: "it takes no org, and removes checkpoints of the org of the transaction alone",
  log_poll: "numbers of the journal are drawn for all orgs",
  oidc_issuer_due: "several orgs may trust one issuer, whose keys are fetched once",
  oidc_issuer_fail: "the keys of an issuer belong to no org",
  oidc_issuer_get: "the keys of an issuer belong to no org",
  oidc_issuer_save: "the keys of an issuer belong to no org",
  oidc_issuer_want: "the keys of an issuer belong to no org",
  org_by_id: "orgs are found before a transaction names them",
  org_by_name: "orgs are found before a transaction names them",
  org_insert: "a new org is in no org",
  org_insert_first: "a new org is in no org",
  org_busy: "workers ask which orgs have something to do",
  org_list: "administration and checks go through all orgs",
  outbox_claim: "workers deliver for all orgs",
  outbox_depth: "it counts over all orgs",
  outbox_prune: "it takes away old dead letters of all orgs",
  outbox_settle: "workers deliver for all orgs; a settlement needs the token of its lease",
  person_erase:
    "it takes no org, and changes the account of a user of the org of the transaction alone",
  person_by_id: "a person is looked up before an org is known",
  public_log_has: "a public log is found before its reader belongs to an org",
  public_log_list: "all callers may know which logs are public",
  public_log_put: "it takes no org, and writes of the org of the transaction alone",
  record_api_keys: "it takes no org, and reads keys of the org of the transaction alone",
  record_erase: "it takes no org, and changes records of the org of the transaction alone",
  record_org: "it takes no org, and reads the org of the transaction alone",
  record_users:
    "people belong to no org; it reads those who are or were members of the org of the transaction",
  server_process_list: "server processes belong to no org",
  server_process_put: "server processes belong to no org",
  server_process_remove: "server processes belong to no org",
  session_by_id: "a session is looked up before its org is known",
  session_claim: "a session is of a key or a person, whose org is not known yet",
  session_insert: "a session is of a key or a person, whose org is not known yet",
  session_offer: "a session is of a key or a person, whose org is not known yet",
  session_remove: "a session is of a key or a person",
  sign_in_insert: "an attempt to sign in belongs to no org",
  scim_described: "whom an identity describes is asked before an org is known",
  sign_in_joining: "it answers which orgs a person may join",
  sign_in_settings: "a session is judged by every org of its person",
  user_by_address: "people belong to no org",
  user_by_id: "people belong to no org",
  user_identity_get: "people belong to no org",
  user_identity_insert: "people belong to no org",
  user_identity_list: "people belong to no org",
  user_identity_remove: "people belong to no org",
  user_by_login: "people belong to no org",
  user_default_org: "people belong to no org",
  user_home: "people belong to no org",
  user_insert: "people belong to no org",
  user_set_home: "people belong to no org; an org can name itself alone",
  user_orgs: "it answers in which orgs a person is",
  user_set_default_org: "people belong to no org",
  witness_log_advance: "logs of others that are witnessed belong to no org",
  witness_log_get: "logs of others that are witnessed belong to no org",
  witness_log_list: "logs of others that are witnessed belong to no org"
}

const FORBIDDEN = "42501"

const codeOf = (error: unknown): unknown =>
  Predicate.isRecord(error) && Predicate.isRecord(error.cause) ? error.cause.code : error

/** An org with a member, a service account, and a key of each; the account's key ends soon. */
const filled = Effect.gen(function* () {
  const org = yield* Fixture.org
  const user = { ...(yield* Fixture.newUser), email: "anna@example.org" }
  yield* (yield* MembershipStore).insertUser(user)
  yield* (yield* MembershipStore).insert({
    org_id: org.id,
    user_id: user.id,
    role: "admin",
    created_at: Fixture.AT
  })
  yield* (yield* MembershipStore).appendEvent({
    org_id: org.id,
    id: MembershipEventId.make(yield* Fixture.freshId),
    user_id: user.id,
    user: user.login,
    changed_by: "test",
    role: "admin",
    previous_role: null,
    suspended: false,
    source: "script",
    created_at: Fixture.AT
  })
  const account = yield* Fixture.serviceAccount(org)
  const keys = yield* CredentialStore
  const personal = yield* Fixture.newKey(Fixture.userOwner(user))
  const machine = {
    ...(yield* Fixture.newKey(Fixture.accountOwner(account))),
    expires_at: Fixture.LATER
  }
  yield* (yield* SignInStore).insertSignIn({
    provider: ProviderId.make("okta"),
    outcome: "signed-in",
    user_id: user.id,
    subject: null
  })
  yield* keys.insertKey(personal)
  yield* keys.insertKey(machine)
  return { org: org.id, user: user.id, account: account.id, personal, machine }
})

type Filled = Effect.Effect.Success<typeof filled>

const HUGE = "9000000000000"

/** A call about the org that each function is asked for; those that write are seen in what is stored. */
const calls = ({ org, user, account, machine }: Filled): Record<string, string> => {
  const owner = `null, '${org}', '${account}'`
  return {
    api_key_end: `select api_key_end('${machine.id}', 1, 1)`,
    api_key_expiring: `select * from api_key_expiring('${org}', ${HUGE})`,
    api_key_forget: `select api_key_forget('${org}', '${account}', ${HUGE})`,
    api_key_insert: `select api_key_insert('forged', ${owner}, '', '', 1, null, null, false)`,
    api_key_list: `select * from api_key_list(${owner}, 1)`,
    api_key_lock: `select * from api_key_lock(${owner}, '${machine.id}')`,
    api_key_of: `select * from api_key_of(${owner}, '${machine.id}')`,
    api_key_of_org: `select * from api_key_of_org('${org}', 1, null, null, null, null)
      where (key).key_id = '${machine.id}'`,
    api_key_remove: `select api_key_remove(${owner}, '${machine.id}')`,
    oidc_issuer_name: `select oidc_issuer_name('${org}', '${account}', '{https://issuer.example.org}')`,
    org_mailboxes: `select * from org_mailboxes('${org}')`,
    org_member: `select * from org_member('${org}', '${user}')`,
    org_members: `select * from org_members('${org}', array['${user}'])`,
    org_members_at: `select * from org_members_at('${org}', ${HUGE}000)`,
    sign_in_list: `select * from sign_in_list('${org}', '{}', 0, 1)`
  }
}

/** Functions that change something, and so answer a row whatever they did. */
const WRITERS = [
  "api_key_end",
  "api_key_forget",
  "api_key_insert",
  "api_key_remove",
  "oidc_issuer_name"
]

const stored = Effect.flatMap(PgLayer.TestDatabase, ({ query }) =>
  query("select * from api_key order by key_id")
)

layer(PgLayer.layer, { excludeTestServices: true })("functions of the owner", (it) => {
  it.effect("are all stated here, as of one org or of none", () =>
    Effect.gen(function* () {
      const { query } = yield* PgLayer.TestDatabase
      const rows = yield* query(`select proname as name from pg_proc
        where pronamespace = 'attestry'::regnamespace and prosecdef`)
      const stated = [...Object.keys(GLOBAL), ...Object.keys(calls(yield* filled))]
      assert.deepStrictEqual(rows.map(({ name }) => name).sort(), stated.sort())
    })
  )

  it.effect("work for the org of the transaction, and not for another or without one", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { run } = yield* Transaction
      const [one, other] = [yield* filled, yield* filled]
      const before = yield* stored
      for (const [name, text] of Object.entries(calls(one))) {
        const call = sql`${sql.literal(text)}`
        if (name === "api_key_insert") {
          for (const forged of [run(other.org, () => call), call]) {
            assert.strictEqual(codeOf(yield* Effect.flip(forged)), FORBIDDEN)
          }
          continue
        }
        const elsewhere = [(yield* run(other.org, () => call)).length, (yield* call).length]
        assert.deepStrictEqual([name, yield* stored], [name, before])
        if (!WRITERS.includes(name)) {
          assert.deepStrictEqual([name, elsewhere], [name, [0, 0]])
          assert.deepStrictEqual([name, (yield* run(one.org, () => call)).length], [name, 1])
        }
      }
    })
  )

  it.effect("write keys in the org of the transaction", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { run } = yield* Transaction
      const one = yield* filled
      const { query } = yield* PgLayer.TestDatabase
      const own = query(
        "select key_id, revoked_at::int4 as revoked_at from api_key where account_org_id = $1 order by 1",
        [one.org]
      )
      const call = (name: string) => run(one.org, () => sql`${sql.literal(calls(one)[name] ?? "")}`)
      yield* call("api_key_end")
      assert.deepStrictEqual(yield* own, [{ key_id: one.machine.id, revoked_at: 1 }])
      yield* call("api_key_remove")
      yield* call("api_key_insert")
      assert.deepStrictEqual(yield* own, [{ key_id: "forged", revoked_at: null }])
    })
  )

  it.effect("list the keys of people in orgs that they belong to", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { run } = yield* Transaction
      const [one, other] = [yield* filled, yield* filled]
      const list = sql`select key_id from api_key_list(${one.user}, null, null, 1)`
      assert.deepStrictEqual(yield* run(one.org, () => list), [{ key_id: one.personal.id }])
      assert.deepStrictEqual(yield* run(other.org, () => list), [])
      assert.deepStrictEqual(yield* list, [])
    })
  )
})
