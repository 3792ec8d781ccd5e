/** `EnvironmentStore` in memory. A transaction is the only writer, so a locked read is a plain one. */

import * as Cadence from "@attestry/core/Cadence"
import * as CanonicalJson from "@attestry/core/CanonicalJson"
import {
  contentOf,
  type Environment,
  type EnvironmentKey,
  type EnvironmentRef,
  modeOf,
  ref
} from "@attestry/core/Environment"
import * as EnvironmentList from "@attestry/core/EnvironmentList"
import {
  dueBy,
  dueInstants,
  EnvironmentStore,
  type StateChange
} from "@attestry/core/EnvironmentStore"
import type { EnvironmentVersion, PolicyAttachment } from "@attestry/core/HistoryStore"
import type { EnvironmentId, OrgId } from "@attestry/core/Identifier"
import * as Page from "@attestry/core/Page"
import type { PlaceId } from "@attestry/core/PlaceId"
import type { Timestamp } from "@attestry/core/Timestamp"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as AllowListsMemory from "../allow-list/AllowListsMemory.js"
import * as HistoryTables from "../history/HistoryTables.js"
import { key, MemoryState, table } from "../shared/MemoryState.js"
import * as PlacedThings from "../space/PlacedThings.js"
import {
  behindReads,
  byId,
  byKindAndId,
  environments,
  isDue,
  isStillBehind,
  PENDING,
  type Stored,
  seen,
  staleIds
} from "./EnvironmentRowsMemory.js"
import * as SilencesMemory from "./SilencesMemory.js"

/** The environment of a name, and whether it is the current name. */
interface Named {
  readonly id: string
  readonly isCurrent: boolean
}

const names = table<Named>("environment_name")
const idKey = (at: EnvironmentRef) => key(at.org, at.environment)
const nameKey = ({ org_id, name }: Environment) => key(org_id, name)

const changed = (environment: Environment, { at, verdict }: StateChange): Environment => ({
  ...environment,
  last_changed_at: at,
  last_modified_at: at,
  verdict
})

/** The settings of an environment that versions have. */
const versionOf = ({
  name,
  include_scaling,
  require_provenance,
  included,
  tags,
  archived_at,
  ...cadence
}: Omit<EnvironmentVersion, "position" | "at">) => ({
  name,
  include_scaling,
  require_provenance,
  included,
  tags,
  archived_at,
  ...Cadence.revise(cadence, {})
})

/** Every current and former name of an environment. */
export const namesOf = (
  state: MemoryState,
  at: EnvironmentRef
): Effect.Effect<ReadonlyArray<string>> =>
  Effect.map(state.read(names), (rows) =>
    HashMap.toEntries(rows).flatMap(([place, { id }]) =>
      id === idKey(at) ? [place.slice(key(at.org, "").length)] : []
    )
  )

/** A report that commits late must not move the time of the last report back. */
const latest = (stored: Timestamp | null, at: Timestamp): Timestamp =>
  stored !== null && stored > at ? stored : at

/** `EnvironmentStore` in memory. */
export const layer: Layer.Layer<EnvironmentStore, never, MemoryState> = Layer.effect(
  EnvironmentStore,
  Effect.gen(function* () {
    const state = yield* MemoryState
    const placed = yield* PlacedThings.make

    const find = ({ org, name }: EnvironmentKey) =>
      state.transaction((now) =>
        Effect.gen(function* () {
          const named = HashMap.get(yield* state.read(names), key(org, name))
          const rows = yield* state.read(environments)
          return Option.map(
            Option.flatMap(named, ({ id }) => HashMap.get(rows, id)),
            seen(now, rows)
          )
        })
      )

    const lock = (given: EnvironmentKey | EnvironmentRef) =>
      state.transaction((now) =>
        Effect.gen(function* () {
          const id =
            "name" in given
              ? Option.map(
                  HashMap.get(yield* state.read(names), key(given.org, given.name)),
                  (named) => named.id
                )
              : Option.some(idKey(given))
          if (Option.isNone(id)) return Option.none()
          yield* state.modify(environments, (rows) => [
            undefined,
            HashMap.modify(rows, id.value, (stored) =>
              stored.isBehind ? { ...stored, ...PENDING, isBehind: false } : stored
            )
          ])
          const rows = yield* state.read(environments)
          return Option.map(HashMap.get(rows, id.value), (stored) => ({
            ...seen(now, rows)(stored),
            isPending: stored.isPending
          }))
        })
      )

    const change = (at: EnvironmentRef, next: (stored: Stored) => Stored) =>
      state.modify(environments, (rows) => [undefined, HashMap.modify(rows, idKey(at), next)])

    /** Sets a name unless it is the current name of another environment. */
    const take = (environment: Environment) =>
      state.modify(names, (rows) => {
        const name = nameKey(environment)
        return Option.exists(HashMap.get(rows, name), ({ isCurrent }) => isCurrent)
          ? [false, rows]
          : [true, HashMap.set(rows, name, { id: idKey(ref(environment)), isCurrent: true })]
      })

    /** Ends attachments that hold no more, and begins those that are new. */
    const attach = (environment: Environment) =>
      Effect.gen(function* () {
        const at = idKey(ref(environment))
        const attached = (yield* HistoryTables.listOf(state, HistoryTables.attachments, at)).filter(
          ({ to }) => to === null
        )
        const stays = ({ mode, policy_id }: PolicyAttachment) =>
          environment.policies.includes(policy_id) && modeOf(environment, policy_id) === mode
        const kept = new Set(attached.filter(stays).map(({ policy_id }) => policy_id))
        const begun = environment.policies.filter((policy) => !kept.has(policy))
        if (kept.size === attached.length && begun.length === 0) return
        const from = yield* HistoryTables.draw(state, environment.last_modified_at)
        const end = HistoryTables.ending<PolicyAttachment>(from, (each) => !stays(each))
        yield* HistoryTables.change(state, HistoryTables.attachments, {
          at,
          next: (list) => [
            ...end(list),
            ...begun.map((policy_id) => ({
              policy_id,
              mode: modeOf(environment, policy_id),
              from,
              to: null
            }))
          ]
        })
      })

    /** Keeps a version of the settings of an environment, unless they are those of the last. */
    const keep = (at: EnvironmentRef) =>
      Effect.gen(function* () {
        const stored = Option.getOrUndefined(
          HashMap.get(yield* state.read(environments), idKey(at))
        )?.environment
        if (stored === undefined) return
        const settings = versionOf(stored)
        const kept = yield* HistoryTables.listOf(
          state,
          HistoryTables.environmentVersions,
          idKey(at)
        )
        const last = kept.at(-1)
        if (last !== undefined && CanonicalJson.equals(versionOf(last), settings)) return
        const from = yield* HistoryTables.draw(state, stored.last_modified_at)
        yield* HistoryTables.change(state, HistoryTables.environmentVersions, {
          at: idKey(at),
          next: (list) => [...list, { ...settings, ...from }]
        })
      })

    const insert = (environment: Environment) =>
      state.transaction(() =>
        Effect.tap(take(environment), (added) =>
          added
            ? state
                .modify(environments, (rows) => [
                  undefined,
                  HashMap.set(rows, idKey(ref(environment)), {
                    environment,
                    reportDigests: Option.none(),
                    isPending: false,
                    isBehind: false
                  })
                ])
                .pipe(Effect.zipRight(attach(environment)), Effect.zipRight(keep(ref(environment))))
            : Effect.void
        )
      )

    const rename = (environment: Environment, from: Environment["name"]) =>
      state.transaction(() =>
        Effect.gen(function* () {
          // WHY: archived environments may share a name, because no read finds them by it.
          const taken = environment.archived_at !== null || (yield* take(environment))
          if (!taken) return false
          yield* state.modify(names, (rows) => [
            undefined,
            HashMap.set(rows, key(environment.org_id, from), {
              id: idKey(ref(environment)),
              isCurrent: false
            })
          ])
          const { name, archived_at, last_modified_at } = environment
          yield* change(ref(environment), (stored) => ({
            ...stored,
            environment: { ...stored.environment, name, archived_at, last_modified_at }
          }))
          yield* keep(ref(environment))
          return true
        })
      )

    const listed = (
      org: OrgId,
      ids?: ReadonlyArray<EnvironmentId>,
      within?: ReadonlyArray<PlaceId>
    ) =>
      Effect.zipWith(
        state.read(environments),
        placed(org, "environment", within),
        (rows, isPlaced) =>
          Array.from(HashMap.values(rows))
            .filter(
              ({ environment: { org_id, id, archived_at } }) =>
                org_id === org &&
                (ids === undefined ? archived_at === null : ids.includes(id)) &&
                isPlaced(id)
            )
            .map(
              (stored): Environment =>
                stored.isPending || isStillBehind(rows)(stored)
                  ? { ...stored.environment, verdict_pending: true }
                  : stored.environment
            )
      )

    return EnvironmentStore.of({
      ...(yield* AllowListsMemory.make),
      ...(yield* SilencesMemory.make),
      findByName: find,
      lock,
      listPending: (org) =>
        state.transaction((now) =>
          Effect.map(state.read(environments), (rows) =>
            Array.from(HashMap.values(rows))
              .filter(
                ({ environment, isPending }) =>
                  (isPending || isDue(environment, now)) &&
                  environment.org_id === org &&
                  environment.archived_at === null
              )
              .map(({ environment }) => environment)
              .sort(byKindAndId)
              .map((environment) => ({ ref: ref(environment), dueAt: dueBy(environment, now) }))
          )
        ),
      ...behindReads(state),
      listDueOrgs: state.transaction((now) =>
        Effect.map(state.read(environments), (rows) => {
          const instants = new Map<OrgId, number>()
          let next: number | null = null
          for (const { environment } of HashMap.values(rows)) {
            const { archived_at, org_id } = environment
            if (archived_at !== null) continue
            for (const instant of dueInstants(environment)) {
              if (instant > now) next = Math.min(next ?? instant, instant)
              else instants.set(org_id, Math.min(instants.get(org_id) ?? instant, instant))
            }
          }
          return {
            orgs: Array.from(instants, ([id, at]) => ({
              id,
              lateMillis: Math.floor((now - at) / 1_000)
            })),
            nextInMillis: next === null ? null : Math.ceil((next - now) / 1_000)
          }
        })
      ),
      setDue: (at, due) =>
        change(at, (stored) => {
          const { due_at: _, ...environment } = stored.environment
          return {
            ...stored,
            environment: due === null ? environment : { ...environment, due_at: due }
          }
        }),
      clearPending: (at) => change(at, (stored) => ({ ...stored, isPending: false })),
      page: (org, query, page) =>
        Effect.map(listed(org, undefined, query.within), (all) =>
          Page.slice(EnvironmentList.select(all, query), page)
        ),
      countEnforcing: (org, sets, within) =>
        Effect.map(listed(org, undefined, within), (all) =>
          EnvironmentList.countEnforcing(all, sets)
        ),
      list: listed,
      listStale: (org, ids) =>
        Effect.map(state.read(environments), (rows) => staleIds(rows, org, ids)),
      names: (org, ids, { active } = { active: false }) =>
        Effect.map(
          state.read(environments),
          (rows) =>
            new Map(
              Array.from(HashMap.values(rows), ({ environment }) => environment)
                .filter(({ org_id, id }) => org_id === org && ids.includes(id))
                .filter(({ archived_at }) => !active || archived_at === null)
                .map(({ id, name }) => [id, name])
            )
        ),
      lockGroupsOf: ({ org, environment }) =>
        Effect.map(listed(org), (all) =>
          all
            .filter(({ included }) => included?.includes(environment))
            .map(({ verdict_pending: _, ...group }) => group)
            .sort(byId)
        ),
      // WHY nothing: writers take turns.
      holdMembers: () => Effect.void,
      insert,
      rename,
      update: (environment) =>
        change(ref(environment), (stored) => {
          // WHY: an absent field of the content is a field without a value, not one that stays.
          const {
            policy_modes: _modes,
            report_every: _every,
            when_silent: _effect,
            ...kept
          } = stored.environment
          return {
            ...stored,
            environment: { ...kept, ...contentOf(environment) },
            reportDigests: Option.none()
          }
        }).pipe(Effect.zipRight(attach(environment)), Effect.zipRight(keep(ref(environment)))),
      setReportDigests: (at, reportDigests, made) =>
        change(at, (stored) => ({
          ...stored,
          environment: Option.match(made, {
            onNone: () => stored.environment,
            onSome: (next) => changed(stored.environment, next)
          }),
          reportDigests: Option.some(reportDigests),
          isPending: false
        })),
      change: (at, next) =>
        change(at, (stored) => ({ ...stored, environment: changed(stored.environment, next) })),
      heartbeat: (at, instant) =>
        change(at, ({ environment, ...stored }) => ({
          ...stored,
          environment: {
            ...environment,
            last_reported_at: latest(environment.last_reported_at, instant)
          }
        }))
    })
  })
)
