/**
 * Erasure of personal texts from what rows of snapshots say of commits, and from addresses of notifications.
 * DECISION B-424
 *
 * WHY functions: the application may change neither rows of snapshots nor what a delivery says.
 */
import { COMMIT_MEMBERS } from "@attestry/core/CopyStore"
import { ERASED_URL } from "@attestry/core/NotificationTarget"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { openFunctions } from "./internal/TenantTable.js"

const OWN = "current_setting('attestry.org_id', true)"

const MEMBERS = COMMIT_MEMBERS.map((name) => `'${name}'`).join()

/** Whether a list of flow views says one of the texts of a commit of the trail. */
const SAYS = `exists (select from jsonb_array_elements(f.flows) v (view)
    where v.view ->> 'trail_id' = trail and exists (select from unnest(array[${MEMBERS}]) m (name)
      where v.view -> 'git_commit_info' ->> m.name = any(texts)))`

/** A flow view without the texts. */
const LEFT_VIEW = `case when v.view ->> 'trail_id' = trail
      and jsonb_typeof(v.view -> 'git_commit_info') = 'object'
    then v.view || jsonb_build_object('git_commit_info', (
      select jsonb_object_agg(c.name, case when c.name in (${MEMBERS})
          and c.value #>> '{}' = any(texts) then to_jsonb(left_text) else c.value end)
      from jsonb_each(v.view -> 'git_commit_info') c (name, value)))
    else v.view end`

/** Contents are found by their digests, so what is left gets its own, and the rows that name it follow. */
const COMMITS = `
  declare
    each record;
    flows_left jsonb;
    digest_left bytea;
  begin
    for each in select f.digest, f.flows from snapshot_flows f where f.org_id = ${OWN} and ${SAYS}
    loop
      select jsonb_agg(${LEFT_VIEW} order by v.place) into flows_left
        from jsonb_array_elements(each.flows) with ordinality v (view, place);
      digest_left := sha256(convert_to(flows_left::text, 'UTF8'));
      insert into snapshot_flows (org_id, digest, flows) values (${OWN}, digest_left, flows_left)
        on conflict do nothing;
      update snapshot_row r set flows_digest = digest_left
        where r.org_id = ${OWN} and r.flows_digest = each.digest;
      delete from snapshot_flows f where f.org_id = ${OWN} and f.digest = each.digest;
    end loop;
  end`

/** A target without the addresses. */
const LEFT_TARGET = `case
    when t.target ->> 'webhook' = any(urls)
      then t.target || jsonb_build_object('webhook', '${ERASED_URL}')
    when t.target ? 'emails' then t.target || jsonb_build_object('emails', (
      select coalesce(jsonb_agg(e.email), '[]') from jsonb_array_elements(t.target -> 'emails') e (email)
        where e.email #>> '{}' <> all(emails)))
    else t.target end`

/** Whether a target has no address. */
const IS_GONE = `(t.target ->> 'webhook' = '${ERASED_URL}' or t.target -> 'emails' = '[]')`

const HAS_SOME = `(t.target ->> 'webhook' = any(urls) or t.target -> 'emails' ?| emails)`

const ADDRESSES = `
  begin
    update notification_target t set target = ${LEFT_TARGET}
      where t.org_id = ${OWN} and t.target_id = who and ${HAS_SOME};
    update notification_target t set disabled_at = instant
      where t.org_id = ${OWN} and t.target_id = who and t.disabled_at is null and ${IS_GONE};
    update outbox t set target = ${LEFT_TARGET}
      where t.org_id = ${OWN} and t.queue = coalesce(who, t.queue) and ${HAS_SOME};
    delete from outbox t
      where t.org_id = ${OWN} and t.queue = coalesce(who, t.queue) and ${IS_GONE};
  end`

/** Adds functions. */
export const erasedRows = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const owned = sql.literal(
    "language plpgsql volatile security definer set search_path = attestry, pg_temp"
  )
  yield* sql`create function commits_erase(trail text, texts text[], left_text text) returns void
    ${owned} as $$ ${sql.literal(COMMITS)} $$`
  yield* sql`create function addresses_erase(who text, urls text[], emails text[], instant int8)
    returns void ${owned} as $$ ${sql.literal(ADDRESSES)} $$`
  yield* openFunctions(sql, [
    "commits_erase(text, text[], text)",
    "addresses_erase(text, text[], text[], int8)"
  ])
})
