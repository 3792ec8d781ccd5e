/** Records for verification whose rows are parts of rows of other tables, or plain values. */

import type { Columns, DerivedKind, RecordKind } from "@attestry/core/AuditStore"
import type { OrgId } from "@attestry/core/Identifier"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Predicate from "effect/Predicate"
import { type MemoryState, table } from "../shared/MemoryState.js"

type Read = (state: MemoryState, org: OrgId) => Effect.Effect<ReadonlyArray<Columns>>

/** A row with the parts of its key. */
interface Keyed {
  readonly place: ReadonlyArray<string>
  readonly value: unknown
}

const rowOf = (value: unknown): Columns => (Predicate.isRecord(value) ? value : {})

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

const keyed = (state: MemoryState, name: string): Effect.Effect<ReadonlyArray<Keyed>> =>
  Effect.map(state.read(table<unknown>(name)), (rows) =>
    HashMap.toEntries(rows).map(([place, value]) => ({ place: place.split("\u0001"), value }))
  )

/** The rows of a table whose keys begin with the org. */
const ofOrg =
  (name: string, columns: (row: Keyed, org: OrgId) => Columns | undefined): Read =>
  (state, org) =>
    Effect.map(keyed(state, name), (rows) =>
      rows
        .filter(({ place }) => place[0] === org)
        .map((row) => columns(row, org))
        .filter((row) => row !== undefined)
    )

const both =
  (...reads: ReadonlyArray<Read>): Read =>
  (state, org) =>
    Effect.map(
      Effect.forEach(reads, (read) => read(state, org)),
      (found) => found.flat()
    )

const users: Read = (state, org) =>
  Effect.gen(function* () {
    const ids = new Set<unknown>()
    for (const name of ["membership", "membership_event"]) {
      for (const { value } of yield* keyed(state, name)) {
        const { org_id, user_id } = rowOf(value)
        if (org_id === org) ids.add(user_id)
      }
    }
    const chosen = new Map((yield* keyed(state, "default_org")).map((row) => [row.place[0], row]))
    return (yield* keyed(state, "user"))
      .map(({ value }) => rowOf(value))
      .filter(({ id }) => ids.has(id))
      .map((user) => ({ ...user, default_org_id: chosen.get(String(user.id))?.value ?? null }))
  })

/** The targets of the rows of a table. */
const targetsIn =
  (name: string): Read =>
  (state, org) =>
    Effect.map(keyed(state, name), (rows) =>
      rows
        .map(({ value }) => rowOf(value))
        .filter(({ org_id }) => org_id === org)
        .flatMap(({ notification_type = null, number = null, targets }) =>
          listOf(targets).map((target, position) => ({
            org_id: org,
            ...rowOf(target),
            notification_type,
            number,
            position
          }))
        )
    )

const subscription = ({ value }: Keyed): Columns => {
  const { targets: _targets, ...row } = rowOf(value)
  return { environments: [], flows: null, team: null, ...row }
}

/** The records of tables that are no tables of rows here. */
export const READS: { readonly [name in RecordKind | DerivedKind]?: Read } = {
  user: users,
  environment_former_name: ofOrg("environment_name", ({ place, value }, org_id) => {
    const { id, isCurrent } = rowOf(value)
    const environment_id = String(id).split("\u0001")[1]
    return isCurrent === true ? undefined : { org_id, name: place[1], environment_id }
  }),
  environment_notification: both(
    ofOrg("environment_notification", subscription),
    ofOrg("flow_notification", subscription)
  ),
  last_notification_number: ofOrg("last_notification_number", ({ value }, org_id) => ({
    org_id,
    last: value
  })),
  flow_former_name: ofOrg("flow_former_name", ({ place, value }, org_id) => ({
    org_id,
    name: place[1],
    flow_id: value
  })),
  notification_config: ofOrg("notification_config", ({ place }, org_id) => ({
    org_id,
    notification_type: place[1]
  })),
  notification_target: both(
    targetsIn("notification_config"),
    targetsIn("environment_notification"),
    targetsIn("flow_notification")
  ),
  commit_link: ofOrg("commit_link", ({ place: [, sha, trail_id], value }, org_id) => ({
    org_id,
    sha,
    trail_id,
    branch: value,
    ordinal: true
  })),
  trail_evaluation: ofOrg("evaluation", ({ place: [, trail_id] }) => ({ trail_id }))
}
