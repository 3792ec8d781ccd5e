/** Port: the environments of an org, their allow-lists, and the digests of their last reports. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { AllowListEntry } from "../allow-list/AllowListEntry.js"
import type { Fingerprint } from "../artifact/Fingerprint.js"
import type { EnvironmentId, EnvironmentName, OrgId, PolicyId } from "../shared/Identifier.js"
import type { Page, Paged } from "../shared/Page.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"
import type { Verdict } from "../shared/Verdict.js"
import type { PlaceId } from "../space/PlaceId.js"
import type { Environment, EnvironmentKey, EnvironmentRef } from "./Environment.js"
import type { EnforcingCount, EnvironmentQuery } from "./EnvironmentList.js"
import type { Silence } from "./Silence.js"

/** The digests of the last accepted report of an environment. */
export interface ReportDigests {
  /** Digest of the body's bytes: an equal body changes nothing. */
  readonly bodyDigest: string
  /** Digest of the running set that the body means: an equal set changes nothing. */
  readonly rowsDigest: string
}

/**
 * An environment with the digests of its last report. Without digests the next report must be evaluated; an
 * environment that is pending has none.
 */
export interface ReportedEnvironment {
  readonly environment: Environment
  readonly reportDigests: Option.Option<ReportDigests>
  /**
   * Whether a new version of a policy made it pending: it must be evaluated before its verdict is read. Where it was
   * found and not locked, also whether a member of a logical environment is behind.
   */
  readonly isPending: boolean
  /**
   * Whether the due instant of an active environment of the org has passed. That environment is evaluated before a
   * verdict is read, and before something is written that later evaluations depend on.
   */
  readonly isOrgDue: boolean
  /** The store's clock at the read. */
  readonly now: Timestamp
}

/** The fields of an environment that a new snapshot changes. */
export interface StateChange {
  readonly at: Timestamp
  readonly verdict: Verdict
}

/** An environment that must be evaluated. */
export interface PendingEnvironment {
  readonly ref: EnvironmentRef
  /** Its due instant, if it has passed; null for an environment that is only pending. */
  readonly dueAt: Timestamp | null
}

/** The instants at which an environment must be evaluated or looked at for silence, the earliest first. */
export const dueInstants = ({
  due_at,
  silence_due_at
}: Pick<Environment, "due_at" | "silence_due_at">): ReadonlyArray<Timestamp> =>
  [due_at, silence_due_at]
    .filter((instant) => instant !== undefined)
    .sort((left, right) => left - right)

/** The earliest due instant of an environment, if it has passed; null otherwise. */
export const dueBy = (
  environment: Pick<Environment, "due_at" | "silence_due_at">,
  now: Timestamp
): Timestamp | null => {
  const [first] = dueInstants(environment)
  return first !== undefined && first <= now ? first : null
}

/** The orgs with an environment whose due instant has passed, and the time until the next due instant of all orgs. */
export interface DueOrgs {
  readonly orgs: ReadonlyArray<DueOrg>
  /** By the store's clock; null without one. */
  readonly nextInMillis: number | null
}

/** An org whose environments are to be evaluated. */
export interface DueOrg {
  readonly id: OrgId
  /** The time since the earliest instant from which one was to be, by the store's clock. */
  readonly lateMillis: number
}

/** Which environments that are behind are listed. */
export interface BehindQuery {
  readonly kind: "physical" | "logical"
  /** At most so many. */
  readonly limit: number
  /** Only those whose id is greater. */
  readonly after?: EnvironmentId | undefined
  /** Only those of these ids. */
  readonly among?: ReadonlyArray<EnvironmentId>
}

/** An entry with the name of its environment. */
export interface NamedEntry {
  readonly environment: EnvironmentName
  readonly entry: AllowListEntry
}

/** Port: the environments of an org, and their allow-lists. */
export class EnvironmentStore extends Context.Tag("@attestry/core/EnvironmentStore")<
  EnvironmentStore,
  {
    /**
     * The active environment of that name, or else the environment that last had the name, renamed or archived.
     * None when no environment ever had it.
     */
    readonly findByName: (
      key: EnvironmentKey
    ) => Effect.Effect<Option.Option<ReportedEnvironment>, StoreError>
    /**
     * The environment that `findByName` finds, or that of an id, archived or not, locked until the transaction ends;
     * none when there is none. One that was behind is pending from then on.
     */
    readonly lock: (
      key: EnvironmentKey | EnvironmentRef
    ) => Effect.Effect<Option.Option<ReportedEnvironment>, StoreError>
    /**
     * The active environments that are pending, or whose due instant has passed: physical ones first, each kind in
     * ascending order of id.
     */
    readonly listPending: (
      org: OrgId
    ) => Effect.Effect<ReadonlyArray<PendingEnvironment>, StoreError>
    /**
     * The active environments that are behind: a change of one of their policies moved the org's clock of changes and
     * wrote none of them (`PolicyStore.update`), and they were not locked since. In ascending order of id.
     */
    readonly listBehind: (
      org: OrgId,
      query: BehindQuery
    ) => Effect.Effect<ReadonlyArray<EnvironmentRef>, StoreError>
    /** The orgs with changes of policies that are not forgotten, and the time since the first of each; in any order. */
    readonly listBehindOrgs: Effect.Effect<ReadonlyArray<DueOrg>, StoreError>
    /** Forgets the changes of policies of an org that no environment is behind. */
    readonly forgetChanges: (org: OrgId) => Effect.Effect<void, StoreError>
    /** The orgs with an active environment whose due instant has passed, in any order; and the next due instant. */
    readonly listDueOrgs: Effect.Effect<DueOrgs, StoreError>
    /** Sets the due instant of an environment, or removes it. The caller holds its lock. */
    readonly setDue: (ref: EnvironmentRef, at: Timestamp | null) => Effect.Effect<void, StoreError>
    /** Marks an environment as no longer pending. The caller holds its lock and has evaluated it. */
    readonly clearPending: (ref: EnvironmentRef) => Effect.Effect<void, StoreError>
    /** One page of the active environments that pass the query, in its order; equal ones by name. */
    readonly page: (
      org: OrgId,
      query: EnvironmentQuery,
      page: Page
    ) => Effect.Effect<Paged<Environment>, StoreError>
    /**
     * How many active physical environments there are, and for each set of policies how many have one of them attached
     * that counts. With spaces only those that are in one of these now.
     */
    readonly countEnforcing: (
      org: OrgId,
      sets: ReadonlyArray<ReadonlyArray<PolicyId>>,
      within?: ReadonlyArray<PlaceId>
    ) => Effect.Effect<EnforcingCount, StoreError>
    /**
     * Every active environment, or those of these ids, archived or not, in any order; unknown ids are left out. With
     * spaces only those that are in one of these now. As those of a page, one that is pending or behind says so.
     */
    readonly list: (
      org: OrgId,
      ids?: ReadonlyArray<EnvironmentId>,
      within?: ReadonlyArray<PlaceId>
    ) => Effect.Effect<ReadonlyArray<Environment>, StoreError>
    /**
     * The active environments, or those among these ids, whose next report is evaluated even when it is unchanged,
     * because evidence about what they run, or their settings, changed after their last evaluation.
     */
    readonly listStale: (
      org: OrgId,
      ids?: ReadonlyArray<EnvironmentId>
    ) => Effect.Effect<ReadonlySet<EnvironmentId>, StoreError>
    /**
     * The current names of environments, archived ones included, or only of those that are active; unknown ids are left
     * out.
     */
    readonly names: (
      org: OrgId,
      ids: ReadonlyArray<EnvironmentId>,
      only?: { readonly active: boolean }
    ) => Effect.Effect<ReadonlyMap<EnvironmentId, EnvironmentName>, StoreError>
    /**
     * The active logical environments that contain a physical one, in ascending order of id, each locked until
     * the transaction ends.
     */
    readonly lockGroupsOf: (
      ref: EnvironmentRef
    ) => Effect.Effect<ReadonlyArray<Environment>, StoreError>
    /**
     * Waits for the reports of physical environments, and keeps others from beginning until the transaction ends; calls
     * do not wait for each other. For a logical environment that takes them as members: a report locks its environment
     * before the logical ones, so the caller locks none before.
     */
    readonly holdMembers: (
      org: OrgId,
      ids: ReadonlyArray<EnvironmentId>
    ) => Effect.Effect<void, StoreError>
    /**
     * Adds an environment and returns true; returns false and does nothing when an active environment has the name. A
     * name that leads to a renamed or archived environment leads to the new one from then on. Waits for a concurrent
     * writer of the name to end, so that `findByName` after `false` finds the environment that has it.
     */
    readonly insert: (environment: Environment) => Effect.Effect<boolean, StoreError>
    /**
     * Replaces the content (`EnvironmentContent`: settings, members, policies, tags and `last_modified_at`), and clears
     * the digests of the last report. The caller holds the lock.
     */
    readonly update: (environment: Environment) => Effect.Effect<void, StoreError>
    /**
     * Writes name, `archived_at` and `last_modified_at` of the environment, which had the name `from`; that name
     * leads to it until another environment takes it. Returns false and does nothing when the environment stays
     * active and another active one has the new name. The caller holds the lock.
     */
    readonly rename: (
      environment: Environment,
      from: Environment["name"]
    ) => Effect.Effect<boolean, StoreError>
    /**
     * Stores the digests of a report and, where the report appended a snapshot, its state. The environment is
     * no longer pending. The caller holds the lock.
     */
    readonly setReportDigests: (
      ref: EnvironmentRef,
      reportDigests: ReportDigests,
      change: Option.Option<StateChange>
    ) => Effect.Effect<void, StoreError>
    /** Stores the state of a snapshot that was appended without a report. The caller holds the lock. */
    readonly change: (ref: EnvironmentRef, change: StateChange) => Effect.Effect<void, StoreError>
    /**
     * Sets `last_reported_at` unless the stored value is later. A store may write the value later, within 5
     * seconds; reads of the same process see it at once, and a crash may lose it.
     */
    readonly heartbeat: (ref: EnvironmentRef, at: Timestamp) => Effect.Effect<void, StoreError>
    /**
     * Begins a silence: `silent_since` is the instant, and the digests of the last report are cleared, so that the next
     * report is evaluated. A silence of the same beginning is opened again. The caller holds the lock.
     */
    readonly openSilence: (ref: EnvironmentRef, since: Timestamp) => Effect.Effect<void, StoreError>
    /** Ends the open silence; does nothing when there is none. The caller holds the lock. */
    readonly closeSilence: (ref: EnvironmentRef, at: Timestamp) => Effect.Effect<void, StoreError>
    /**
     * Sets when to look for silence next: from then on the environment is due. Null is never, and the default. The
     * caller holds the lock.
     */
    readonly setSilenceDue: (
      ref: EnvironmentRef,
      at: Timestamp | null
    ) => Effect.Effect<void, StoreError>
    /** The silences of an environment, oldest first; the last may be open. */
    readonly listSilences: (
      ref: EnvironmentRef
    ) => Effect.Effect<ReadonlyArray<Silence>, StoreError>
    /** The allow-list of an environment, oldest entry first, then by fingerprint; empty for an unknown environment. */
    readonly listAllowed: (
      ref: EnvironmentRef
    ) => Effect.Effect<ReadonlyArray<AllowListEntry>, StoreError>
    /**
     * Every allow-list entry of the active environments of an org, newest first, then by environment name and
     * fingerprint.
     */
    readonly listAllowedOfOrg: (org: OrgId) => Effect.Effect<ReadonlyArray<NamedEntry>, StoreError>
    /**
     * Adds an allow-list entry, or replaces the entry of the same fingerprint. The caller holds the environment's
     * lock.
     */
    readonly putAllowed: (entry: AllowListEntry) => Effect.Effect<void, StoreError>
    /**
     * Removes the allow-list entry of a fingerprint; does nothing when there is none. The caller holds the
     * environment's lock.
     */
    readonly removeAllowed: (
      ref: EnvironmentRef,
      fingerprint: Fingerprint
    ) => Effect.Effect<void, StoreError>
  }
>() {}
