/** Reads the environments that enforce each control, and whether it holds there. SPEC §4.11 */

import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type GrantedWithin, Reaches, readableIds, readableWithin } from "../access/Reaches.js"
import { type ControlQuery, ControlStore } from "../control/ControlStore.js"
import * as ControlMatrix from "../control/internal/ControlMatrix.js"
import { enforcedOf } from "../environment/Environment.js"
import { EnvironmentStore } from "../environment/EnvironmentStore.js"
import { UpToDateEnvironments } from "../environment/UpToDateEnvironments.js"
import type { PolicyDump } from "../policy/AppliedPolicy.js"
import { isEnforced } from "../policy/PolicyMode.js"
import { PolicySets } from "../policy/PolicySets.js"
import { PolicyStore } from "../policy/PolicyStore.js"
import type { OrgId, OrgName, PolicyId, PolicyName } from "../shared/Identifier.js"
import type { Page } from "../shared/Page.js"
import { ReadModels } from "./ReadModels.js"
import * as RowDecision from "./RowDecision.js"
import type { EvaluatedRows } from "./SnapshotStore.js"

/** The controls that the rules of a policy are about. */
interface NamedControls {
  readonly name: PolicyName
  /** The indexes of the rules for each control, counted from 0 as in decisions. */
  readonly controls: ReadonlyMap<string, ReadonlyArray<number>>
}

const indexesByControl = (dump: PolicyDump): ReadonlyMap<string, ReadonlyArray<number>> => {
  const indexes = new Map<string, Array<number>>()
  for (const [index, rule] of RowDecision.rulesOf(dump).entries()) {
    const control = rule.type === "attestation" ? rule.definition.for_control : null
    if (control !== null) indexes.set(control, [...(indexes.get(control) ?? []), index])
  }
  return indexes
}

/** Which page of controls is shown, and which of environments. */
export interface MatrixPages {
  readonly controls: Page
  readonly environments: Page
}

/** Use cases of reading the matrix of controls and environments. */
export class ControlMatrices extends Effect.Service<ControlMatrices>()(
  "@attestry/core/ControlMatrices",
  {
    effect: Effect.gen(function* () {
      const controls = yield* ControlStore
      const policies = yield* PolicyStore
      const reads = yield* ReadModels
      const environments = yield* EnvironmentStore
      const settled = yield* UpToDateEnvironments
      const sets = yield* PolicySets
      const reaches = yield* Reaches

      /** Every policy by id, with the controls of its latest version. */
      const namedControls = (org: OrgId) =>
        Effect.gen(function* () {
          const all = yield* policies.list(org)
          const latest = all.length === 0 ? [] : yield* policies.listVersions(org, { keys: all })
          const rules = new Map(
            latest.map(({ dump, policy_id }) => [policy_id, indexesByControl(dump)])
          )
          return new Map(
            all.map(({ id, name }): [PolicyId, NamedControls] => [
              id,
              {
                name,
                controls: rules.get(id) ?? new Map()
              }
            ])
          )
        })

      /** How many rows of an environment run, and how many of them fail each control. */
      const countFailures = (org: OrgId, decided: ReadonlyArray<EvaluatedRows>) =>
        Effect.gen(function* () {
          const versions = new Map(
            decided
              .flatMap(({ decisions }) => decisions)
              .map(({ policy_id: id, policy_name: name, version }) => [
                `${id} ${version}`,
                { id, name, version }
              ])
          )
          const dumpOf = yield* sets.dumpsOf(org, [...versions.values()])
          const byEnvironment = new Map<string, { rows: number; failing: Map<string, number> }>()
          for (const { decisions, environment, rows, verdict } of decided) {
            const counted = byEnvironment.get(environment) ?? { rows: 0, failing: new Map() }
            byEnvironment.set(environment, counted)
            counted.rows += rows
            if (verdict !== "NonCompliant") continue
            const failing = decisions
              .filter(isEnforced)
              .flatMap((decision) =>
                RowDecision.failingControls(
                  decision,
                  dumpOf({ id: decision.policy_id, version: decision.version })
                )
              )
            for (const control of new Set(failing))
              counted.failing.set(control, (counted.failing.get(control) ?? 0) + rows)
          }
          return byEnvironment
        })

      /** How many environments enforce each of some controls. */
      const countCovered = (
        granted: GrantedWithin,
        named: ReadonlyMap<PolicyId, NamedControls>,
        identifiers: ReadonlyArray<string>
      ) =>
        environments.countEnforcing(
          granted.orgId,
          identifiers.map((identifier) =>
            [...named].flatMap(([id, policy]) => (policy.controls.has(identifier) ? [id] : []))
          ),
          readableIds(granted)
        )

      /**
       * One page of the readable controls that pass the query, by name, in one page of the readable active physical
       * environments, by name.
       */
      const list = Effect.fn("ControlMatrices.list")(function* (
        org: OrgName,
        query: ControlQuery,
        pages: MatrixPages
      ) {
        const granted = yield* reaches.authorize(org, "org.read")
        const { orgId } = granted
        const within = readableWithin(granted)
        const shown = yield* settled.select(
          orgId,
          { physical: true, ...within },
          Option.some(pages.environments)
        )
        const { items, total } = yield* controls.list(
          orgId,
          { ...query, ...within },
          pages.controls
        )
        const named = yield* namedControls(orgId)
        const counts = yield* countCovered(
          granted,
          named,
          items.map(({ identifier }) => identifier)
        )
        const decided = yield* reads.evaluatedRows(
          orgId,
          shown.items.map(({ id }) => id)
        )
        const counted = yield* countFailures(orgId, decided)
        const matrix = ControlMatrix.make(
          items.map(({ identifier, name }, index) => ({
            identifier,
            name,
            covered: counts.enforcing[index] ?? 0,
            naming: new Map(
              Array.from(named.values()).flatMap((policy) => {
                const indexes = policy.controls.get(identifier)
                return indexes === undefined ? [] : [[policy.name, indexes] as const]
              })
            )
          })),
          {
            total: counts.total,
            items: shown.items.map((environment) => ({
              name: environment.name,
              verdict_pending: environment.verdict_pending,
              policies: enforcedOf(environment).flatMap((policy) => named.get(policy)?.name ?? []),
              ...(counted.get(environment.id) ?? { rows: 0, failing: new Map() })
            }))
          }
        )
        return { ...matrix, total }
      })

      return { list } as const
    })
  }
) {}
