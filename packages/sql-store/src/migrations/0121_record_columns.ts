/**
 * Verification reads rows with columns of type `json`, whose text may be one that `jsonb` refuses: an escape of NUL, or
 * a number out of range. Such a column is shown as damaged, and the others as they are.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { openFunctions } from "./internal/TenantTable.js"

/** Adds a function. */
export const recordColumns = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create function record_columns(stored anyelement) returns jsonb
    language plpgsql stable set search_path = attestry, pg_temp
    as $$
    declare
      name text;
      shown jsonb := '{}';
      value jsonb;
    begin
      return to_jsonb(stored);
    exception when data_exception or program_limit_exceeded then
      for name in select a.attname from pg_catalog.pg_attribute a
        join pg_catalog.pg_type t on t.typrelid = a.attrelid
        where t.oid = pg_typeof(stored)::oid and a.attnum > 0 and not a.attisdropped
      loop
        begin
          execute format('select to_jsonb(($1).%I)', name) into value using stored;
        exception when data_exception or program_limit_exceeded then
          value := to_jsonb('a value that cannot be read'::text);
        end;
        shown := shown || jsonb_build_object(name, value);
      end loop;
      return shown;
    end $$`
  yield* openFunctions(sql, ["record_columns(anyelement)"])
})
