/**
 * Sets of policies, compiled once for each set of versions. DECISION E1
 *
 * Versions never change, so what was compiled stays right for ever and only its number is bounded. A set
 * is asked for by the ids that an environment has, and always means their latest versions. DECISION D6.6
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as BoundedCache from "../../shared/BoundedCache.js"
import type { OrgId, PolicyId } from "../../shared/Identifier.js"
import type { StoreError } from "../../shared/StoreError.js"
import { dump, type PolicyDump } from "../AppliedPolicy.js"
import type { Policy } from "../Policy.js"
import * as PolicyDocument from "../PolicyDocument.js"
import * as PolicyEvaluation from "../PolicyEvaluation.js"
import { PolicyStore } from "../PolicyStore.js"

/** What an environment is judged by. */
export interface PolicySelection {
  readonly policies: ReadonlyArray<PolicyId>
  /** Whether the implicit policy that requires provenance is one of them. DECISION D4.15 */
  readonly requireProvenance: boolean
}

/** A version of a policy, as a snapshot names it; the implicit policy has version 0. DECISION A-41 */
export interface VersionKey {
  readonly id: string
  readonly name: string
  readonly version: number
}

/** A set that is ready to judge rows, and the versions that are in it, by name. */
export interface PolicySet {
  readonly compiled: PolicyEvaluation.CompiledPolicies
  readonly versions: ReadonlyArray<VersionKey>
  /** Whether some rule looks at attestations, so that facts must have them. */
  readonly asksForAttestations: boolean
}

/** At most this many sets, and this many versions, are remembered. */
const CACHED_MAX = 1_000

const keyOf = ({ id, version }: Omit<VersionKey, "name">): string => `${id} ${version}`

const asksForAttestations = ({ document }: PolicyEvaluation.PolicyVersion): boolean =>
  !("_tag" in document) && document.attestations.length > 0

const { document: implied } = PolicyEvaluation.REQUIRE_PROVENANCE

/** Sets of policies, compiled once. */
export class PolicySets extends Effect.Service<PolicySets>()("@attestry/core/PolicySets", {
  effect: Effect.gen(function* () {
    const store = yield* PolicyStore
    const versions = BoundedCache.make<PolicyEvaluation.PolicyVersion>(CACHED_MAX)
    const sets = BoundedCache.make<PolicySet>(CACHED_MAX)
    const dumps = BoundedCache.make<PolicyDump>(CACHED_MAX)

    const read = (policy: Policy): PolicyEvaluation.PolicyVersion =>
      versions.get(keyOf(policy)) ??
      versions.set(keyOf(policy), {
        id: policy.id,
        name: policy.name,
        version: policy.version,
        document: Either.merge(PolicyDocument.parse(policy.policy_yaml))
      })

    const compile = (all: ReadonlyArray<PolicyEvaluation.PolicyVersion>): PolicySet => {
      const compiled = PolicyEvaluation.compile(all)
      return {
        compiled,
        versions: compiled.policies.map(({ policy: { id, name, version } }) => ({
          id,
          name,
          version
        })),
        asksForAttestations: all.some(asksForAttestations)
      }
    }

    /** These policies in the versions that they are at, compiled at most once. */
    const of = (policies: ReadonlyArray<Policy>, requireProvenance = false): PolicySet => {
      const key = [...policies.map(keyOf).sort(), requireProvenance].join(",")
      return (
        sets.get(key) ??
        sets.set(
          key,
          compile([
            ...policies.map(read),
            ...(requireProvenance ? [PolicyEvaluation.REQUIRE_PROVENANCE] : [])
          ])
        )
      )
    }

    /** What an environment is judged by at this moment; without any policy nothing is looked up. */
    const latest = (
      org: OrgId,
      { policies, requireProvenance }: PolicySelection
    ): Effect.Effect<PolicySet, StoreError> =>
      Effect.map(
        policies.length === 0 ? Effect.succeed([]) : store.listByIds(org, policies),
        (found) => of(found, requireProvenance)
      )

    /** What versions said when they were accepted, by id and version; unknown ones are left out. */
    const dumpsOf = (
      org: OrgId,
      asked: ReadonlyArray<VersionKey>
    ): Effect.Effect<(key: Omit<VersionKey, "name">) => PolicyDump | null, StoreError> => {
      const unknown = asked.filter((key) => key.version > 0 && dumps.get(keyOf(key)) === undefined)
      return Effect.map(
        unknown.length === 0 ? Effect.succeed([]) : store.listVersionsAt(org, unknown),
        (found) => {
          for (const { dump: said, policy_id: id, version } of found)
            dumps.set(keyOf({ id, version }), said)
          const now = new Map(found.map((one) => [keyOf({ ...one, id: one.policy_id }), one.dump]))
          return (key) => {
            if (key.version === 0) return "_tag" in implied ? null : dump(implied)
            return now.get(keyOf(key)) ?? dumps.get(keyOf(key)) ?? null
          }
        }
      )
    }

    return { of, latest, dumpsOf } as const
  })
}) {}
