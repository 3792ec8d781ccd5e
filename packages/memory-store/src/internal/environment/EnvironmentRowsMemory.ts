/** The rows of environments in memory, and which of them are behind a change of a policy. */
import { type Environment, ref } from "@attestry/core/Environment"
import {
  dueBy,
  type EnvironmentStore,
  type ReportDigests,
  type ReportedEnvironment
} from "@attestry/core/EnvironmentStore"
import type { EnvironmentId, OrgId } from "@attestry/core/Identifier"
import type { Timestamp } from "@attestry/core/Timestamp"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import { key, type MemoryState, table } from "../shared/MemoryState.js"

/** An environment with the digests of its last report, and what is to be evaluated. */
export interface Stored {
  readonly environment: Environment
  readonly reportDigests: Option.Option<ReportDigests>
  readonly isPending: boolean
  /** Whether it is behind a change of one of its policies. */
  readonly isBehind: boolean
}

/** Environments by org and id. */
export const environments = table<Stored>("environment")
/** The first change of each org that environments may be behind. */
const changes = table<{ readonly id: OrgId; readonly since: Timestamp }>("policy_change")

/** The mark of one that is evaluated before it is read. */
export const PENDING = { isPending: true, reportDigests: Option.none() }

/** The order of ids. */
export const byId = (left: Environment, right: Environment): number => (left.id < right.id ? -1 : 1)

/** Makes consumers of a changed policy pending and returns their ids; of more than `most`, all are behind instead. */
export const markConsumers = (
  state: MemoryState,
  org: OrgId,
  {
    isMeant,
    most
  }: { readonly isMeant: (environment: Environment) => boolean; readonly most: number }
): Effect.Effect<ReadonlyArray<EnvironmentId>> =>
  state.transaction((now) =>
    Effect.gen(function* () {
      const isMarked = ({ environment }: Stored) =>
        environment.org_id === org && environment.archived_at === null && isMeant(environment)
      const rows = yield* state.read(environments)
      const marked = Array.from(HashMap.values(rows)).filter(isMarked)
      const mark = marked.length > most ? { isBehind: true } : PENDING
      yield* state.modify(environments, (all) => [
        undefined,
        HashMap.map(all, (stored) => (isMarked(stored) ? { ...stored, ...mark } : stored))
      ])
      if (marked.length <= most) return marked.map(({ environment }) => environment.id)
      yield* state.modify(changes, (all) => [
        undefined,
        HashMap.has(all, org) ? all : HashMap.set(all, org, { id: org, since: now })
      ])
      return []
    })
  )

/** Whether an environment is behind, or a member of a logical one is. */
export const isStillBehind =
  (all: HashMap.HashMap<string, Stored>) =>
  ({ environment, isBehind }: Stored): boolean =>
    isBehind ||
    (environment.included ?? []).some((member) =>
      Option.exists(
        HashMap.get(all, key(environment.org_id, member)),
        (stored) => stored.isBehind && stored.environment.archived_at === null
      )
    )

/** Whether a due instant of an active environment has passed. */
export const isDue = (environment: Environment, now: Timestamp): boolean =>
  environment.archived_at === null && dueBy(environment, now) !== null

/** A report also evaluates an environment with a pending evaluation. */
export const seen =
  (now: Timestamp, all: HashMap.HashMap<string, Stored>) =>
  (stored: Stored): ReportedEnvironment => {
    const { isBehind, ...shown } = stored
    return {
      ...shown,
      isOrgDue: HashMap.some(
        all,
        ({ environment }) =>
          environment.org_id === shown.environment.org_id && isDue(environment, now)
      ),
      isPending: shown.isPending || isStillBehind(all)(stored),
      reportDigests: shown.isPending || isBehind ? Option.none() : shown.reportDigests,
      now
    }
  }

const isLogical = ({ type }: Environment): number => (type === "logical" ? 1 : 0)

/** Physical ones first, each kind in the order of ids. */
export const byKindAndId = (left: Environment, right: Environment): number =>
  isLogical(left) - isLogical(right) || byId(left, right)

type Store = Context.Tag.Service<EnvironmentStore>

/** These methods of `EnvironmentStore`. */
export const behindReads = (
  state: MemoryState
): Pick<Store, "listBehind" | "listBehindOrgs" | "forgetChanges"> => ({
  listBehind: (org, { after, among, kind, limit }) =>
    Effect.map(state.read(environments), (rows) =>
      Array.from(HashMap.values(rows))
        .filter(
          ({ environment: { archived_at, id, org_id, type }, isBehind }) =>
            isBehind &&
            org_id === org &&
            archived_at === null &&
            (type === "logical") === (kind === "logical") &&
            (after === undefined || id > after) &&
            (among === undefined || among.includes(id))
        )
        .map(({ environment }) => environment)
        .sort(byId)
        .slice(0, limit)
        .map(ref)
    ),
  listBehindOrgs: state.transaction((now) =>
    Effect.map(state.read(changes), (all) =>
      Array.from(HashMap.values(all), ({ id, since }) => ({
        id,
        lateMillis: Math.floor((now - since) / 1_000)
      }))
    )
  ),
  forgetChanges: (org) =>
    Effect.flatMap(state.read(environments), (rows) =>
      HashMap.some(
        rows,
        ({ environment: { archived_at, org_id }, isBehind }) =>
          isBehind && org_id === org && archived_at === null
      )
        ? Effect.void
        : state.modify(changes, (all) => [undefined, HashMap.remove(all, org)])
    )
})

/** The active environments, of all or of some ids, whose rows are not evaluated by what is known now. */
export const staleIds = (
  rows: HashMap.HashMap<string, Stored>,
  org: OrgId,
  ids: ReadonlyArray<EnvironmentId> | undefined
): ReadonlySet<EnvironmentId> =>
  new Set(
    Array.from(HashMap.values(rows))
      .filter(
        ({ environment, isBehind, isPending, reportDigests }) =>
          environment.org_id === org &&
          environment.archived_at === null &&
          (ids === undefined || ids.includes(environment.id)) &&
          (isPending || isBehind || Option.isNone(reportDigests))
      )
      .map(({ environment }) => environment.id)
  )
