/**
 * When time alone will make an environment non-compliant, by the evidence and the exceptions of now. Reads only.
 *
 * WHY not the due instant alone: it may be too early, and evidence that was reported after the last evaluation may
 * already carry the environment over it.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as AllowListEntry from "../../allow-list/AllowListEntry.js"
import { distinctKnown } from "../../artifact/Fingerprint.js"
import * as Environment from "../../environment/Environment.js"
import { EnvironmentStore } from "../../environment/EnvironmentStore.js"
import type { RowIdentity } from "../../environment/RunningRow.js"
import { isEnforced } from "../../policy/PolicyMode.js"
import { type PolicySet, PolicySets, readingOf } from "../../policy/PolicySets.js"
import type { EnvironmentId } from "../../shared/Identifier.js"
import type { StoreError } from "../../shared/StoreError.js"
import type { Timestamp } from "../../shared/Timestamp.js"
import * as DueInstant from "../DueInstant.js"
import * as RowDecision from "../RowDecision.js"
import { decide, type EvaluationInput, nextChange, RowEvidence } from "../RowEvidence.js"
import { SnapshotStore } from "../SnapshotStore.js"
import { Moments } from "./Moments.js"

/** The most instants that one forecast looks at. */
const INSTANTS_MAX = 1_000

/** The instant at which an environment becomes non-compliant, and the number of rows that fail from then on. */
export interface Decay {
  readonly at: Timestamp
  readonly rows: number
}

/** The running rows of a physical environment, and its allow-list. */
interface Place {
  readonly rows: ReadonlyArray<RowIdentity>
  readonly allowed: ReadonlyArray<AllowListEntry.AllowListEntry>
}

const failing = (
  set: PolicySet,
  places: ReadonlyArray<Place>,
  input: EvaluationInput
): ReadonlyArray<RowIdentity> =>
  places.flatMap(({ rows, allowed }) => {
    const entries = AllowListEntry.inForce(allowed, input.moment.now)
    const exempt = new Set<string>(entries.map(({ fingerprint }) => fingerprint))
    return rows.filter(
      (row) =>
        !exempt.has(row.fingerprint) &&
        RowDecision.verdictOf(decide(set, row, input)) !== "Compliant"
    )
  })

const dueAfter = (
  set: PolicySet,
  places: ReadonlyArray<Place>,
  input: EvaluationInput
): Timestamp | null =>
  DueInstant.dueAfter(input.moment.now, {
    rows: places.flatMap(({ rows }) => rows.map((row) => nextChange(set, row, input))),
    kept: null,
    allowed: AllowListEntry.nextEnd(
      places.flatMap(({ allowed }) => allowed),
      input.moment.now
    )
  })

/** Forecasts of environments. */
export class DecayForecasts extends Effect.Service<DecayForecasts>()(
  "@attestry/core/DecayForecasts",
  {
    effect: Effect.gen(function* () {
      const store = yield* SnapshotStore
      const environments = yield* EnvironmentStore
      const moments = yield* Moments
      const sets = yield* PolicySets
      const evidence = yield* RowEvidence

      const placeOf = (org: Environment.Environment["org_id"]) => (environment: EnvironmentId) =>
        Effect.zipWith(
          store.running({ org, environment }),
          environments.listAllowed({ org, environment }),
          (rows, allowed): Place => ({ rows, allowed })
        )

      /** What an environment runs; a logical one runs the rows of its active members. */
      const placesOf = ({ id, included, org_id: org, type }: Environment.Environment) =>
        Effect.gen(function* () {
          if (type !== "logical") return [yield* placeOf(org)(id)]
          const active = yield* environments.names(org, included ?? [], { active: true })
          return yield* Effect.forEach([...active.keys()], placeOf(org))
        })

      /**
       * The first instant up to a bound at which the policies of a compliant environment fail a row; none without
       * one. A logical environment is judged by its own policies alone. The caller has brought the environment up to
       * now.
       */
      const next = (
        environment: Environment.Environment,
        until: Timestamp
      ): Effect.Effect<Option.Option<Decay>, StoreError> =>
        Effect.gen(function* () {
          const { org_id: org, due_at: first } = environment
          if (first === undefined || first > until) return Option.none()
          const set = yield* sets.latest(org, Environment.selectionOf(environment))
          if (!set.versions.some(isEnforced)) return Option.none()
          const places = yield* placesOf(environment)
          const known = distinctKnown(
            places.flatMap(({ rows }) => rows.map(({ fingerprint }) => fingerprint))
          )
          const knownOf = yield* evidence.gather(org, known, readingOf(set))
          // WHY once: waivers that start or end later are among them, and evaluations count those in force.
          const { waivers } = yield* moments.of(environment, first)
          let at: Timestamp | null = first
          for (let count = 0; at !== null && at <= until && count < INSTANTS_MAX; count += 1) {
            const input: EvaluationInput = { knownOf, moment: { now: at, waivers } }
            const rows = failing(set, places, input).length
            if (rows > 0) return Option.some({ at, rows })
            at = dueAfter(set, places, input)
          }
          return Option.none()
        })

      return { next } as const
    })
  }
) {}
