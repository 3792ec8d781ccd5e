/** Port: the repositories of an org. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { OrgId, RepoId } from "../shared/Identifier.js"
import type { Page, Paged } from "../shared/Page.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"
import type { Repo, RepoKey } from "./Repo.js"

/** Which repositories are listed; conditions that are given must all hold. */
export interface RepoQuery {
  readonly name?: string
  /** A part of the name, whatever its case. */
  readonly search?: string
  readonly provider?: string
  readonly repoId?: string
  /** Keys, each with the value it must have where one is given. */
  readonly tags: ReadonlyArray<{ readonly key: string; readonly value?: string }>
  readonly direction: "asc" | "desc"
}

/** Port: the repositories of an org. */
export class RepoStore extends Context.Tag("@attestry/core/RepoStore")<
  RepoStore,
  {
    /** The repository of that provider and id. */
    readonly find: (key: RepoKey) => Effect.Effect<Option.Option<Repo>, StoreError>
    /** The same, kept from other writers until the transaction ends. */
    readonly lock: (key: RepoKey) => Effect.Effect<Option.Option<Repo>, StoreError>
    /** The repository of our id. */
    readonly findById: (org: OrgId, id: RepoId) => Effect.Effect<Option.Option<Repo>, StoreError>
    /** Every repository of that name, oldest first. */
    readonly listByName: (
      org: OrgId,
      name: string
    ) => Effect.Effect<ReadonlyArray<Repo>, StoreError>
    /** One page of the repositories that pass, by name. */
    readonly list: (
      org: OrgId,
      query: RepoQuery,
      page: Page
    ) => Effect.Effect<Paged<Repo>, StoreError>
    /** Adds a repository; `false`, and nothing done, when it is there. Waits for a concurrent writer. */
    readonly insert: (repo: Repo) => Effect.Effect<boolean, StoreError>
    /** Notes that the repository was active at that moment; one that was active later stays as it is. */
    readonly touch: (repo: Repo, at: Timestamp) => Effect.Effect<void, StoreError>
    /** Replaces the repository of that id. */
    readonly update: (repo: Repo) => Effect.Effect<void, StoreError>
  }
>() {}
