/** Port: the repositories of an org. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { FlowId, OrgId, RepoId } from "../shared/Identifier.js"
import type { Page, Paged } from "../shared/Page.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"
import type { Locking } from "../shared/Transaction.js"
import type { Repo, RepoKey } from "./Repo.js"

/** Conditions that repositories are counted and shown by; all given ones must hold. */
export interface RepoFilter {
  readonly provider?: string
  /** `vcsInstance` of the URL, in lower case. */
  readonly vcsInstance?: string
  /** The first segments of the namespace path. */
  readonly namespace?: ReadonlyArray<string>
  /** Only repositories that a trail of one of these flows names. */
  readonly flows?: ReadonlyArray<FlowId>
  /** Tag keys, each with its required value where one is given. */
  readonly tags: ReadonlyArray<{ readonly key: string; readonly value?: string }>
}

/** Whether only repositories are meant that a trail of one of some flows names. */
export type NamedByFlows = Pick<RepoFilter, "flows">

/** Which repositories are listed; all given conditions must hold. */
export interface RepoQuery extends RepoFilter {
  readonly name?: string
  /** A part of the name, in any case. */
  readonly search?: string
  readonly repoId?: string
  readonly direction: "asc" | "desc"
}

/** The values by which repositories can be filtered, each list in ascending order and without repetitions. */
export interface RepoFilterOptions {
  /** Providers of the repositories that pass the filter without its `provider`; never empty texts. */
  readonly providers: ReadonlyArray<string>
  /** Hosts of the repositories that pass the filter without its `vcsInstance`. */
  readonly vcsInstances: ReadonlyArray<string>
  /** The segments that follow `namespace` in the namespace paths of repositories that pass the filter. */
  readonly namespaceValues: ReadonlyArray<string>
}

/** A tag of some repository. */
export interface RepoTag {
  readonly key: string
  readonly value: string
}

/** One repository, by our id. */
export interface RepoRef {
  readonly org: OrgId
  readonly id: RepoId
}

/** Port: the repositories of an org. */
export class RepoStore extends Context.Tag("@attestry/core/RepoStore")<
  RepoStore,
  {
    /**
     * The repository of our id, or of that provider and id; none when there is none. Where the provider's id is null,
     * the one of that provider and name that was created last, whether it has an id or not.
     */
    readonly find: (
      key: RepoKey | RepoRef,
      locking?: Locking
    ) => Effect.Effect<Option.Option<Repo>, StoreError>
    /** The repositories of these ids that pass the filter, in any order; unknown ids are left out. */
    readonly listByIds: (
      org: OrgId,
      ids: ReadonlyArray<RepoId>,
      filter?: NamedByFlows
    ) => Effect.Effect<ReadonlyArray<Repo>, StoreError>
    /** Every repository of that name that passes the filter, oldest first. */
    readonly listByName: (
      org: OrgId,
      name: string,
      filter?: NamedByFlows
    ) => Effect.Effect<ReadonlyArray<Repo>, StoreError>
    /** One page of the repositories that pass the query, in ascending order of name. */
    readonly list: (
      org: OrgId,
      query: RepoQuery,
      page: Page
    ) => Effect.Effect<Paged<Repo>, StoreError>
    /** The values by which repositories can be filtered. */
    readonly filterOptions: (
      org: OrgId,
      filter: RepoFilter
    ) => Effect.Effect<RepoFilterOptions, StoreError>
    /** The distinct tags of the repositories that pass the filter, by key, then by value. */
    readonly listTags: (
      org: OrgId,
      filter?: NamedByFlows
    ) => Effect.Effect<ReadonlyArray<RepoTag>, StoreError>
    /**
     * Adds a repository and returns true; returns false and does nothing when its identity exists: the provider and
     * the id, or the provider and the name among those without an id. Waits for a concurrent insert of it to end.
     */
    readonly insert: (repo: Repo) => Effect.Effect<boolean, StoreError>
    /** Sets `latest_activity_at` unless the stored value is later. */
    readonly touch: (repo: Repo, at: Timestamp) => Effect.Effect<void, StoreError>
    /** Replaces the repository of that id. The caller holds the lock. */
    readonly update: (repo: Repo) => Effect.Effect<void, StoreError>
  }
>() {}
