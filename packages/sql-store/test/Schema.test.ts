/** What holds after every migration: keys begin with the org, and functions of the owner are listed. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as PgLayer from "./shared/PgLayer.js"

/** The functions that run as the owner: each answers one question about tables that have no org. */
const DEFINERS = [
  "addresses_erase(text, text[], text[], bigint)",
  "allow_list_period_erase(text, text[], text)",
  "api_key_end(text, bigint, bigint)",
  "api_key_expiring(text, bigint)",
  "api_key_expiring_orgs(bigint)",
  "api_key_forget(text, text, bigint)",
  "api_key_insert(text, text, text, text, text, text, bigint, bigint, jsonb, boolean)",
  "api_key_list(text, text, text, bigint)",
  "api_key_lock(text, text, text, text)",
  "api_key_of(text, text, text, text)",
  "api_key_of_org(text, bigint, bigint, bigint, boolean, boolean)",
  "api_key_remove(text, text, text, text)",
  "api_key_touch(jsonb)",
  "attachment_erase(text)",
  "background_lease_acquire(text, bigint)",
  "background_lease_release(text, bigint, bigint)",
  "background_lease_until(text)",
  "behind_orgs()",
  "commits_erase(text, text[], text)",
  "creator_erase(integer, text[], text)",
  "credential_by_id(text)",
  "decaying_environments(bigint)",
  "delivery_erase(text, jsonb)",
  "denied_attempt_insert(text, text, text, text, text, text, bigint, text)",
  "denied_attempt_list(text, integer)",
  "due_orgs()",
  "idempotency_prune(integer)",
  "invitation_by_id(text)",
  "journal_erase(bigint, text, text, jsonb, text)",
  "log_behind(bigint, text[], integer)",
  "log_poll()",
  "log_scrub_list()",
  "log_thin(bigint, bigint)",
  "oidc_issuer_due(bigint)",
  "oidc_issuer_fail(text, text)",
  "oidc_issuer_get(text)",
  "oidc_issuer_name(text, text, text[])",
  "oidc_issuer_save(text, jsonb)",
  "oidc_issuer_want(text, bigint)",
  "org_busy(text)",
  "org_by_id(text)",
  "org_by_name(text)",
  "org_insert(text, text, bigint)",
  "org_insert_first(text, text, bigint)",
  "org_list()",
  "org_mailboxes(text)",
  "org_member(text, text)",
  "org_members(text, text[])",
  "org_members_at(text, bigint)",
  "outbox_claim(integer, integer, bigint, jsonb, text)",
  "outbox_depth(integer)",
  "outbox_prune(bigint, integer)",
  "outbox_settle(jsonb)",
  "person_by_id(text)",
  "person_erase(text, text[], text, text)",
  "public_log_has(text)",
  "public_log_list()",
  "public_log_put(boolean)",
  "record_api_keys()",
  "record_erase(text, tid, text, jsonb)",
  "record_org()",
  "record_users()",
  "scim_described(text)",
  "server_process_list(bigint)",
  "server_process_put(text, text, text, jsonb, bigint)",
  "server_process_remove(text)",
  "session_by_id(text)",
  "session_claim(text, text, text, text)",
  "session_insert(text, text, text, bigint, text, text, bigint, text)",
  "session_offer(text, text, text, text, bigint)",
  "session_remove(text)",
  "sign_in_insert(text, text, text, text, bigint)",
  "sign_in_joining(text)",
  "sign_in_list(text, text[], bigint, bigint)",
  "sign_in_settings(text[])",
  "user_by_address(text)",
  "user_by_id(text)",
  "user_by_login(text)",
  "user_default_org(text)",
  "user_home(text)",
  "user_identity_get(text, text)",
  "user_identity_insert(text, text, text, text)",
  "user_identity_list(text)",
  "user_identity_remove(text, text)",
  "user_insert(text, text, text, text, bigint)",
  "user_orgs(text)",
  "user_set_default_org(text, text)",
  "user_set_home(text, text)",
  "witness_log_advance(text, bigint, bigint, text, text)",
  "witness_log_get(text)",
  "witness_log_list()"
]

/** Keys of tables with an org that do not begin with it: they point at people or issuers, who are global. */
const EXCEPTIONS = [
  "membership_user_id_fkey",
  "oidc_issuer_use_pkey",
  "scim_user_user_id_fkey",
  "team_member_user_id_fkey"
]

const names = (rows: ReadonlyArray<PgLayer.Row>) => rows.map(({ name }) => name)

layer(PgLayer.layerDatabase, { excludeTestServices: true })("the schema", (it) => {
  it.effect("has exactly the functions that run as the owner which are listed here", () =>
    Effect.gen(function* () {
      const database = yield* PgLayer.TestDatabase
      const rows = yield* database.query(
        `select format('%s(%s)', proname, (select string_agg(format_type(t, null), ', ' order by n)
            from unnest(proargtypes) with ordinality as args (t, n))) as name
          from pg_proc where pronamespace = 'attestry'::regnamespace and prosecdef order by 1`
      )
      assert.deepStrictEqual(names(rows), DEFINERS)
    })
  )

  it.effect("pins the search path of each of them, and grants none to the public", () =>
    Effect.gen(function* () {
      const database = yield* PgLayer.TestDatabase
      const rows = yield* database.query(
        `select proname as name from pg_proc
          where pronamespace = 'attestry'::regnamespace and prosecdef
            and (not coalesce('search_path=attestry, pg_temp' = any (proconfig), false)
              or has_function_privilege('public', oid, 'execute'))`
      )
      assert.deepStrictEqual(names(rows), [])
    })
  )

  it.effect("begins every primary, unique and foreign key of a tenant table with the org", () =>
    Effect.gen(function* () {
      const database = yield* PgLayer.TestDatabase
      const rows = yield* database.query(
        `select k.conname as name from pg_constraint k
          join pg_attribute org on org.attrelid = k.conrelid and org.attname = 'org_id'
          where k.connamespace = 'attestry'::regnamespace and k.contype in ('p', 'u', 'f')
            and k.conkey[1] <> org.attnum
            and k.conrelid <> 'attestry.org'::regclass
          order by 1`
      )
      assert.deepStrictEqual(names(rows), EXCEPTIONS)
    })
  )
})
