/**
 * Functions that run as the owner and take an org work only for the org of the transaction.
 *
 * WHY besides row-level security: it does not bind an owner that is a superuser, and keys and users are in no
 * org's table. DECISION B-172
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"

/** The org that the transaction has named. */
const ORG = "current_setting('attestry.org_id', true)"

const DEFINER = "security definer set search_path = attestry, pg_temp"

/** The keys `k` of a person, or of an account of the transaction's org. */
const OWNED = `(k.user_id = person or (k.account_org_id = org and k.service_account_id = account
  and k.account_org_id = ${ORG}))`

/** Whether a key `k` is a person's, or belongs to the transaction's org. */
const IN_REACH = `(k.account_org_id is null or k.account_org_id = ${ORG})`

const CLOCK = "(extract(epoch from clock_timestamp()) * 1000000)::int8"

const keys = (sql: SqlClient.SqlClient) =>
  Effect.all([
    // WHY it fails: a key that was not stored must not be returned.
    sql`create or replace function api_key_insert(
        id text, person text, org text, account text, note text, hash text, at int8, expires int8
      ) returns void
      language plpgsql ${sql.literal(DEFINER)}
      as $$
      begin
        if org is not null and org is distinct from ${sql.literal(ORG)} then
          raise exception 'a key of another org' using errcode = 'insufficient_privilege';
        end if;
        insert into api_key values (id, person, org, account, note, hash, at, expires,
          null, null, null);
      end
      $$`,
    sql`create or replace function api_key_of(person text, org text, account text, wanted text)
      returns setof api_key
      language sql stable ${sql.literal(DEFINER)}
      as $$ select * from api_key k where k.key_id = wanted and ${sql.literal(OWNED)} $$`,
    sql`create or replace function api_key_lock(person text, org text, account text, wanted text)
      returns setof api_key
      language sql ${sql.literal(DEFINER)}
      as $$ select * from api_key k where k.key_id = wanted and ${sql.literal(OWNED)} for update $$`,
    // A person's keys are listed in the orgs that the person belongs to.
    sql`create or replace function api_key_list(person text, org text, account text, at int8)
      returns setof api_key
      language sql stable ${sql.literal(DEFINER)}
      as $$ select * from api_key k
        where ${sql.literal(OWNED)}
          and (k.user_id is null or exists (select from membership m
            where m.org_id = ${sql.literal(ORG)} and m.user_id = k.user_id))
          and coalesce(at < k.revoked_at, true) and coalesce(at < k.expires_at, true)
          and coalesce(at < k.grace_period_expires_at, true)
        order by k.created_at, k.key_id $$`,
    sql`create or replace function api_key_end(wanted text, revoked int8, grace int8) returns void
      language sql ${sql.literal(DEFINER)}
      as $$ update api_key k set revoked_at = revoked, grace_period_expires_at = grace
        where k.key_id = wanted and ${sql.literal(IN_REACH)} $$`,
    sql`create or replace function api_key_remove(
        person text, org text, account text, wanted text
      ) returns void
      language sql ${sql.literal(DEFINER)}
      as $$ delete from api_key k where k.key_id = wanted and ${sql.literal(OWNED)} $$`
  ])

const expiry = (sql: SqlClient.SqlClient) =>
  Effect.all([
    sql`create or replace function api_key_expiring(org text, within_seconds int8)
      returns table (id text, description text, service_account text, creating_user_id text,
        expires_at int8, told_days int4)
      language sql stable ${sql.literal(DEFINER)}
      as $$
        select k.key_id, k.description, a.name, a.creating_user_id, k.expires_at, n.told_days
          from api_key k
          join service_account a
            on a.org_id = k.account_org_id and a.service_account_id = k.service_account_id
          left join api_key_notice n on n.org_id = k.account_org_id and n.key_id = k.key_id
          where k.account_org_id = org and org = ${sql.literal(ORG)}
            and k.service_account_id is not null and k.expires_at is not null
            and k.revoked_at is null and k.grace_period_expires_at is null
            and k.expires_at <= ${sql.literal(CLOCK)} + within_seconds * 1000000
            and (n.told_days is null or n.told_days > 0)
          order by 1
      $$`,
    sql`create or replace function org_mailboxes(org text)
      returns table (user_id text, role text, email text)
      language sql stable ${sql.literal(DEFINER)}
      as $$
        select m.user_id, m.role, u.email from membership m
          join app_user u on u.user_id = m.user_id
          where m.org_id = org and org = ${sql.literal(ORG)} order by 1
      $$`
  ])

/** Binds the functions about keys and mailboxes to the org of the transaction. */
export const ownOrgFunctions = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* keys(sql)
  yield* expiry(sql)
})
