/**
 * Resolves names as of an instant, and finds the names that resources had then. SPEC §4.5
 *
 * A name that resolved to nothing at the instant is resolved as of now, so that the current name of a resource finds
 * its history. Pending environments are read as stored: evaluating them would not change their history.
 */
import * as Effect from "effect/Effect"
import type * as Access from "../access/Access.js"
import type { Environment } from "../environment/Environment.js"
import { EnvironmentArchived, type EnvironmentMissing } from "../environment/EnvironmentFailure.js"
import * as EnvironmentLookup from "../environment/EnvironmentLookup.js"
import { EnvironmentStore } from "../environment/EnvironmentStore.js"
import { FlowStore } from "../flow/FlowStore.js"
import type {
  EnvironmentId,
  EnvironmentName,
  FlowId,
  FlowName,
  OrgId
} from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"
import { Transaction } from "../shared/Transaction.js"
import type { ProvenanceStore } from "../snapshot/ProvenanceStore.js"
import * as AsOf from "./AsOf.js"
import { HistoryStore } from "./HistoryStore.js"
import { holderAt } from "./internal/NameHistory.js"
import { versionAt } from "./internal/VersionAt.js"

/** How environments and flows are named in a read. */
export interface Naming {
  readonly environments: EnvironmentStore["Type"]["names"]
  readonly flows: ProvenanceStore["Type"]["flowNames"]
}

/** The instant of a read, and whether it is before now. */
export interface Moment {
  readonly asOf: Timestamp
  readonly isEarlier: boolean
}

/** Makes the resolver of names. */
export const make = Effect.gen(function* () {
  const environments = yield* EnvironmentStore
  const flows = yield* FlowStore
  const history = yield* HistoryStore
  const transaction = yield* Transaction

  /** The instant of a read, and whether it is before now. */
  const momentOf = (org: OrgId, asked: AsOf.AsOf): Effect.Effect<Moment, StoreError> =>
    transaction.run(org, (scope) =>
      Effect.map(scope.now, (now) => {
        const asOf = AsOf.instantOf(asked, now)
        return { asOf, isEarlier: asOf < now }
      })
    )

  /** The names of flows at an instant; a flow that was created later has its first name. */
  const flowNames = (org: OrgId, ids: ReadonlyArray<FlowId>, asOf: Timestamp) =>
    Effect.map(
      history.flowVersions(org, ids),
      (found): ReadonlyMap<FlowId, FlowName> =>
        new Map(
          Array.from(found).flatMap(([id, versions]) => {
            const version = versionAt(versions, asOf) ?? versions[0]
            return version === undefined ? [] : [[id, version.name] as const]
          })
        )
    )

  const versionsOf = (org: OrgId, id: EnvironmentId) =>
    Effect.map(history.environmentVersions({ org, environment: id }), (versions) => ({
      id,
      versions
    }))

  /** The names at an instant of environments that existed and were not archived. */
  const activeNames = (org: OrgId, ids: ReadonlyArray<EnvironmentId>, asOf: Timestamp) =>
    Effect.map(
      Effect.forEach(ids, (id) => versionsOf(org, id)),
      (found): ReadonlyMap<EnvironmentId, EnvironmentName> =>
        new Map(
          found.flatMap(({ id, versions }) => {
            const version = versionAt(versions, asOf)
            return version === undefined || version.archived_at !== null
              ? []
              : [[id, version.name] as const]
          })
        )
    )

  /**
   * The names of environments at an instant, including archived ones; an environment that was created later has its
   * first name.
   */
  const environmentNames = (org: OrgId, ids: ReadonlyArray<EnvironmentId>, asOf: Timestamp) =>
    Effect.map(
      Effect.forEach(ids, (id) => versionsOf(org, id)),
      (found): ReadonlyMap<EnvironmentId, EnvironmentName> =>
        new Map(
          found.flatMap(({ id, versions }) => {
            const version = versionAt(versions, asOf) ?? versions[0]
            return version === undefined ? [] : [[id, version.name] as const]
          })
        )
    )

  /** The current name of the flow to which a name resolved at an instant. */
  const flow = (org: OrgId, name: FlowName, asOf: Timestamp) =>
    Effect.gen(function* () {
      const ids = yield* history.flowsNamed(org, name)
      const found = yield* history.flowVersions(org, ids)
      const things = Array.from(found, ([id, versions]) => ({ id, versions }))
      const holder = holderAt(things, { name, instant: asOf, keepsArchived: false })
      if (holder === undefined) return name
      const [now] = yield* flows.listByIds(org, [holder.id])
      return now?.name ?? name
    })

  /**
   * The environment to which a name resolved at an instant, with its name then; fails if it was absent or archived.
   */
  const environment = (
    granted: Access.Granted,
    name: EnvironmentName,
    asOf: Timestamp
  ): Effect.Effect<Environment, EnvironmentMissing | StoreError> =>
    Effect.gen(function* () {
      const ids = yield* history.environmentsNamed(granted.orgId, name)
      const things = yield* Effect.forEach(ids, (id) => versionsOf(granted.orgId, id))
      const holder = holderAt(things, { name, instant: asOf, keepsArchived: true })
      if (holder?.version.archived_at != null)
        return yield* new EnvironmentArchived({ org: granted.org, environment: name })
      const [stored] =
        holder === undefined ? [] : yield* environments.list(granted.orgId, [holder.id])
      if (holder !== undefined && stored !== undefined)
        return { ...stored, name: holder.version.name }
      const { environment: found } = yield* Effect.flatMap(
        environments.findByName({ org: granted.orgId, name }),
        EnvironmentLookup.present(granted, name)
      )
      const names = yield* environmentNames(granted.orgId, [found.id], asOf)
      return { ...found, name: names.get(found.id) ?? found.name }
    })

  /** The naming of snapshots as of an instant. */
  const namingAt = (asOf: Timestamp): Naming => ({
    environments: (org, ids) => environmentNames(org, ids, asOf),
    flows: (org, ids) => flowNames(org, ids, asOf)
  })

  return { momentOf, flow, flowNames, environment, environmentNames, activeNames, namingAt }
})
