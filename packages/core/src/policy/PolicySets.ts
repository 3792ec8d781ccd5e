/**
 * Compiled sets of policies, each compiled once. DECISIONS.md, "Policies compile once"
 *
 * Versions never change, so cached sets stay valid and only their number is bounded. An environment selects
 * policies by id, in their latest versions.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as BoundedCache from "../shared/BoundedCache.js"
import type { OrgId, PolicyId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import { dump, type PolicyDump } from "./AppliedPolicy.js"
import type { Policy } from "./Policy.js"
import * as PolicyDocument from "./PolicyDocument.js"
import * as PolicyEvaluation from "./PolicyEvaluation.js"
import * as PolicyMode from "./PolicyMode.js"
import { PolicyStore } from "./PolicyStore.js"

/** The policies of an environment. */
export interface PolicySelection {
  readonly policies: ReadonlyArray<PolicyId>
  /** Whether the implicit policy that requires provenance is one of them. */
  readonly requireProvenance: boolean
  /** The policies that only warn. */
  readonly modes?: PolicyModes
}

/** The policies of a selection that only warn. */
export type PolicyModes = { readonly [policy: PolicyId]: "warn" }

/** A version of a policy in a snapshot; the implicit policy has version 0. */
export interface VersionKey {
  readonly id: string
  readonly name: string
  readonly version: number
  /** Only for a policy that warns. */
  readonly mode?: "warn"
}

/** A compiled set, and its versions by name. */
export interface PolicySet {
  readonly compiled: PolicyEvaluation.CompiledPolicies
  readonly versions: ReadonlyArray<VersionKey>
  /** Whether some rule reads attestations, so that facts must have them. */
  readonly readsAttestations: boolean
  /** Whether some rule asks whether evidence is verified or about its facts, so that attestations must have them. */
  readonly readsFacts: boolean
  /** Whether some rule looks into the list of purls. */
  readonly readsPurls: boolean
}

/** What evidence the evaluation of sets reads. */
export const readingOf = (...sets: ReadonlyArray<PolicySet>) => ({
  withAttestations: sets.some(({ readsAttestations }) => readsAttestations),
  withFacts: sets.some(({ readsFacts }) => readsFacts),
  withPurls: sets.some(({ readsPurls }) => readsPurls)
})

/** The number of cached sets, and of cached versions. */
const CACHED_MAX = 1_000

const keyOf = ({ id, version }: Omit<VersionKey, "name">): string => `${id} ${version}`

const readsAttestations = ({ document }: PolicyEvaluation.PolicyVersion): boolean =>
  !("_tag" in document) && document.attestations.length > 0

const readsFacts = ({ document }: PolicyEvaluation.PolicyVersion): boolean =>
  !("_tag" in document) && PolicyDocument.readParts(document).includes("evidence.facts")

const readsPurls = ({ document }: PolicyEvaluation.PolicyVersion): boolean =>
  !("_tag" in document) && PolicyDocument.readsPurls(document)

const { document: implied } = PolicyEvaluation.REQUIRE_PROVENANCE

/** Compiled sets of policies. */
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
        versions: compiled.policies.map(({ policy: { id, mode, name, version } }) => ({
          id,
          name,
          version,
          ...PolicyMode.toField(mode)
        })),
        readsAttestations: all.some(readsAttestations),
        readsFacts: all.some(readsFacts),
        readsPurls: all.some(readsPurls)
      }
    }

    /** The set of these policies in their given versions. */
    const of = (
      policies: ReadonlyArray<Policy>,
      { modes = {}, requireProvenance = false }: Partial<PolicySelection> = {}
    ): PolicySet => {
      const modeOf = ({ id }: Policy) => PolicyMode.toField(modes[id])
      const keyed = policies.map((policy) => `${keyOf(policy)} ${modes[policy.id] ?? ""}`)
      const key = [...keyed.sort(), requireProvenance].join(",")
      return (
        sets.get(key) ??
        sets.set(
          key,
          compile([
            ...policies.map((policy) => ({ ...read(policy), ...modeOf(policy) })),
            ...(requireProvenance ? [PolicyEvaluation.REQUIRE_PROVENANCE] : [])
          ])
        )
      )
    }

    /** The current set of an environment; without a policy there is no query. */
    const latest = (org: OrgId, selection: PolicySelection): Effect.Effect<PolicySet, StoreError> =>
      Effect.map(
        selection.policies.length === 0 ? Effect.succeed([]) : store.list(org, selection.policies),
        (found) => of(found, selection)
      )

    /** The set of these versions; a version that is not there is left out. */
    const at = (
      org: OrgId,
      keys: ReadonlyArray<VersionKey>
    ): Effect.Effect<PolicySet, StoreError> => {
      const key = `at ${keys.map((each) => `${keyOf(each)} ${each.mode ?? ""}`).join()}`
      const known = sets.get(key)
      if (known !== undefined) return Effect.succeed(known)
      const stored = keys.filter(({ version }) => version > 0)
      return Effect.map(
        stored.length === 0 ? Effect.succeed([]) : store.listVersions(org, { keys: stored }),
        (found) => {
          const texts = new Map(
            found.map((one) => [keyOf({ ...one, id: one.policy_id }), one.policy_yaml])
          )
          const all = keys.flatMap((each): ReadonlyArray<PolicyEvaluation.PolicyVersion> => {
            const { id, name, version } = each
            const mode = PolicyMode.toField(each.mode)
            if (version === 0) return [{ ...PolicyEvaluation.REQUIRE_PROVENANCE, ...mode }]
            const text = texts.get(keyOf(each))
            if (text === undefined) return []
            const document = Either.merge(PolicyDocument.parse(text))
            return [{ id, name, version, document, ...mode }]
          })
          return sets.set(key, compile(all))
        }
      )
    }

    /** The dumps of versions by id and version; unknown ones are left out. */
    const dumpsOf = (
      org: OrgId,
      keys: ReadonlyArray<VersionKey>
    ): Effect.Effect<(key: Omit<VersionKey, "name">) => PolicyDump | null, StoreError> => {
      const unknown = keys.filter((key) => key.version > 0 && dumps.get(keyOf(key)) === undefined)
      return Effect.map(
        unknown.length === 0 ? Effect.succeed([]) : store.listVersions(org, { keys: unknown }),
        (found) => {
          for (const { dump: stored, policy_id: id, version } of found)
            dumps.set(keyOf({ id, version }), stored)
          const now = new Map(found.map((one) => [keyOf({ ...one, id: one.policy_id }), one.dump]))
          return (key) => {
            if (key.version === 0) return "_tag" in implied ? null : dump(implied)
            return now.get(keyOf(key)) ?? dumps.get(keyOf(key)) ?? null
          }
        }
      )
    }

    return { of, at, latest, dumpsOf } as const
  })
}) {}
