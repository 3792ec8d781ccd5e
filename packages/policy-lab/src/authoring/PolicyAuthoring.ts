/**
 * Tools for an author of a policy, on the data of an org: lint, tests, comparison, suggestion.
 *
 * Everything here only asks: nothing is stored and nothing is journaled. SPEC §4.6
 */

import { ArtifactFacts } from "@attestry/core/ArtifactFacts"
import { AttestationStore } from "@attestry/core/AttestationStore"
import * as ControlRefusal from "@attestry/core/ControlRefusal"
import { ControlStore } from "@attestry/core/ControlStore"
import * as EnvironmentMoments from "@attestry/core/EnvironmentMoments"
import { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import { FlowStore } from "@attestry/core/FlowStore"
import * as FlowTemplate from "@attestry/core/FlowTemplate"
import { type EnvironmentName, type OrgName, PolicyName } from "@attestry/core/Identifier"
import { PolicyNotFound, PolicyVersionNotFound } from "@attestry/core/Policy"
import * as PolicyDocument from "@attestry/core/PolicyDocument"
import type { Facts } from "@attestry/core/PolicyFacts"
import { PolicyStore } from "@attestry/core/PolicyStore"
import { type GrantedWithin, Reaches, readableIds, readableWithin } from "@attestry/core/Reaches"
import * as Slices from "@attestry/core/Slices"
import { now as LATEST, type SnapshotExpression } from "@attestry/core/SnapshotExpression"
import { Transaction } from "@attestry/core/Transaction"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as PolicyLint from "../lint/PolicyLint.js"
import * as PolicyTests from "../policy-tests/PolicyTests.js"
import * as PolicyComparison from "../solver/PolicyComparison.js"
import * as PolicySuggestion from "../suggestion/PolicySuggestion.js"

/** The policy of a question: a text, or a version of a stored policy, the latest unless named. */
export type PolicySource =
  | { readonly policy_yaml: string }
  | { readonly policy_name: PolicyName; readonly version?: number | undefined }

/** The most running artifacts that one question looks at. */
export const ROWS_MAX = 5_000
const PAGE = 1_000

const NO_ENVIRONMENTS: ReadonlyArray<EnvironmentName> = []

/** More artifacts run in the environments than one question looks at. */
export class TooManyRows extends Schema.TaggedError<TooManyRows>()("TooManyRows", {
  total: Schema.Int
}) {
  override get message(): string {
    return `more than ${ROWS_MAX} artifacts run in these environments: name fewer of them`
  }
}

/** Where to look, and which snapshot. */
export interface Running {
  readonly environments: ReadonlyArray<EnvironmentName>
  readonly expression: SnapshotExpression
}

/** The names of attestations in the template of a flow. */
const namesOf = (template: string): ReadonlyArray<string> =>
  Either.match(FlowTemplate.parse(template), {
    onLeft: () => [],
    onRight: ({ trail }) => [
      ...trail.attestations.map(({ name }) => name),
      ...trail.artifacts.flatMap(({ attestations }) => attestations.map(({ name }) => name))
    ]
  })

const reportedNames = (rows: ReadonlyArray<Facts>): ReadonlyArray<string> =>
  rows.flatMap(({ flows }) =>
    flows.flatMap(({ attestations }) => attestations.map(({ name }) => name))
  )

const UNNAMED = {
  path: "policy",
  line: 1,
  column: 1,
  message: "the policy is missing: add `policy: NAME` here, or send `policy_yaml` or `policy_name`"
}

/** The policy that a file of tests names. */
const namedIn = (org: OrgName, { policy }: PolicyTests.PolicyTests) =>
  policy === null
    ? Either.left(new PolicyTests.InvalidPolicyTests({ problems: [UNNAMED] }))
    : Schema.is(PolicyName)(policy)
      ? Either.right({ policy_name: policy })
      : Either.left(new PolicyNotFound({ org, policy }))

/** Whether nothing of facts is hidden from the caller. */
const isWhole = (facts: Facts & { readonly hidden?: true }): boolean => facts.hidden !== true

/** Use cases of writing policies. */
export class PolicyAuthoring extends Effect.Service<PolicyAuthoring>()(
  "@attestry/policy-lab/PolicyAuthoring",
  {
    effect: Effect.gen(function* () {
      const artifactFacts = yield* ArtifactFacts
      const controls = yield* ControlStore
      const flows = yield* FlowStore
      const policies = yield* PolicyStore
      const momentsOf = yield* EnvironmentMoments.make
      const transaction = yield* Transaction
      const types = yield* AttestationStore

      const reaches = yield* Reaches
      const environmentStore = yield* EnvironmentStore

      const authorize = (org: OrgName) => reaches.authorize(org, "org.read")

      const readableNames = (granted: GrantedWithin, names: ReadonlyArray<EnvironmentName>) =>
        Effect.gen(function* () {
          const within = readableIds(granted)
          if (within === undefined) return names
          const readable = yield* transaction.run(granted.orgId, () =>
            environmentStore.list(granted.orgId, undefined, within)
          )
          const known = new Set(readable.map(({ name }) => name))
          return names.filter((name) => known.has(name))
        })

      const stored = Effect.fn("PolicyAuthoring.stored")(function* (
        org: OrgName,
        name: PolicyName
      ) {
        const granted = yield* authorize(org)
        const { orgId } = granted
        const found = yield* transaction.run(orgId, () => policies.findByName({ org: orgId, name }))
        const notFound = () => new PolicyNotFound({ org, policy: name })
        const policy = yield* Either.fromOption(found, notFound)
        yield* reaches.permit(granted, { kind: "policy", id: policy.id }, notFound)
        return policy
      })

      /** The text of a policy, and the readable environments that it is attached to. */
      const sourceOf = Effect.fn("PolicyAuthoring.sourceOf")(function* (
        org: OrgName,
        source: PolicySource
      ) {
        if ("policy_yaml" in source)
          return { text: source.policy_yaml, environments: NO_ENVIRONMENTS }
        const policy = yield* stored(org, source.policy_name)
        const version = source.version ?? policy.version
        const { org_id, id } = policy
        const [record] = yield* transaction.run(org_id, () =>
          policies.listVersions(org_id, { keys: [{ id, version }] })
        )
        if (record === undefined)
          return yield* new PolicyVersionNotFound({ org, policy: policy.name, version })
        const consumers = yield* transaction.run(org_id, () => policies.listConsumers(org_id, [id]))
        const attached = consumers.map(({ environment }) => environment)
        const environments = yield* readableNames(yield* authorize(org), attached)
        return { text: record.policy_yaml, environments }
      })

      /** The facts of everything that runs in one environment. */
      const rowsIn = (org: OrgName, environment: EnvironmentName, expression: SnapshotExpression) =>
        Effect.gen(function* () {
          const found: Array<Facts> = []
          for (let page = 1; ; page++) {
            const { rows } = yield* artifactFacts.list(
              org,
              { environment, expression },
              { page, perPage: PAGE }
            )
            if (rows.total > ROWS_MAX) return yield* new TooManyRows({ total: rows.total })
            found.push(...rows.items.map(({ facts }) => facts))
            if (page * PAGE >= rows.total) return found
          }
        })

      const running = (org: OrgName, { environments, expression }: Running) =>
        Effect.gen(function* () {
          const found: Array<Facts> = []
          for (const environment of new Set(environments)) {
            found.push(...(yield* rowsIn(org, environment, expression)))
            if (found.length > ROWS_MAX) return yield* new TooManyRows({ total: found.length })
          }
          return found
        })

      /** The refused controls; one that the caller does not read is an unknown one. */
      const refusedOf = (granted: GrantedWithin, identifiers: ReadonlyArray<string>) =>
        Effect.gen(function* () {
          const { orgId } = granted
          const readable = yield* reaches.keepReadable(granted, {
            kind: "control",
            things: [...new Set(identifiers)],
            idOf: (identifier) => identifier
          })
          const refused = yield* ControlRefusal.refused(controls, orgId, readable)
          const hidden = identifiers.filter((identifier) => !readable.includes(identifier))
          return new Map([
            ...refused,
            ...hidden.map((identifier) => [identifier, "unknown"] as const)
          ])
        })

      const observe = (granted: GrantedWithin, text: string, rows: ReadonlyArray<Facts>) =>
        transaction.run(granted.orgId, (scope) =>
          Effect.gen(function* () {
            const { orgId } = granted
            const query = { sort: "name", direction: "asc", ...readableWithin(granted) } as const
            const { items } = yield* flows.list(orgId, query, Option.none())
            const named = Either.match(PolicyDocument.parse(text), {
              onLeft: () => [],
              onRight: PolicyDocument.controlsReferenced
            })
            const all = items.map(({ flow }) => flow)
            return {
              flows: all.map(({ name, tags }) => ({ name, tags })),
              customTypes: (yield* types.listTypes(orgId)).map(({ name }) => name),
              refusedControls: yield* refusedOf(granted, named),
              attestationNames: [
                ...new Set([
                  ...all.flatMap(({ template }) => namesOf(template)),
                  ...reportedNames(rows)
                ])
              ],
              rows,
              moment: (yield* momentsOf({ org: orgId, environment: null }))(yield* scope.now)
            } satisfies PolicyLint.Observations
          })
        )

      /** Remarks about a policy by what the org has and by these facts. */
      const remarks = Effect.fn("PolicyAuthoring.remarks")(function* (
        org: OrgName,
        text: string,
        rows: ReadonlyArray<Facts>
      ) {
        const observed = yield* observe(yield* authorize(org), text, rows)
        return yield* Effect.flatten(Slices.run(() => PolicyLint.checkingAgainst(text, observed)))
      })

      /** Remarks about a policy, also by what runs in the environments given, or in those that it is attached to. */
      const lint = Effect.fn("PolicyAuthoring.lint")(function* (
        org: OrgName,
        source: PolicySource,
        environments: ReadonlyArray<EnvironmentName> | undefined
      ) {
        const granted = yield* authorize(org)
        const { environments: attached, text } = yield* sourceOf(org, source)
        yield* PolicyDocument.parse(text)
        const rows = yield* Effect.forEach(environments ?? attached, (environment) =>
          // WHY no failure: an environment that never reported runs nothing.
          Effect.catchTag(rowsIn(org, environment, LATEST), "SnapshotNotFound", () =>
            Effect.succeed<ReadonlyArray<Facts>>([])
          )
        )
        // WHY not all: facts with a gap give wrong remarks.
        const flat = rows.flat().filter(isWhole)
        if (flat.length > ROWS_MAX) return yield* new TooManyRows({ total: flat.length })
        const observed = yield* observe(granted, text, flat)
        return yield* Effect.flatten(Slices.run(() => PolicyLint.checkingAgainst(text, observed)))
      })

      /** The results of tests of a policy. */
      const test = Effect.fn("PolicyAuthoring.test")(function* (
        org: OrgName,
        source: PolicySource | undefined,
        tests_yaml: string
      ) {
        yield* authorize(org)
        const tests = yield* PolicyTests.parse(tests_yaml)
        const { text } = yield* sourceOf(org, source ?? (yield* namedIn(org, tests)))
        return PolicyTests.run(yield* PolicyDocument.parse(text), tests)
      })

      /** How a new policy relates to an old one. */
      const compare = Effect.fn("PolicyAuthoring.compare")(function* (
        org: OrgName,
        before: PolicySource,
        after: PolicySource
      ) {
        yield* authorize(org)
        const old = yield* PolicyDocument.parse((yield* sourceOf(org, before)).text)
        const now = yield* PolicyDocument.parse((yield* sourceOf(org, after)).text)
        return yield* Slices.run(() => PolicyComparison.comparing(old, now))
      })

      /** A policy that everything which runs in the environments satisfies, and how many rows are hidden. */
      const suggest = Effect.fn("PolicyAuthoring.suggest")(function* (
        org: OrgName,
        of: Running,
        options: PolicySuggestion.SuggestionOptions
      ) {
        yield* authorize(org)
        const all = yield* running(org, of)
        const rows = all.filter(isWhole)
        const suggestion = yield* Slices.run(() => PolicySuggestion.suggesting(rows, options))
        return { ...suggestion, hidden: all.length - rows.length }
      })

      return { lint, remarks, test, compare, suggest } as const
    })
  }
) {}
