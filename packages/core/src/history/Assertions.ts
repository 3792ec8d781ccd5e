/** Asserts artifacts before they are deployed. SPEC §3.15, §4.13 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type { AccessDenied } from "../access/Access.js"
import { type GrantedWithin, Reaches } from "../access/Reaches.js"
import * as AllowListEntry from "../allow-list/AllowListEntry.js"
import { ArtifactNotFound } from "../artifact/ArtifactLookup.js"
import type { Fingerprint } from "../artifact/Fingerprint.js"
import * as Environment from "../environment/Environment.js"
import type { EnvironmentMissing } from "../environment/EnvironmentFailure.js"
import * as EnvironmentLookup from "../environment/EnvironmentLookup.js"
import { EnvironmentStore } from "../environment/EnvironmentStore.js"
import * as PlacedEnvironments from "../environment/internal/PlacedEnvironments.js"
import { FlowNotFound } from "../flow/Flow.js"
import { FlowStore } from "../flow/FlowStore.js"
import type { Moment } from "../policy/Moment.js"
import { PolicyNotFound } from "../policy/Policy.js"
import type { Facts } from "../policy/PolicyFacts.js"
import { type PolicySet, PolicySets, readingOf } from "../policy/PolicySets.js"
import { PolicyStore } from "../policy/PolicyStore.js"
import type { MaybeHidden } from "../shared/Hidden.js"
import { type FlowName, type OrgName, PolicyName } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"
import { Transaction } from "../shared/Transaction.js"
import { ArtifactUnknown } from "../snapshot/ArtifactFacts.js"
import type { HiddenFlows } from "../snapshot/FlowMask.js"
import * as ArtifactAssertion from "../snapshot/internal/ArtifactAssertion.js"
import * as MaskedFlows from "../snapshot/internal/MaskedFlows.js"
import { Moments } from "../snapshot/internal/Moments.js"
import type { FlowRecord } from "../snapshot/ProvenanceStore.js"
import { RowEvidence } from "../snapshot/RowEvidence.js"
import type * as AsOf from "./AsOf.js"
import type { KnownFlow } from "./FactTimeline.js"
import * as AssertionAsOf from "./internal/AssertionAsOf.js"
import * as AssertionMask from "./internal/AssertionMask.js"

/** The rules to assert by: those of the artifact's flows, named policies, or the policies of an environment. */
export type AssertionTarget =
  | { readonly scope: "flow" }
  | { readonly scope: "environment"; readonly environment: string }
  | { readonly scope: "policy"; readonly policies: ReadonlyArray<string> }

/** The artifact and the target; if a flow is given, only provenance in that flow counts. */
export interface AssertionQuery {
  readonly fingerprint: Fingerprint
  readonly flow?: FlowName
  readonly target: AssertionTarget
}

/** The result, with a flow and a record of the artifact. */
export interface AssertionView extends ArtifactAssertion.ArtifactAssertion, MaybeHidden {
  /** The primary flow, and the record in it; undefined if no flow knows the artifact, and where it is hidden. */
  readonly primary: { readonly flow_name: string; readonly artifact_id: string } | undefined
  /** Set if the assertion is as of an instant. */
  readonly asOf?: Timestamp
}

/** An assertion with its inputs: the policies, and the provenance of the artifact. */
export interface DecidedAssertion {
  /** As who reads the whole org sees it. */
  readonly view: AssertionView
  /** As the caller sees it. */
  readonly shown: AssertionView
  /** The flows that know the artifact and that the caller may not read; undefined where there is none. */
  readonly hidden: HiddenFlows | undefined
  readonly set: PolicySet
  readonly facts: Facts
  /** In the order of the flows in the facts. */
  readonly records: ReadonlyArray<FlowRecord>
  /** Whether an entry of the environment's allow-list would make the artifact compliant. */
  readonly canBeAllowed: boolean
  /** The moment of the evaluation. */
  readonly moment: Moment
}

/** An assertion as of an instant with its inputs. */
export interface EarlierAssertion
  extends Pick<DecidedAssertion, "view" | "hidden" | "set" | "facts"> {
  /** The record of each flow, in the order of the flows in the facts. */
  readonly known: ReadonlyArray<Pick<KnownFlow, "flow_id" | "trail_id">>
}

/** The policies to assert by, and the environment that has them. */
interface Target {
  readonly set: PolicySet
  readonly environment: Environment.Environment | undefined
}

/** A logical environment has no allow-list; its members have theirs. */
const hasAllowList = (environment: Target["environment"]): environment is Environment.Environment =>
  environment !== undefined && environment.type !== "logical"

const decodePolicy = Schema.decodeOption(PolicyName)

/** Use cases of asserting. */
export class Assertions extends Effect.Service<Assertions>()("@attestry/core/Assertions", {
  effect: Effect.gen(function* () {
    const environments = yield* EnvironmentStore
    const policies = yield* PolicyStore
    const flows = yield* FlowStore
    const sets = yield* PolicySets
    const evidence = yield* RowEvidence
    const moments = yield* Moments
    const transaction = yield* Transaction
    const earlier = yield* AssertionAsOf.make
    const reaches = yield* Reaches
    const hiddenOf = yield* MaskedFlows.make
    const present = yield* PlacedEnvironments.make

    const ofEnvironment = (granted: GrantedWithin, given: string) =>
      Effect.gen(function* () {
        const name = yield* EnvironmentLookup.nameOf(granted, given)
        const { environment } = yield* Effect.flatMap(
          environments.findByName({ org: granted.orgId, name }),
          present(granted, given)
        )
        const set = yield* sets.latest(granted.orgId, Environment.selectionOf(environment))
        return { set, environment } satisfies Target
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

    /** The policies of the target; none for the scope `flow`. */
    const targetOf = (
      granted: GrantedWithin,
      target: AssertionTarget
    ): Effect.Effect<Target, PolicyNotFound | EnvironmentMissing | AccessDenied | StoreError> => {
      switch (target.scope) {
        case "flow":
          return Effect.succeed({ set: sets.of([]), environment: undefined })
        case "environment":
          return ofEnvironment(granted, target.environment)
        case "policy":
          return Effect.map(
            Effect.forEach([...new Set(target.policies)], (name) => policyOf(granted, name)),
            (found) => ({ set: sets.of(found), environment: undefined })
          )
      }
    }

    /** The entry in force of an environment's allow-list about the artifact. */
    const allowanceOf = (
      environment: Target["environment"],
      fingerprint: Fingerprint,
      now: Timestamp
    ): Effect.Effect<ArtifactAssertion.Allowance | undefined, StoreError> =>
      !hasAllowList(environment)
        ? Effect.succeed(undefined)
        : Effect.map(environments.listAllowed(Environment.ref(environment)), (entries) =>
            AllowListEntry.inForce(entries, now).find((entry) => entry.fingerprint === fingerprint)
          )

    /**
     * The provenance of the artifact, in all flows or in one. Policies evaluate an artifact that no flow knows; without
     * them there is nothing to assert it by. One that only hidden flows know is then as unknown, and a hidden flow is
     * as absent.
     */
    const look = (
      granted: GrantedWithin,
      { fingerprint, flow, target }: AssertionQuery,
      reading: ReturnType<typeof readingOf>
    ) =>
      Effect.gen(function* () {
        const { org, orgId } = granted
        const all = (yield* evidence.gather(orgId, [fingerprint], reading))(fingerprint)
        const hidden = yield* hiddenOf(
          granted,
          all.records.map(({ artifact, flowName }) => [artifact.flow_id, flowName] as const)
        )
        const known = { ...all, hidden }
        if (flow === undefined) {
          const readable = all.records.length - (hidden?.ids.size ?? 0)
          return readable === 0 && target.scope === "flow"
            ? yield* new ArtifactUnknown({ org, fingerprint })
            : known
        }
        const notFound = () => new FlowNotFound({ org, flow })
        const found = yield* flows.findByName({ org: orgId, name: flow })
        const { id } = yield* reaches.permitFound(granted, found, {
          kind: "flow",
          idOf: (each) => each.id,
          notFound
        })
        const at = known.records.findIndex(({ artifact }) => artifact.flow_id === id)
        return at < 0
          ? yield* new ArtifactNotFound({ org, flow, fingerprint })
          : {
              records: known.records.slice(at, at + 1),
              views: known.views.slice(at, at + 1),
              facts: known.facts.slice(at, at + 1),
              hidden: undefined
            }
      })

    /**
     * Decides an assertion inside the transaction of the caller. Facts contain attestations only if a policy reads
     * them or the caller asks for them.
     */
    const decide = (
      granted: GrantedWithin,
      query: AssertionQuery,
      { now, withAttestations }: { readonly now: Timestamp; readonly withAttestations: boolean }
    ) =>
      Effect.gen(function* () {
        const { fingerprint, target } = query
        const { environment, set } = yield* targetOf(granted, target)
        const moment = yield* environment === undefined
          ? Effect.succeed({ now, waivers: [] })
          : moments.of(environment, now)
        const reading = readingOf(set)
        const known = yield* look(granted, query, {
          ...reading,
          withAttestations: reading.withAttestations || withAttestations
        })
        const { hidden, records } = known
        const [primary] = records
        // Conditions refer to the name under which the artifact runs; before it runs, that is the file name.
        const name = primary?.artifact.report.filename ?? ""
        const facts: Facts = { artifact: { name, fingerprint }, flows: known.facts }
        const assertion = ArtifactAssertion.decide({
          scope: target.scope,
          compiled: set.compiled,
          order: target.scope === "policy" ? target.policies : [],
          facts,
          allowance: yield* allowanceOf(environment, fingerprint, now),
          moment,
          flows: records.map(({ flowName, standing, trailName }) => ({
            flow_name: flowName,
            trail_name: trailName,
            standing
          }))
        })
        const view: AssertionView = {
          ...assertion,
          primary:
            primary === undefined
              ? undefined
              : { flow_name: primary.flowName, artifact_id: primary.artifact.id }
        }
        const canBeAllowed = hasAllowList(environment)
        return {
          view,
          shown: AssertionMask.mask(view, hidden),
          hidden,
          set,
          facts,
          records,
          canBeAllowed,
          moment
        } satisfies DecidedAssertion
      })

    /** Whether the artifact would be compliant, and why not; as of an instant, by its facts and policies then. */
    const assert = Effect.fn("Assertions.assert")(function* (
      org: OrgName,
      query: AssertionQuery,
      asOf?: AsOf.AsOf | undefined
    ) {
      const granted = yield* reaches.authorize(org, "org.read")
      if (asOf !== undefined) return yield* earlier.assert(granted, query, asOf)
      const { shown } = yield* transaction.run(granted.orgId, (scope) =>
        Effect.flatMap(scope.now, (now) => decide(granted, query, { withAttestations: false, now }))
      )
      return shown
    })

    return { assert, decide, decideAt: earlier.decide } as const
  })
}) {}

/** Whether the artifact has provenance and is compliant in every flow. */
export { compliantInFlows } from "../snapshot/internal/ArtifactAssertion.js"
