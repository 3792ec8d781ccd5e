/** `EnvironmentStore` in memory. A transaction is the only writer, so a locked read is a plain one. */
import type { Environment, EnvironmentKey, EnvironmentRef } from "@attestry/core/Environment"
import { EnvironmentStore, type ReportMark } from "@attestry/core/EnvironmentStore"
import type { Timestamp } from "@attestry/core/Timestamp"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { key, MemoryState, table } from "../shared/MemoryState.js"

interface Stored {
  readonly environment: Environment
  readonly mark: Option.Option<ReportMark>
}

const environments = table<Stored>("environment")
const names = table<string>("environment_name")

const idKey = (ref: EnvironmentRef) => key(ref.org, ref.environment)
const refOf = ({ org_id, id }: Environment): EnvironmentRef => ({ org: org_id, environment: id })

/** Reports that overtake each other must not move the time of the last one back. */
const latest = (stored: Timestamp | null, at: Timestamp): Timestamp =>
  stored !== null && stored > at ? stored : at

/** `EnvironmentStore` in memory. */
export const layer: Layer.Layer<EnvironmentStore, never, MemoryState> = Layer.effect(
  EnvironmentStore,
  Effect.gen(function* () {
    const state = yield* MemoryState

    const find = ({ org, name }: EnvironmentKey) =>
      state.transaction((now) =>
        Effect.gen(function* () {
          const id = HashMap.get(yield* state.read(names), key(org, name))
          const rows = yield* state.read(environments)
          return Option.map(
            Option.flatMap(id, (found) => HashMap.get(rows, found)),
            (stored) => ({ ...stored, now })
          )
        })
      )

    const change = (ref: EnvironmentRef, next: (stored: Stored) => Stored) =>
      state.modify(environments, (rows) => [undefined, HashMap.modify(rows, idKey(ref), next)])

    const insert = (environment: Environment) =>
      Effect.flatMap(
        state.modify(names, (rows) => {
          const name = key(environment.org_id, environment.name)
          return HashMap.has(rows, name)
            ? [false, rows]
            : [true, HashMap.set(rows, name, idKey(refOf(environment)))]
        }),
        (added) =>
          state.modify(environments, (rows) => [
            added,
            added
              ? HashMap.set(rows, idKey(refOf(environment)), { environment, mark: Option.none() })
              : rows
          ])
      )

    const changedAt = (environment: Environment, at: Option.Option<Timestamp>): Environment =>
      Option.match(at, {
        onNone: () => environment,
        onSome: (instant) => ({
          ...environment,
          last_changed_at: instant,
          last_modified_at: instant
        })
      })

    return EnvironmentStore.of({
      findByName: find,
      lockByName: find,
      insert,
      update: (environment) =>
        change(refOf(environment), (stored) => ({
          environment: {
            ...stored.environment,
            description: environment.description,
            include_scaling: environment.include_scaling,
            last_modified_at: environment.last_modified_at
          },
          mark: Option.none()
        })),
      mark: (ref, mark, at) =>
        change(ref, (stored) => ({
          environment: changedAt(stored.environment, at),
          mark: Option.some(mark)
        })),
      heartbeat: (ref, at) =>
        change(ref, (stored) => ({
          ...stored,
          environment: {
            ...stored.environment,
            last_reported_at: latest(stored.environment.last_reported_at, at)
          }
        }))
    })
  })
)
