/**
 * Until when compliant rows of the latest snapshot stay compliant, by the evidence and the allow-list of now.
 *
 * Computed at the read, because new evidence moves the end without a new snapshot. Nothing is read for an environment
 * without a due instant.
 */
import * as Effect from "effect/Effect"
import * as AllowListEntry from "../../allow-list/AllowListEntry.js"
import { distinctKnown } from "../../artifact/Fingerprint.js"
import * as Environment from "../../environment/Environment.js"
import { EnvironmentStore } from "../../environment/EnvironmentStore.js"
import { keyOf } from "../../environment/RunningRow.js"
import { PolicySets, readingOf } from "../../policy/PolicySets.js"
import type { StoreError } from "../../shared/StoreError.js"
import type { Timestamp } from "../../shared/Timestamp.js"
import type { PlacedRow } from "../LogicalRows.js"
import * as RowDecision from "../RowDecision.js"
import { failsFrom, RowEvidence } from "../RowEvidence.js"
import type { Snapshot } from "../Snapshot.js"
import { Moments } from "./Moments.js"

/** The end of a row's compliance; undefined without one. */
export type ExpiryOf = (row: PlacedRow) => Timestamp | undefined

const NEVER: ExpiryOf = () => undefined

const isCompliant = ({ annotation, verdict }: PlacedRow): boolean =>
  verdict === "Compliant" && annotation.type !== "exited"

/** Makes the reader. */
export const make = Effect.gen(function* () {
  const environments = yield* EnvironmentStore
  const evidence = yield* RowEvidence
  const moments = yield* Moments
  const sets = yield* PolicySets

  /** The ends of the rows of one physical environment, by the keys of rows. */
  const endsOf = (
    environment: Environment.Environment,
    rows: ReadonlyArray<PlacedRow>,
    now: Timestamp
  ): Effect.Effect<ReadonlyMap<string, Timestamp>, StoreError> =>
    Effect.gen(function* () {
      const { org_id: org } = environment
      const set = yield* sets.latest(org, Environment.selectionOf(environment))
      const moment = yield* moments.of(environment, now)
      const known = distinctKnown(rows.map(({ fingerprint }) => fingerprint))
      const knownOf = yield* evidence.gather(org, known, readingOf(set))
      const entries = yield* environments.listAllowed(Environment.ref(environment))
      const allowed = new Map<string, AllowListEntry.AllowListEntry>(
        AllowListEntry.inForce(entries, now).map((entry) => [entry.fingerprint, entry])
      )
      return new Map(
        rows.flatMap((row): ReadonlyArray<[string, Timestamp]> => {
          const passes = RowDecision.verdictOf(row.decisions) === "Compliant"
          const end = AllowListEntry.compliantUntil(
            passes ? failsFrom(set, row, { knownOf, moment }) : now,
            allowed.get(row.fingerprint)
          )
          return end === null ? [] : [[keyOf(row), end]]
        })
      )
    })

  /** The environments in which the rows run that have a due instant. */
  const dueEnvironments = (environment: Environment.Environment, { members }: Snapshot) =>
    Effect.map(
      members === null
        ? Effect.succeed([environment])
        : environments.list(
            environment.org_id,
            members.map(({ environment_id }) => environment_id)
          ),
      (all) => all.filter(({ due_at }) => due_at !== undefined)
    )

  /** The ends of some rows of a snapshot; rows of a snapshot that is not the latest have none. */
  return (
    environment: Environment.Environment,
    snapshot: Snapshot,
    { now, rows }: { readonly now: Timestamp; readonly rows: ReadonlyArray<PlacedRow> }
  ): Effect.Effect<ExpiryOf, StoreError> =>
    Effect.gen(function* () {
      if (snapshot.next_timestamp !== null) return NEVER
      const compliant = rows.filter(isCompliant)
      if (compliant.length === 0) return NEVER
      const due = yield* dueEnvironments(environment, snapshot)
      if (due.length === 0) return NEVER
      const ends = new Map<string, ReadonlyMap<string, Timestamp>>(
        yield* Effect.forEach(due, (each) =>
          Effect.map(
            endsOf(
              each,
              compliant.filter((row) => row.environment === each.name),
              now
            ),
            (found) => [each.name, found] as const
          )
        )
      )
      return (row) => (isCompliant(row) ? ends.get(row.environment)?.get(keyOf(row)) : undefined)
    })
})
