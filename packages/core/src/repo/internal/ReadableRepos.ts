/** Finds repositories for callers who may read only some flows: those that a readable flow names. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { type GrantedWithin, Reaches } from "../../access/Reaches.js"
import { RepoId } from "../../shared/Identifier.js"
import type { StoreError } from "../../shared/StoreError.js"
import { type Repo, RepoNotFound } from "../Repo.js"
import { RepoStore } from "../RepoStore.js"

/** Makes the lookups. A caller who reads the whole org costs no further query. */
export const make = Effect.gen(function* () {
  const repos = yield* RepoStore
  const reaches = yield* Reaches

  /** The readable repositories of some ids, in any order. */
  const listByIds = (
    granted: GrantedWithin,
    ids: ReadonlyArray<RepoId>
  ): Effect.Effect<ReadonlyArray<Repo>, StoreError> =>
    Effect.flatMap(reaches.readableFlows(granted), (filter) =>
      repos.listByIds(granted.orgId, ids, filter)
    )

  /** The readable repositories of a name, oldest first. */
  const listByName = (
    granted: GrantedWithin,
    name: string
  ): Effect.Effect<ReadonlyArray<Repo>, StoreError> =>
    Effect.flatMap(reaches.readableFlows(granted), (filter) =>
      repos.listByName(granted.orgId, name, filter)
    )

  /** The readable repository of our id, or none. */
  const find = (
    granted: GrantedWithin,
    id: string
  ): Effect.Effect<Option.Option<Repo>, StoreError> => {
    const repo = RepoId.make(id)
    return granted.readable._tag === "Whole"
      ? repos.find({ org: granted.orgId, id: repo })
      : Effect.map(listByIds(granted, [repo]), ([found]) => Option.fromNullable(found))
  }

  /** As `find`; fails for another one. */
  const get = (
    granted: GrantedWithin,
    id: string
  ): Effect.Effect<Repo, RepoNotFound | StoreError> =>
    Effect.flatMap(
      find(granted, id),
      Either.fromOption(() => new RepoNotFound({ org: granted.org, repo: id }))
    )

  return { listByIds, listByName, find, get } as const
})
