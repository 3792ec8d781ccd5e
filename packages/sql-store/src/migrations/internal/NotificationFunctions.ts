/** The functions of the expiry scan, and of background leases. */
import type { SqlClient } from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"

/** The clock of the database, in microseconds. */
export const CLOCK = "(extract(epoch from clock_timestamp()) * 1000000)::int8"

/** Keys that are notified about, as `ApiKeyExpiry.counts` decides. */
const COUNTS = `k.service_account_id is not null and k.expires_at is not null
  and k.revoked_at is null and k.grace_period_expires_at is null
  and k.expires_at <= ${CLOCK} + within_seconds * 1000000
  and (n.told_days is null or n.told_days > 0)`

/** Makes the functions of the expiry scan. */
export const expiryFunctions = (sql: SqlClient) =>
  Effect.all([
    sql`create index api_key_by_end on api_key (expires_at)
      where service_account_id is not null and revoked_at is null
        and grace_period_expires_at is null`,
    sql`create function api_key_expiring_orgs(within_seconds int8)
      returns table (id text, name text)
      language sql stable security definer set search_path = attestry, pg_temp
      as $$
        select distinct o.org_id, o.name from api_key k
          join org o on o.org_id = k.account_org_id
          left join api_key_notice n on n.org_id = k.account_org_id and n.key_id = k.key_id
          where ${sql.literal(COUNTS)} order by 1
      $$`,
    // Inside a transaction of the org: its accounts are seen by the org's own policy.
    sql`create function api_key_expiring(org text, within_seconds int8)
      returns table (id text, description text, service_account text, creating_user_id text,
        expires_at int8, told_days int4)
      language sql stable security definer set search_path = attestry, pg_temp
      as $$
        select k.key_id, k.description, a.name, a.creating_user_id, k.expires_at, n.told_days
          from api_key k
          join service_account a
            on a.org_id = k.account_org_id and a.service_account_id = k.service_account_id
          left join api_key_notice n on n.org_id = k.account_org_id and n.key_id = k.key_id
          where k.account_org_id = org and ${sql.literal(COUNTS)} order by 1
      $$`,
    sql`create function org_by_id(wanted text) returns setof org
      language sql stable security definer set search_path = attestry, pg_temp
      as $$ select * from org where org_id = wanted $$`,
    sql`create function org_mailboxes(org text) returns table (user_id text, role text, email text)
      language sql stable security definer set search_path = attestry, pg_temp
      as $$
        select m.user_id, m.role, u.email from membership m
          join app_user u on u.user_id = m.user_id where m.org_id = org order by 1
      $$`
  ])

/** Makes the functions of background leases. */
export const leaseFunctions = (sql: SqlClient) =>
  Effect.all([
    sql`create function background_lease_acquire(wanted text, millis int8) returns setof int8
      language sql security definer set search_path = attestry, pg_temp
      as $$
        insert into background_lease as l values (wanted, 1, ${sql.literal(CLOCK)} + millis * 1000)
          on conflict (name) do update set token = l.token + 1, until = excluded.until
            where l.until <= ${sql.literal(CLOCK)}
          returning token
      $$`,
    sql`create function background_lease_release(wanted text, held int8, millis int8) returns void
      language sql security definer set search_path = attestry, pg_temp
      as $$
        update background_lease set until = ${sql.literal(CLOCK)} + millis * 1000
          where name = wanted and token = held
      $$`
  ])
