/**
 * Suggests policies from the artifacts that run, or that ran in the last days. SPEC §4.6,
 *
 * Each artifact counts once under each name that it ran under, with its facts of now: the next report is evaluated on
 * them.
 */

import { type Environment, ref as refOf } from "@attestry/core/Environment"
import { EnvironmentNotFound } from "@attestry/core/EnvironmentFailure"
import * as EnvironmentLookup from "@attestry/core/EnvironmentLookup"
import { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import { isKnown } from "@attestry/core/Fingerprint"
import { HistoryStore } from "@attestry/core/HistoryStore"
import type { EnvironmentName, OrgId, OrgName } from "@attestry/core/Identifier"
import type { Facts } from "@attestry/core/PolicyFacts"
import { type GrantedWithin, Reaches } from "@attestry/core/Reaches"
import { RowEvidence } from "@attestry/core/RowEvidence"
import { keyOf, type RowIdentity } from "@attestry/core/RunningRow"
import * as Slices from "@attestry/core/Slices"
import { SnapshotStore } from "@attestry/core/SnapshotStore"
import * as Timestamp from "@attestry/core/Timestamp"
import { Transaction } from "@attestry/core/Transaction"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as JudgedRows from "../authoring/internal/JudgedRows.js"
import {
  PolicyAuthoring,
  ROWS_MAX,
  type Running,
  TooManyRows
} from "../authoring/PolicyAuthoring.js"
import * as PolicySuggestion from "./PolicySuggestion.js"

/** The most days that a suggestion looks back. */
export const DAYS_MAX = 366

const DAY_SECONDS = 86_400

const LATEST = Timestamp.Timestamp.make(Timestamp.MICROSECONDS_MAX)

/** The environments, and the snapshot or the number of days to look at. */
export type SuggestionSource =
  | Running
  | { readonly environments: ReadonlyArray<EnvironmentName>; readonly days: number }

/** Use cases of suggestions. */
export class PolicySuggestions extends Effect.Service<PolicySuggestions>()(
  "@attestry/policy-lab/PolicySuggestions",
  {
    effect: Effect.gen(function* () {
      const authoring = yield* PolicyAuthoring
      const reaches = yield* Reaches
      const judged = yield* JudgedRows.make
      const environments = yield* EnvironmentStore
      const evidence = yield* RowEvidence
      const recorded = yield* HistoryStore
      const snapshots = yield* SnapshotStore
      const transaction = yield* Transaction

      /** The environment of a name, or the members of a logical one. */
      const placesOf = (granted: GrantedWithin, name: EnvironmentName) =>
        Effect.gen(function* () {
          const { orgId } = granted
          const found = yield* environments.findByName({ org: orgId, name })
          const notFound = () => new EnvironmentNotFound({ org: granted.org, environment: name })
          if (Option.isSome(found)) {
            const { id } = found.value.environment
            yield* reaches.permit(granted, { kind: "environment", id }, notFound)
          }
          const { environment } = yield* EnvironmentLookup.present(granted, name)(found)
          const { included } = environment
          if (included === null) return [environment]
          const members = (yield* environments.list(orgId, included)).filter(
            ({ archived_at }) => archived_at === null
          )
          return yield* reaches.keepReadable(granted, {
            kind: "environment",
            things: members,
            idOf: ({ id }) => id
          })
        })

      /** Adds the rows that ran in an environment since an instant. */
      const addRan = (
        found: Map<string, RowIdentity>,
        environment: Environment,
        since: Timestamp.Timestamp
      ) =>
        Effect.gen(function* () {
          const ref = refOf(environment)
          const first = Math.max(1, yield* snapshots.indexAt(ref, since))
          const last = yield* snapshots.indexAt(ref, LATEST)
          for (const part of last < first ? [] : yield* recorded.rowParts(ref, { first, last })) {
            for (const { fingerprint, name } of yield* recorded.recordedRows(ref, part))
              found.set(keyOf({ name, fingerprint }), { name, fingerprint })
            if (found.size > ROWS_MAX) return yield* new TooManyRows({ total: found.size })
          }
        })

      const factsOf = (org: OrgId, rows: ReadonlyArray<RowIdentity>) =>
        Effect.gen(function* () {
          const known = [...new Set(rows.map(({ fingerprint }) => fingerprint))].filter(isKnown)
          const knownOf = yield* transaction.run(org, () =>
            evidence.gather(org, known.sort(), {
              withAttestations: true,
              withFacts: false,
              withPurls: false
            })
          )
          return rows.map(
            ({ name, fingerprint }): Facts => ({
              artifact: { name, fingerprint },
              flows: knownOf(fingerprint).facts
            })
          )
        })

      /** A policy that the artifacts satisfy which run in the environments, or ran in the last days. */
      const suggest = Effect.fn("PolicySuggestions.suggest")(function* (
        org: OrgName,
        source: SuggestionSource,
        options: PolicySuggestion.SuggestionOptions
      ) {
        if ("expression" in source) return yield* authoring.suggest(org, source, options)
        const { days, environments: names } = source
        const granted = yield* reaches.authorize(org, "org.read")
        const now = yield* transaction.run(granted.orgId, (scope) => scope.now)
        const since = Timestamp.plusSeconds(now, -days * DAY_SECONDS)
        const found = new Map<string, RowIdentity>()
        for (const name of new Set(names))
          for (const place of yield* placesOf(granted, name)) yield* addRan(found, place, since)
        const { hidden, rows } = yield* judged(
          granted,
          [...found.values()],
          ({ fingerprint }) => fingerprint
        )
        const facts = yield* factsOf(granted.orgId, rows)
        const suggestion = yield* Slices.run(() => PolicySuggestion.suggesting(facts, options))
        return { ...suggestion, hidden }
      })

      return { suggest } as const
    })
  }
) {}
