/** Silences of `EnvironmentStore` in memory: one list per environment. */

import type { Environment, EnvironmentRef } from "@attestry/core/Environment"
import type { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import type { Silence } from "@attestry/core/Silence"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import { key, MemoryState, table } from "../shared/MemoryState.js"

/** A silence with its environment. */
interface StoredSilence extends Silence {
  readonly org_id: string
  readonly environment_id: string
}

/** The parts of a stored environment that silences change. */
interface Stored {
  readonly environment: Environment
  readonly reportDigests: Option.Option<unknown>
}

const environments = table<Stored>("environment")
const lists = table<ReadonlyArray<StoredSilence>>("silence")

const keyOf = ({ org, environment }: EnvironmentRef) => key(org, environment)

/** Silences of `EnvironmentStore` in memory. */
export const make: Effect.Effect<
  Pick<EnvironmentStore["Type"], "openSilence" | "closeSilence" | "setSilenceDue" | "listSilences">,
  never,
  MemoryState
> = Effect.map(MemoryState, (state) => {
  const change = (at: EnvironmentRef, next: (stored: Stored) => Stored) =>
    state.modify(environments, (rows) => [undefined, HashMap.modify(rows, keyOf(at), next)])

  const changeList = (
    at: EnvironmentRef,
    next: (silences: ReadonlyArray<StoredSilence>) => ReadonlyArray<StoredSilence>
  ) =>
    state.modify(lists, (rows) => {
      const known = Option.getOrElse(HashMap.get(rows, keyOf(at)), () => [])
      return [undefined, HashMap.set(rows, keyOf(at), next(known))]
    })

  return {
    openSilence: (at, since) =>
      Effect.zipRight(
        changeList(at, (known) => [
          ...known.filter(({ from_at }) => from_at !== since),
          { org_id: at.org, environment_id: at.environment, from_at: since, to_at: null }
        ]),
        change(at, (stored) => ({
          ...stored,
          environment: { ...stored.environment, silent_since: since },
          reportDigests: Option.none()
        }))
      ),
    closeSilence: (at, to_at) =>
      Effect.zipRight(
        changeList(at, (known) =>
          known.map((each) => (each.to_at === null ? { ...each, to_at } : each))
        ),
        change(at, ({ environment: { silent_since: _, ...environment }, ...stored }) => ({
          ...stored,
          environment
        }))
      ),
    setSilenceDue: (at, due) =>
      change(at, ({ environment: { silence_due_at: _, ...environment }, ...stored }) => ({
        ...stored,
        environment: due === null ? environment : { ...environment, silence_due_at: due }
      })),
    listSilences: (at) =>
      Effect.map(state.read(lists), (rows) =>
        [...Option.getOrElse(HashMap.get(rows, keyOf(at)), () => [])]
          .map(({ from_at, to_at }) => ({ from_at, to_at }))
          .sort((left, right) => left.from_at - right.from_at)
      )
  }
})
