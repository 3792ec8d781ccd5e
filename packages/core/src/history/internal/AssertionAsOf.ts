/** Asserts an artifact as of an instant, by its facts and policies at that instant. SPEC §4.13 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { type GrantedWithin, Reaches } from "../../access/Reaches.js"
import { ArtifactNotFound } from "../../artifact/ArtifactLookup.js"
import { ArtifactStore } from "../../artifact/ArtifactStore.js"
import * as Environment from "../../environment/Environment.js"
import * as EnvironmentLookup from "../../environment/EnvironmentLookup.js"
import { FlowNotFound } from "../../flow/Flow.js"
import { FlowStore } from "../../flow/FlowStore.js"
import { type Policy, PolicyNotFound } from "../../policy/Policy.js"
import { REQUIRE_PROVENANCE } from "../../policy/PolicyEvaluation.js"
import { type PolicyMode, toField } from "../../policy/PolicyMode.js"
import { PolicySets, type VersionKey } from "../../policy/PolicySets.js"
import { PolicyStore } from "../../policy/PolicyStore.js"
import * as CommitPosition from "../../shared/CommitPosition.js"
import { ArtifactId, type EnvironmentId, type OrgId, PolicyName } from "../../shared/Identifier.js"
import type { Timestamp } from "../../shared/Timestamp.js"
import { Transaction } from "../../shared/Transaction.js"
import { ArtifactUnknown } from "../../snapshot/ArtifactFacts.js"
import * as ArtifactAssertion from "../../snapshot/internal/ArtifactAssertion.js"
import * as MaskedFlows from "../../snapshot/internal/MaskedFlows.js"
import * as AsOf from "../AsOf.js"
import type {
  AssertionQuery,
  AssertionTarget,
  AssertionView,
  EarlierAssertion
} from "../Assertions.js"
import * as EnvironmentMoments from "../EnvironmentMoments.js"
import * as FactTimeline from "../FactTimeline.js"
import * as FingerprintHistory from "../FingerprintHistory.js"
import { type AllowedPeriod, HistoryStore } from "../HistoryStore.js"
import * as NamesAsOf from "../NamesAsOf.js"
import { isValidAt } from "../ValidityPeriod.js"
import * as AssertionMask from "./AssertionMask.js"
import * as EnvironmentThen from "./EnvironmentThen.js"
import { versionAt } from "./VersionAt.js"

/** The rules to assert by at an instant. */
interface TargetAt {
  readonly versions: ReadonlyArray<VersionKey | typeof REQUIRE_PROVENANCE>
  readonly allowed: ReadonlyArray<AllowedPeriod>
  readonly environment: EnvironmentId | null
}

const decodePolicy = Schema.decodeOption(PolicyName)

/** Makes the function that asserts as of an instant. */
export const make = Effect.gen(function* () {
  const artifacts = yield* ArtifactStore
  const names = yield* NamesAsOf.make
  const flows = yield* FlowStore
  const history = yield* HistoryStore
  const policies = yield* PolicyStore
  const sets = yield* PolicySets
  const transaction = yield* Transaction
  const momentsOf = yield* EnvironmentMoments.make
  const reaches = yield* Reaches
  const hiddenOf = yield* MaskedFlows.make
  const environmentThen = yield* EnvironmentThen.make

  /** The newest version of each policy that was saved by an instant; policies without one are omitted. */
  const versionsAt = (
    org: OrgId,
    attached: ReadonlyArray<{ readonly policy: Policy; readonly mode: PolicyMode }>,
    asOf: Timestamp
  ) =>
    Effect.map(
      policies.listVersions(org, { policies: attached.map(({ policy }) => policy.id) }),
      (all) =>
        attached.flatMap(({ mode, policy: { id, name } }): ReadonlyArray<VersionKey> => {
          const then = all.filter((one) => one.policy_id === id && one.timestamp <= asOf).at(-1)
          return then === undefined ? [] : [{ id, name, version: then.version, ...toField(mode) }]
        })
    )

  const ofEnvironment = (granted: GrantedWithin, given: string, asOf: Timestamp) =>
    Effect.gen(function* () {
      const name = yield* EnvironmentLookup.nameOf(granted, given)
      const environment = yield* environmentThen(granted, name, asOf)
      if (environment.created_at > asOf)
        return yield* new AsOf.NotYetThere({ noun: "Environment", name: given, asOf })
      const ref = Environment.ref(environment)
      const settings = versionAt(yield* history.environmentVersions(ref), asOf) ?? environment
      const attached = (yield* history.attachments(ref)).filter((each) => isValidAt(each, asOf))
      const found = yield* policies.list(
        granted.orgId,
        attached.map(({ policy_id }) => policy_id)
      )
      const versions = yield* versionsAt(
        granted.orgId,
        found.map((policy) => ({
          policy,
          mode: attached.find(({ policy_id }) => policy_id === policy.id)?.mode ?? "enforce"
        })),
        asOf
      )
      return {
        versions: settings.require_provenance ? [...versions, REQUIRE_PROVENANCE] : versions,
        allowed: (yield* history.allowedPeriods(ref)).filter((each) => isValidAt(each, asOf)),
        environment: environment.id
      } satisfies TargetAt
    })

  const policyOf = (granted: GrantedWithin, given: string) =>
    Effect.gen(function* () {
      const notFound = () => new PolicyNotFound({ org: granted.org, policy: given })
      const name = yield* Either.fromOption(decodePolicy(given), notFound)
      const found = yield* policies.findByName({ org: granted.orgId, name })
      return yield* reaches.permitFound(granted, found, {
        kind: "policy",
        idOf: ({ id }) => id,
        notFound
      })
    })

  const ofPolicies = (granted: GrantedWithin, names: ReadonlyArray<string>, asOf: Timestamp) =>
    Effect.gen(function* () {
      const found = yield* Effect.forEach([...new Set(names)], (name) => policyOf(granted, name))
      const late = found.find(({ created_at }) => created_at > asOf)
      if (late !== undefined)
        return yield* new AsOf.NotYetThere({ noun: "Policy", name: late.name, asOf })
      const attached = found.map((policy) => ({ policy, mode: "enforce" as const }))
      return yield* versionsAt(granted.orgId, attached, asOf)
    })

  /** The policy versions of the target at the instant, and the entries of its allow-list. */
  const targetAt = (granted: GrantedWithin, target: AssertionTarget, asOf: Timestamp) => {
    switch (target.scope) {
      case "flow":
        return Effect.succeed<TargetAt>({ versions: [], allowed: [], environment: null })
      case "environment":
        return ofEnvironment(granted, target.environment, asOf)
      case "policy":
        return Effect.map(
          ofPolicies(granted, target.policies, asOf),
          (versions): TargetAt => ({ versions, allowed: [], environment: null })
        )
    }
  }

  /** The records of the artifact, in all flows or in one. */
  const look = (
    granted: GrantedWithin,
    { fingerprint, flow, target }: AssertionQuery,
    { asOf, bound }: { readonly asOf: Timestamp; readonly bound: CommitPosition.VisibilityBound }
  ) =>
    Effect.gen(function* () {
      const { org, orgId } = granted
      const evidence = yield* history.evidence(orgId, { fingerprints: [fingerprint] })
      const known = FactTimeline.make(FingerprintHistory.group(evidence)(fingerprint)).at(bound)
      const hidden = yield* hiddenOf(
        granted,
        known.map(({ flow_id, view }) => [flow_id, view.flow_name] as const)
      )
      if (flow === undefined)
        return known.length === (hidden?.ids.size ?? 0) && target.scope === "flow"
          ? yield* new ArtifactUnknown({ org, fingerprint })
          : { known, hidden }
      const notFound = () => new FlowNotFound({ org, flow })
      const name = yield* names.flow(orgId, flow, asOf)
      const found = yield* flows.findByName({ org: orgId, name })
      const { id } = yield* reaches.permitFound(granted, found, {
        kind: "flow",
        idOf: (each) => each.id,
        notFound
      })
      const own = known.filter(({ flow_id }) => flow_id === id)
      return own.length === 0
        ? yield* new ArtifactNotFound({ org, flow, fingerprint })
        : { known: own, hidden: undefined }
    })

  /** Decides as of an instant that is not after `now`, in the transaction of the caller. */
  const decide = (
    granted: GrantedWithin,
    query: AssertionQuery,
    { asOf, now }: { readonly asOf: Timestamp; readonly now: Timestamp }
  ) =>
    Effect.gen(function* () {
      const { fingerprint, target } = query
      const { allowed, environment, versions } = yield* targetAt(granted, target, asOf)
      const momentAt = yield* momentsOf({ org: granted.orgId, environment })
      const set = yield* sets.at(granted.orgId, versions)
      const bound = asOf >= now ? CommitPosition.everything : CommitPosition.asOf(asOf)
      const { hidden, known } = yield* look(granted, query, { asOf, bound })
      const [primary] = known
      const [record] = yield* artifacts.listByIds(
        granted.orgId,
        primary === undefined ? [] : [ArtifactId.make(primary.artifact_id)]
      )
      // Conditions refer to the name under which the artifact runs; before it runs, that is the file name.
      const name = record?.report.filename ?? ""
      const facts = { artifact: { name, fingerprint }, flows: known.map(({ view }) => view) }
      const assertion = ArtifactAssertion.decide({
        scope: target.scope,
        compiled: set.compiled,
        order: target.scope === "policy" ? target.policies : [],
        facts,
        allowance: allowed.find((period) => period.fingerprint === fingerprint),
        moment: momentAt(asOf),
        flows: known.map(({ standing, view: { flow_name, trail_name } }) => ({
          flow_name,
          trail_name,
          standing
        }))
      })
      const view: AssertionView = {
        ...assertion,
        primary:
          primary === undefined
            ? undefined
            : { flow_name: primary.view.flow_name, artifact_id: primary.artifact_id },
        asOf
      }
      return { view, hidden, set, facts, known } satisfies EarlierAssertion
    })

  /** Whether the artifact would have been compliant, and why not. */
  const assert = (granted: GrantedWithin, query: AssertionQuery, asked: AsOf.AsOf) =>
    transaction.run(granted.orgId, (scope) =>
      Effect.gen(function* () {
        const now = yield* scope.now
        const asOf = AsOf.instantOf(asked, now)
        const { hidden, view } = yield* decide(granted, query, { asOf, now })
        return AssertionMask.mask(view, hidden)
      })
    )

  return { assert, decide } as const
})
