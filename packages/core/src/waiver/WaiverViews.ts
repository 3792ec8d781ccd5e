/** Lists and shows waivers with their states, their use, and how much is waived. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { Reaches } from "../access/Reaches.js"
import type { Environment } from "../environment/Environment.js"
import { EnvironmentStore } from "../environment/EnvironmentStore.js"
import * as PlacedEnvironments from "../environment/internal/PlacedEnvironments.js"
import type { Policy } from "../policy/Policy.js"
import * as PolicyDocument from "../policy/PolicyDocument.js"
import { PolicyStore } from "../policy/PolicyStore.js"
import type { EnvironmentId, EnvironmentName, OrgId, OrgName } from "../shared/Identifier.js"
import type { Page, Paged } from "../shared/Page.js"
import type { Timestamp } from "../shared/Timestamp.js"
import { Transaction } from "../shared/Transaction.js"
import * as WaiverPlaces from "./internal/WaiverPlaces.js"
import * as Waiver from "./Waiver.js"
import * as WaiverDebt from "./WaiverDebt.js"
import * as WaiverMatch from "./WaiverMatch.js"
import * as WaiverState from "./WaiverState.js"
import {
  isWithin,
  type WaiverQuery,
  WaiverStore,
  type WaiversWithin,
  type WaiverUse
} from "./WaiverStore.js"
import type { WaiverPath, WaiverView } from "./Waivers.js"

/** The rows of an environment that a waiver waives. */
export interface InUse {
  readonly environment: EnvironmentName
  readonly rows: number
}

/** What a waiver in force does. */
export interface WaiverUsage {
  readonly in_use: ReadonlyArray<InUse>
  /** Null for one that has something to waive, and for one that is not in force. */
  readonly orphan: WaiverDebt.Orphan | null
}

/** A waiver in force with its use. */
export interface UsedWaiver extends WaiverView, WaiverUsage {}

/** A waiver in force in the answer about debt. */
export interface OwedWaiver extends UsedWaiver {
  /** How many waivers before it it extends, counted up to 3. */
  readonly extensions: number
}

/** How much is waived, waiver by waiver. */
export interface DebtView extends WaiverDebt.Debt {
  readonly requested: number
  readonly orphans: number
  readonly extended_3_times: number
  /** Those in force, by their ends. */
  readonly waivers: ReadonlyArray<OwedWaiver>
}

/** The conditions of a list, as requests give them. */
export interface WaiverFilter extends Omit<WaiverQuery, "now" | "environment" | "within"> {
  readonly environment?: EnvironmentName
}

/** What the use of waivers depends on. */
interface Surroundings {
  readonly now: Timestamp
  readonly uses: ReadonlyArray<WaiverUse>
  readonly policies: ReadonlyMap<string, Policy>
  /** The active environments. */
  readonly environments: ReadonlyArray<Environment>
  /** Of which environments the rows are shown; undefined for all. */
  readonly within: WaiversWithin | undefined
}

const ruleIsGone = (waiver: Waiver.Waiver, { policy_yaml }: Policy): boolean =>
  Either.match(PolicyDocument.parse(policy_yaml), {
    onLeft: () => false,
    onRight: (document) => !WaiverMatch.namesRule(waiver, PolicyDocument.dump(document))
  })

const orphanOf = (
  waiver: Waiver.Waiver,
  { environments, now, policies, uses }: Surroundings
): WaiverDebt.Orphan | null => {
  const { environment_id, policy_name } = waiver
  const state = WaiverState.stateAt(waiver, now)
  if (state !== "active" && state !== "scheduled") return null
  if (environment_id !== null && !environments.some(({ id }) => id === environment_id))
    return "environment_archived"
  const policy = policies.get(policy_name)
  const isAttached = environments.some(
    (environment) =>
      WaiverMatch.isFor(waiver, environment.id) &&
      environment.policies.some((id) => id === policy?.id)
  )
  if (policy === undefined || !isAttached) return "policy_not_attached"
  if (ruleIsGone(waiver, policy)) return "rule_gone"
  return WaiverDebt.isUnused(waiver, uses, now) ? "unused" : null
}

/** Reads of waivers. */
export class WaiverViews extends Effect.Service<WaiverViews>()("@attestry/core/WaiverViews", {
  effect: Effect.gen(function* () {
    const store = yield* WaiverStore
    const policies = yield* PolicyStore
    const environments = yield* EnvironmentStore
    const transaction = yield* Transaction
    const reaches = yield* Reaches
    const places = yield* WaiverPlaces.make
    const present = yield* PlacedEnvironments.make

    /** The views of waivers, in the same order. */
    const viewsOf = (org: OrgId, waivers: ReadonlyArray<Waiver.Waiver>, now: Timestamp) =>
      Effect.gen(function* () {
        const ids = waivers.flatMap(({ environment_id }) => environment_id ?? [])
        const names =
          ids.length === 0 ? new Map() : yield* environments.names(org, [...new Set(ids)])
        return waivers.map(
          (waiver): WaiverView => ({
            waiver,
            state: WaiverState.stateAt(waiver, now),
            environment:
              waiver.environment_id === null ? null : (names.get(waiver.environment_id) ?? null)
          })
        )
      })

    const surroundingsOf = (org: OrgId, now: Timestamp, { within }: Pick<WaiverQuery, "within">) =>
      Effect.gen(function* () {
        const known = yield* policies.list(org)
        return {
          now,
          within,
          uses: yield* store.listUse(org, WaiverDebt.since(now)),
          policies: new Map(known.map((policy) => [policy.name, policy])),
          environments: yield* environments.list(org)
        } satisfies Surroundings
      })

    const usageOf = (waiver: Waiver.Waiver, surroundings: Surroundings): WaiverUsage => {
      const names = new Map<EnvironmentId, EnvironmentName>(
        surroundings.environments
          .filter(({ id }) => surroundings.within?.environments.includes(id) ?? true)
          .map(({ id, name }) => [id, name])
      )
      return {
        in_use: surroundings.uses.flatMap(({ environment_id, number, rows, to_at }) => {
          const environment = names.get(environment_id)
          return number === waiver.number && to_at === null && environment !== undefined
            ? [{ environment, rows }]
            : []
        }),
        orphan: orphanOf(waiver, surroundings)
      }
    }

    /** One page of the waivers that pass the filter, newest first. */
    const list = Effect.fn("WaiverViews.list")(function* (
      org: OrgName,
      { environment, ...filter }: WaiverFilter,
      page: Page
    ) {
      const granted = yield* reaches.authorize(org, "org.read")
      return yield* transaction.run(granted.orgId, (scope) =>
        Effect.gen(function* () {
          const now = yield* scope.now
          const shown = yield* places.readable(granted)
          const named =
            environment === undefined
              ? {}
              : yield* Effect.map(
                  Effect.flatMap(
                    environments.findByName({ org: granted.orgId, name: environment }),
                    present(granted, environment)
                  ),
                  (found) => ({ environment: found.environment.id })
                )
          const found = yield* store.list(
            granted.orgId,
            { now, ...filter, ...named, ...shown },
            page
          )
          const items = yield* viewsOf(granted.orgId, found.items, now)
          return { items, total: found.total } satisfies Paged<WaiverView>
        })
      )
    })

    /** The waiver of that number, with its use. */
    const get = Effect.fn("WaiverViews.get")(function* ({ number, org }: WaiverPath) {
      const granted = yield* reaches.authorize(org, "org.read")
      const { orgId } = granted
      return yield* transaction.run(orgId, (scope) =>
        Effect.gen(function* () {
          const now = yield* scope.now
          const shown = yield* places.readable(granted)
          const waiver = yield* Effect.flatMap(store.find({ org: orgId, number }), (found) =>
            Either.fromOption(
              Option.filter(found, (one) => isWithin(shown.within, one)),
              () => new Waiver.WaiverNotFound({ org, number })
            )
          )
          const surroundings = yield* surroundingsOf(orgId, now, shown)
          const [view] = yield* viewsOf(orgId, [waiver], now)
          return {
            ...(view ?? { waiver, state: WaiverState.stateAt(waiver, now), environment: null }),
            ...usageOf(waiver, surroundings)
          } satisfies UsedWaiver
        })
      )
    })

    /** How many waivers before it a waiver extends, up to three. */
    const extensions = (waiver: Waiver.Waiver) =>
      Effect.gen(function* () {
        let count = 0
        let before = waiver.extends
        while (before !== null && count < 3) {
          count += 1
          const found = yield* store.find({ org: waiver.org_id, number: before })
          before = Option.isNone(found) ? null : found.value.extends
        }
        return count
      })

    /** How much is waived in an org. */
    const debt = Effect.fn("WaiverViews.debt")(function* (org: OrgName) {
      const granted = yield* reaches.authorize(org, "org.read")
      const { orgId } = granted
      return yield* transaction.run(orgId, (scope) =>
        Effect.gen(function* () {
          const now = yield* scope.now
          const shown = yield* places.readable(granted)
          const isShown = (waiver: Waiver.Waiver) => isWithin(shown.within, waiver)
          const surroundings = yield* surroundingsOf(orgId, now, shown)
          const all = yield* store.listApproved(orgId, { since: WaiverDebt.since(now) })
          const approved = all.filter(isShown)
          const numbers = new Set(approved.map(({ number }) => number))
          const uses = surroundings.uses.filter(
            ({ environment_id, number }) =>
              shown.within === undefined ||
              (numbers.has(number) && shown.within.environments.includes(environment_id))
          )
          const inForce = (yield* store.listInForce(orgId, now))
            .filter(isShown)
            .sort((left, right) => left.expires_at - right.expires_at || left.number - right.number)
          const views = yield* viewsOf(orgId, inForce, now)
          const requested = yield* store.list(
            orgId,
            { now, states: ["requested"], ...shown },
            { page: 1, perPage: 1 }
          )
          const waivers = yield* Effect.forEach(views, (view) =>
            Effect.map(extensions(view.waiver), (count) => ({
              ...view,
              ...usageOf(view.waiver, surroundings),
              extensions: count
            }))
          )
          return {
            ...WaiverDebt.measure(approved, uses, now),
            requested: requested.total,
            orphans: waivers.filter(({ orphan }) => orphan !== null).length,
            extended_3_times: waivers.filter((waiver) => waiver.extensions >= 3).length,
            waivers
          } satisfies DebtView
        })
      )
    })

    return { list, get, debt } as const
  })
}) {}
