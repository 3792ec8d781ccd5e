/** An environment as a row of PostgreSQL: one JSON value, with the digests of its last report. */
import { contentOf, Environment } from "@attestry/core/Environment"
import type { ReportedEnvironment } from "@attestry/core/EnvironmentStore"
import * as SchemaFastPath from "@attestry/core/SchemaFastPath"
import { Timestamp } from "@attestry/core/Timestamp"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Record from "effect/Record"
import * as Schema from "effect/Schema"
import * as CadenceRow from "./CadenceRow.js"
import type { Heartbeats } from "./Heartbeats.js"
import { LockedEnvironment } from "./LockedEnvironment.js"

const { id: _id, verdict_pending: _pending, ...fields } = Environment.fields

const Row = Schema.Struct({
  ...fields,
  ...CadenceRow.fields,
  silent_since: Schema.NullOr(Timestamp),
  environment_id: Environment.fields.id,
  body_digest: Schema.NullOr(Schema.String),
  rows_digest: Schema.NullOr(Schema.String),
  is_pending: Schema.Boolean,
  flow_changes_seen: Schema.Int,
  due_at: Schema.NullOr(Timestamp),
  silence_due_at: Schema.NullOr(Timestamp)
})

/** The columns of a row `e` that `Found` reads. */
export const DOCUMENT = `row_to_json(e) as document,
  (extract(epoch from clock_timestamp()) * 1000000)::int8 as now, false as is_org_due`

/** The same, and whether the verdict is to be judged again. WHY the second condition: nearly always it is false. */
export const LISTED = `${DOCUMENT}, e.is_pending or (exists (select from policy_change c where c.org_id = e.org_id)
  and is_behind(e.org_id, e.environment_id)) as verdict_pending`

/** Lists and objects are columns of JSON; every other value is a column as it is. */
const columnOf = (value: unknown): unknown =>
  typeof value === "object" && value !== null ? JSON.stringify(value) : value

/** The columns of an environment; the digests of its last report have their own statement. */
export const columnsOf = ({
  id,
  due_at,
  silence_due_at,
  verdict_pending: _,
  ...environment
}: Environment): { readonly [name: string]: unknown } =>
  Record.map(
    {
      policy_modes: {},
      ...CadenceRow.NONE,
      silent_since: null,
      environment_id: id,
      due_at: due_at ?? null,
      silence_due_at: silence_due_at ?? null,
      ...environment
    },
    columnOf
  )

/** The columns that an update replaces. */
export const contentColumnsOf = (environment: Environment): { readonly [name: string]: unknown } =>
  Record.map({ policy_modes: {}, ...CadenceRow.NONE, ...contentOf(environment) }, columnOf)

/** A row with the clock; nulls where there is none. */
export const Found = Schema.Struct({
  document: Schema.NullOr(Row),
  now: Schema.NullOr(Timestamp),
  is_org_due: Schema.NullOr(Schema.Boolean)
})
/** A row of a list. */
export const Listed = Schema.Struct({ ...Found.fields, verdict_pending: Schema.Boolean })
/** The same with the state of a locked environment. */
export const Locked = Schema.Struct({ ...Found.fields, state: Schema.NullOr(LockedEnvironment) })

/** A row with the clock. */
export type Found = typeof Found.Type

/** Rows with the name that was asked for. INVARIANT: it names every column, so that rows are their own decoded form. */
export const Asked = Schema.Array(Schema.Struct({ ...Found.fields, asked: Schema.String }))

const decode = Schema.decodeUnknown(Asked)
const arePlain = SchemaFastPath.make(Asked)

/** WHY the guard: every report begins with this row, and nearly every row decodes to itself. */
export const readAsked = (rows: ReadonlyArray<unknown>) =>
  arePlain(rows) ? Effect.succeed(rows) : decode(rows)

/** The environment of a row, with the time of its last report. */
export const toMarked =
  (heartbeats: Heartbeats) =>
  ({ document, now, is_org_due }: Found): Option.Option<ReportedEnvironment> => {
    if (document === null || now === null) return Option.none()
    const {
      environment_id: id,
      body_digest,
      rows_digest,
      is_pending,
      flow_changes_seen: _,
      due_at,
      policy_modes = {},
      silent_since,
      silence_due_at,
      ...row
    } = CadenceRow.withCadence(document)
    const reported = heartbeats.latest({ org: row.org_id, environment: id }, row.last_reported_at)
    return Option.some({
      environment: {
        ...row,
        ...(Object.keys(policy_modes).length === 0 ? {} : { policy_modes }),
        ...(silent_since === null ? {} : { silent_since }),
        id,
        last_reported_at: reported,
        ...(due_at === null ? {} : { due_at }),
        ...(silence_due_at === null ? {} : { silence_due_at })
      },
      isPending: is_pending,
      isOrgDue: is_org_due === true,
      // WHY: a pending environment is evaluated with its next report, even with an equal one.
      reportDigests:
        body_digest === null || rows_digest === null || is_pending
          ? Option.none()
          : Option.some({ bodyDigest: body_digest, rowsDigest: rows_digest }),
      now
    })
  }

/** The environment of a row of a list. */
export const toListed = (marked: ReturnType<typeof toMarked>) => {
  return ({ verdict_pending, ...row }: typeof Listed.Type): ReadonlyArray<Environment> =>
    Option.toArray(
      Option.map(
        marked(row),
        ({ environment }): Environment =>
          verdict_pending ? { ...environment, verdict_pending } : environment
      )
    )
}
