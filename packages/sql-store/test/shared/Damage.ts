/** How the suite of damaged records damages a row: with SQL, as the owner of the database, without the store. */
import type { RecordToDamage } from "@attestry/core/testing/DamagedRecordsSuite"
import { Effect } from "effect"
import { TestDatabase } from "./PgLayer.js"

/** For each kind of record its table, the column of its id, and a column with a value that it can never have. */
const ROWS: { readonly [kind in RecordToDamage["kind"]]: readonly [string, string, string] } = {
  flow: ["flow", "flow_id", "tags = '1'"],
  trail: ["trail", "trail_id", "details = '1'"],
  artifact: ["artifact", "artifact_id", "report = '1'"],
  attestation: ["attestation", "attestation_id", "attachments = '1'"],
  repo: ["repo", "internal_id", "tags = '1'"],
  entry: ["journal", "sequence", "content = '\\xff'"]
}

/** Damages a stored record. WHY it names the org: row-level security also binds an owner who is no superuser. */
export const damage = ({ kind, org, id }: RecordToDamage): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const { query } = yield* yield* Effect.serviceOption(TestDatabase)
    const [table, key, change] = ROWS[kind]
    yield* query("select set_config('attestry.org_id', $1, false)", [org])
    const changed = yield* query(
      `update attestry.${table} set ${change} where org_id = $1 and ${key}::text = $2 returning 1`,
      [org, id]
    )
    yield* query("select set_config('attestry.org_id', '', false)")
    if (changed.length !== 1) return yield* Effect.dieMessage(`no ${kind} ${id} was damaged`)
  })
