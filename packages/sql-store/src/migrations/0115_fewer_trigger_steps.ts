/**
 * Triggers that do for a whole statement, or not at all, what they did for each row. DECISION B-418
 *
 * Evidence that arrives together is written by one statement: its contents get their traits by one more, and a flow
 * that has the minute already is read and not written.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { insertOf } from "./0103_artifact_trait.js"
import { LOOKUP, MINUTE } from "./0112_flow_activity.js"

/** WHY in order: a trait waits for the same one of another transaction, and none must wait in a circle. */
const ADDED = `
  begin
    ${insertOf("added a", " order by a.org_id, a.fingerprint, t.kind")}
    return null;
  end`

/**
 * WHY first a look: an update without rows costs several times as much, and runs the triggers of flows. A flow that
 * another transaction brings to the minute after the look is not settled, which is true until a later minute.
 */
const KEEP = `
  declare
    reached int8 := new.evaluated_at / ${MINUTE};
  begin
    if exists (select from flow f where f.org_id = new.org_id and f.flow_id = new.flow_id
      and f.active_minute < reached)
    then
      update flow f set active_minute = reached where f.org_id = new.org_id and f.flow_id = (
        select g.flow_id from flow g
        where g.org_id = new.org_id and g.flow_id = new.flow_id and g.active_minute < reached
        for no key update skip locked);
      if found then
        delete from flow_unsettled u
          where u.org_id = new.org_id and u.flow_id = new.flow_id and u.minute <= reached;
        return null;
      end if;
    elsif tg_op = 'INSERT' or reached >= old.evaluated_at / ${MINUTE} then
      return null;
    end if;
    insert into flow_unsettled (org_id, flow_id, minute) values (new.org_id, new.flow_id, reached);
    return null;
  end`

/** Replaces both. */
export const fewerTriggerSteps = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create or replace function flow_activity_keep() returns trigger
    language plpgsql ${sql.literal(LOOKUP)} as $$ ${sql.literal(KEEP)} $$`
  yield* sql`lock table artifact in access exclusive mode`
  yield* sql`drop trigger artifact_trait_write on artifact`
  yield* sql`create trigger artifact_trait_write after update of report on artifact
    for each row execute function artifact_trait_write()`
  yield* sql`create function artifact_trait_added() returns trigger
    language plpgsql set search_path = attestry, pg_temp as $$ ${sql.literal(ADDED)} $$`
  yield* sql`revoke all on function artifact_trait_added() from public`
  yield* sql`create trigger artifact_trait_added after insert on artifact
    referencing new table as added for each statement execute function artifact_trait_added()`
})
