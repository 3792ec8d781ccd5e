/** `PolicyStore` in memory. A transaction is the only writer, so nothing needs a lock. */
import type { PolicyName } from "@attestry/core/Identifier"
import type { Policy, PolicyVersionRecord } from "@attestry/core/Policy"
import { MarkedConsumersMax, PolicyStore } from "@attestry/core/PolicyStore"
import { StoreError } from "@attestry/core/StoreError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { environments, markConsumers } from "../environment/EnvironmentRowsMemory.js"
import * as MemoryRows from "../shared/MemoryRows.js"
import { key, MemoryState, table } from "../shared/MemoryState.js"

/** The policies of orgs, by org and name. */
export const policies = table<Policy>("policy")
/** Versions of policies. */
export const versions = table<PolicyVersionRecord>("policy_version")

const byName = (left: { readonly name: string }, right: { readonly name: string }): number =>
  left.name < right.name ? -1 : 1

const byVersion = (left: PolicyVersionRecord, right: PolicyVersionRecord): number =>
  left.version - right.version

const versionKey = ({ org_id, policy_id, version }: PolicyVersionRecord): string =>
  key(org_id, policy_id, version)

const versionTaken = new StoreError({
  operation: "PolicyStore.update",
  cause: new Error("the policy has that version")
})

/** `PolicyStore` in memory. */
export const layer: Layer.Layer<PolicyStore, never, MemoryState> = Layer.effect(
  PolicyStore,
  Effect.gen(function* () {
    const rows = yield* MemoryRows.make(policies)
    const environmentRows = yield* MemoryRows.make(environments)
    const state = yield* MemoryState
    const most = yield* MarkedConsumersMax
    const versionRows = yield* MemoryRows.make(versions)
    const keyOf = (policy: Policy): string => key(policy.org_id, policy.name)

    const select = (keep: (policy: Policy) => boolean) =>
      Effect.map(rows.values, (all) => all.filter(keep).sort(byName))

    const appendVersion = (version: PolicyVersionRecord) =>
      Effect.filterOrFail(
        versionRows.insert(versionKey(version), version),
        (added) => added,
        () => versionTaken
      )

    return PolicyStore.of({
      findByName: ({ org, name }) => rows.find(key(org, name)),
      holdByNames: (org, names) => {
        const wanted = new Set<PolicyName>(names)
        return select(({ org_id, name }) => org_id === org && wanted.has(name))
      },
      list: (org, ids) =>
        select(({ org_id, id }) => org_id === org && (ids === undefined || ids.includes(id))),
      listVersions: (org, which) => {
        const isWanted = (version: PolicyVersionRecord) =>
          "policies" in which
            ? which.policies.includes(version.policy_id)
            : which.keys.some(
                ({ id, version: number }) => id === version.policy_id && number === version.version
              )
        return Effect.map(versionRows.values, (all) =>
          all.filter((each) => each.org_id === org && isWanted(each)).sort(byVersion)
        )
      },
      listConsumers: (org, ids) => {
        const wanted = new Set(ids)
        return Effect.map(environmentRows.values, (all) =>
          all
            .flatMap(({ environment }) =>
              environment.org_id === org && environment.archived_at === null
                ? environment.policies
                    .filter((id) => wanted.has(id))
                    .map((policy_id) => ({ policy_id, environment: environment.name }))
                : []
            )
            .sort((left, right) => (left.environment < right.environment ? -1 : 1))
        )
      },
      insert: (policy, version) =>
        Effect.tap(rows.insert(keyOf(policy), policy), (added) =>
          added ? appendVersion(version) : Effect.void
        ),
      update: (policy, version) =>
        version === undefined
          ? Effect.as(rows.replace(keyOf(policy), policy), 0)
          : state.transaction(() =>
              appendVersion(version).pipe(
                Effect.zipRight(rows.replace(keyOf(policy), policy)),
                Effect.zipRight(
                  markConsumers(state, policy.org_id, {
                    isMeant: ({ policies }) => policies.includes(policy.id),
                    most
                  })
                ),
                Effect.map((marked) => marked.length)
              )
            )
    })
  })
)
