/** `WaiverStore` in memory. A transaction is the only writer, so nothing needs a lock. */
import type { EnvironmentId, OrgId } from "@attestry/core/Identifier"
import * as Page from "@attestry/core/Page"
import { MarkedConsumersMax } from "@attestry/core/PolicyStore"
import * as Timestamp from "@attestry/core/Timestamp"
import type * as Waiver from "@attestry/core/Waiver"
import * as WaiverMatch from "@attestry/core/WaiverMatch"
import type { WaiverSettings } from "@attestry/core/WaiverSettings"
import * as WaiverState from "@attestry/core/WaiverState"
import { isWithin, type WaiverQuery, WaiverStore, type WaiverUse } from "@attestry/core/WaiverStore"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { markConsumers } from "../environment/EnvironmentRowsMemory.js"
import * as MemoryRows from "../shared/MemoryRows.js"
import { key, MemoryState, table } from "../shared/MemoryState.js"

const waivers = table<Waiver.Waiver>("waiver")
const settings = table<WaiverSettings & { readonly org_id: OrgId }>("waiver_settings")
/** The times of each environment, in order of their beginnings. */
const uses = table<ReadonlyArray<WaiverUse>>("waiver_use")

const passes =
  (query: WaiverQuery) =>
  (waiver: Waiver.Waiver): boolean =>
    (query.states?.includes(WaiverState.stateAt(waiver, query.now)) ?? true) &&
    (query.policy_name ?? waiver.policy_name) === waiver.policy_name &&
    (query.environment === undefined || query.environment === waiver.environment_id) &&
    (query.owner ?? waiver.owner) === waiver.owner &&
    (query.expires_before === undefined || waiver.expires_at < query.expires_before) &&
    isWithin(query.within, waiver)

const isInForce = (waiver: Waiver.Waiver, now: Timestamp.Timestamp): boolean =>
  waiver.activated_at !== null &&
  now < waiver.expires_at &&
  (waiver.revoked === null || now < waiver.revoked.at)

const byUse = (left: WaiverUse, right: WaiverUse): number =>
  left.number - right.number ||
  (left.environment_id < right.environment_id
    ? -1
    : left.environment_id > right.environment_id
      ? 1
      : left.from_at - right.from_at)

/** The times of an environment after the numbers of rows at an instant. */
const counted = (
  before: ReadonlyArray<WaiverUse>,
  environment_id: EnvironmentId,
  { at, rows }: { readonly at: Timestamp.Timestamp; readonly rows: ReadonlyMap<number, number> }
): ReadonlyArray<WaiverUse> => {
  const ends = new Map<number, Timestamp.Timestamp>()
  const kept = before.map((use) => {
    if (use.to_at !== null || rows.get(use.number) === use.rows) return use
    const to_at = Timestamp.fromMicros(Math.max(use.from_at + 1, at))
    ends.set(use.number, to_at)
    return { ...use, to_at }
  })
  const open = new Set(kept.filter(({ to_at }) => to_at === null).map(({ number }) => number))
  const begun = Array.from(rows)
    .filter(([number]) => !open.has(number))
    .map(([number, count]): WaiverUse => {
      const from_at = ends.get(number) ?? at
      return { number, environment_id, from_at, to_at: null, rows: count }
    })
  return [...kept, ...begun]
}

/** `WaiverStore` in memory. */
export const layer: Layer.Layer<WaiverStore, never, MemoryState> = Layer.effect(
  WaiverStore,
  Effect.gen(function* () {
    const state = yield* MemoryState
    const most = yield* MarkedConsumersMax
    const rows = yield* MemoryRows.make(waivers)
    const settingRows = yield* MemoryRows.make(settings)

    /** The waivers of an org that are wanted, by number. */
    const select = (org: OrgId, keep: (waiver: Waiver.Waiver) => boolean) =>
      Effect.map(rows.values, (all) =>
        all
          .filter((waiver) => waiver.org_id === org && keep(waiver))
          .sort((left, right) => left.number - right.number)
      )

    return WaiverStore.of({
      append: (draft) =>
        state.transaction(() =>
          Effect.gen(function* () {
            const before = yield* select(draft.org_id, () => true)
            const waiver = { ...draft, number: (before.at(-1)?.number ?? 0) + 1 }
            yield* rows.set(key(draft.org_id, waiver.number), waiver)
            return waiver
          })
        ),
      find: ({ number, org }) => rows.find(key(org, number)),
      decide: ({ activated_at, approvals, number, org_id, rejected, revoked, settled }) =>
        state.modify(waivers, (all) => [
          undefined,
          HashMap.modify(all, key(org_id, number), (waiver) => ({
            ...waiver,
            approvals,
            rejected,
            revoked,
            activated_at,
            settled
          }))
        ]),
      list: (org, query, page) =>
        Effect.map(select(org, passes(query)), (found) => Page.slice([...found].reverse(), page)),
      listInForce: (org, now, environment) =>
        select(
          org,
          (waiver) =>
            isInForce(waiver, now) &&
            (environment === undefined || WaiverMatch.isFor(waiver, environment))
        ),
      listApproved: (org, { environment, since }) =>
        select(
          org,
          (waiver) =>
            waiver.activated_at !== null &&
            (since === undefined || waiver.expires_at > since) &&
            (environment === undefined || WaiverMatch.isFor(waiver, environment))
        ),
      listUnsettled: (org, now) =>
        select(org, (waiver) => WaiverState.endingAt(waiver, now) !== null),
      markConsumers: (org, policy, environment) =>
        markConsumers(state, org, {
          isMeant: ({ id, policies }) =>
            policies.includes(policy) && (environment === null || id === environment),
          most
        }),
      findSettings: (org) =>
        Effect.map(
          settingRows.find(key(org)),
          Option.map(({ org_id: _, ...found }) => found)
        ),
      putSettings: (org, given) => settingRows.set(key(org), { org_id: org, ...given }),
      putUse: ({ environment, org }, waived) =>
        state.modify(uses, (all) => {
          const at = key(org, environment)
          const before = Option.getOrElse(HashMap.get(all, at), (): ReadonlyArray<WaiverUse> => [])
          return [undefined, HashMap.set(all, at, counted(before, environment, waived))]
        }),
      listUse: (org, since) =>
        Effect.map(state.read(uses), (all) =>
          Array.from(all)
            .flatMap(([place, times]) => (place.startsWith(key(org, "")) ? times : []))
            .filter(({ to_at }) => to_at === null || to_at > since)
            .sort(byUse)
        )
    })
  })
)
