/**
 * Verdicts of one environment over time as a plain fold from the specification: policies, evidence, tags,
 * allow-lists and reports in any order. SPEC §3.10, §3.12
 *
 * Everything is evaluated anew whenever the specification requires an evaluation; only what a snapshot shows is
 * kept. `PolicyEvaluationModel` evaluates single rows.
 */
import { isFailure } from "@attestry/core/PolicyDecision"
import type { PolicyDocument } from "@attestry/core/PolicyDocument"
import type { FlowView } from "@attestry/core/PolicyFacts"
import * as Model from "../../PolicyEvaluationModel.js"

/** A command. Fingerprints, flows, policies and texts are indexes of short lists. */
export type VerdictCommand =
  | { readonly _tag: "Report"; readonly rows: ReadonlyArray<ModelKey> }
  | { readonly _tag: "Attach"; readonly policy: string }
  | { readonly _tag: "Detach"; readonly policy: string }
  | { readonly _tag: "Save"; readonly policy: string; readonly text: number }
  | { readonly _tag: "Allow"; readonly fingerprint: string }
  | { readonly _tag: "Disallow"; readonly fingerprint: string }
  | { readonly _tag: "Build"; readonly flow: string; readonly fingerprint: string }
  | {
      readonly _tag: "Attest"
      readonly flow: string
      readonly fingerprint: string
      readonly isCompliant: boolean
    }
  | { readonly _tag: "Tag"; readonly flow: string; readonly risk: string }

/** A row of a report. */
export interface ModelKey {
  readonly name: string
  readonly fingerprint: string
}

/** An evaluated row. */
export interface ModelRow extends ModelKey {
  readonly verdict: "Compliant" | "NonCompliant" | "Unknown"
  readonly statuses: ReadonlyArray<readonly [policy: string, status: string]>
  readonly failing: ReadonlyArray<unknown>
  readonly provenance: ReadonlyArray<unknown>
}

/** A snapshot. */
export interface ModelSnapshot {
  readonly verdict: ModelRow["verdict"]
  readonly policies: ReadonlyArray<readonly [name: string, version: number]>
  readonly rows: ReadonlyArray<ModelRow>
}

interface Evidence {
  readonly flow: string
  readonly fingerprint: string
  readonly attestations: ReadonlyArray<{ readonly sequence: number; readonly isCompliant: boolean }>
}

interface World {
  readonly attached: ReadonlyArray<string>
  readonly policies: ReadonlyMap<string, { readonly version: number; readonly text: number }>
  readonly allowed: ReadonlyArray<string>
  readonly evidence: ReadonlyArray<Evidence>
  readonly risks: ReadonlyMap<string, string>
}

/** The name of the attestations that commands report. */
export const ATTESTATION = "unit"
/** The name of the trail that commands report to, in every flow. */
export const TRAIL = "run"

const viewOf = (world: World, { attestations, flow }: Evidence): FlowView => {
  const risk = world.risks.get(flow)
  return {
    flow_name: flow,
    tags: risk === undefined ? {} : { risk },
    trail_name: TRAIL,
    // An unexpected attestation also fails its artifact.
    artifact_status: attestations.at(-1)?.isCompliant === false ? "NON-COMPLIANT" : "COMPLIANT",
    attestations: attestations.map(({ isCompliant, sequence }) => ({
      sequence,
      name: ATTESTATION,
      type: "generic",
      is_compliant: isCompliant,
      level: "artifact",
      control: null
    }))
  }
}

const verdictOf = (
  world: World,
  fingerprint: string,
  statuses: ModelRow["statuses"]
): ModelRow["verdict"] => {
  if (world.allowed.includes(fingerprint)) return "Compliant"
  if (statuses.length === 0) return "Unknown"
  return statuses.every(([, status]) => status === "COMPLIANT") ? "Compliant" : "NonCompliant"
}

/** A row evaluated anew. */
const evaluate = (
  texts: ReadonlyArray<PolicyDocument>,
  world: World,
  { fingerprint, name }: ModelKey
): ModelRow => {
  const flows = world.evidence
    .filter((known) => known.fingerprint === fingerprint)
    .map((known) => viewOf(world, known))
  const policies = world.attached.flatMap((policy) => {
    const { text = 0, version = 0 } = world.policies.get(policy) ?? {}
    const document = texts[text]
    return document === undefined ? [] : [{ id: policy, name: policy, version, document }]
  })
  const { policy_decisions } = Model.evaluate(policies, { artifact: { name, fingerprint }, flows })
  const statuses = policy_decisions.map(({ policy_name, status }): readonly [string, string] => [
    policy_name,
    status
  ])
  const verdict = verdictOf(world, fingerprint, statuses)
  return {
    name,
    fingerprint,
    verdict,
    statuses,
    failing: policy_decisions.flatMap(({ policy_name, policy_version, rule_evaluations }) =>
      rule_evaluations.flatMap(({ resolutions }, rule) =>
        resolutions
          .filter(({ type }) => isFailure(type))
          .map(({ context, type }) => [policy_name, policy_version, rule, context.flow_name, type])
      )
    ),
    provenance: flows.map(({ artifact_status, flow_name }) => [flow_name, artifact_status])
  }
}

/** The world after a command, or the same one when the command changes nothing. */
const change = (world: World, command: VerdictCommand, sequence: number): World => {
  switch (command._tag) {
    case "Report":
      return world
    case "Attach":
      return world.attached.includes(command.policy)
        ? world
        : { ...world, attached: [...world.attached, command.policy].sort() }
    case "Detach":
      return world.attached.includes(command.policy)
        ? { ...world, attached: world.attached.filter((one) => one !== command.policy) }
        : world
    case "Save": {
      const now = world.policies.get(command.policy)
      if (now?.text === command.text) return world
      const next = { version: (now?.version ?? 0) + 1, text: command.text }
      return { ...world, policies: new Map([...world.policies, [command.policy, next]]) }
    }
    case "Allow":
      return { ...world, allowed: [...world.allowed, command.fingerprint] }
    case "Disallow":
      return { ...world, allowed: world.allowed.filter((one) => one !== command.fingerprint) }
    case "Build": {
      const { fingerprint, flow } = command
      const isThere = world.evidence.some(
        (known) => known.flow === flow && known.fingerprint === fingerprint
      )
      const made = { flow, fingerprint, attestations: [] }
      return isThere ? world : { ...world, evidence: [...world.evidence, made] }
    }
    case "Attest":
      return {
        ...world,
        evidence: world.evidence.map((known) =>
          known.flow === command.flow && known.fingerprint === command.fingerprint
            ? {
                ...known,
                attestations: [
                  ...known.attestations,
                  { sequence, isCompliant: command.isCompliant }
                ]
              }
            : known
        )
      }
    case "Tag":
      return { ...world, risks: new Map([...world.risks, [command.flow, command.risk]]) }
  }
}

const same = (left: unknown, right: unknown): boolean =>
  JSON.stringify(left) === JSON.stringify(right)

const inOrder = (rows: ReadonlyArray<ModelRow>): ReadonlyArray<ModelRow> =>
  [...rows].sort((left, right) =>
    `${left.name} ${left.fingerprint}` < `${right.name} ${right.fingerprint}` ? -1 : 1
  )

/** The fields by which rows are compared; reasons are only those of a row that is not compliant. */
const visible = ({ failing, provenance, statuses, verdict, ...key }: ModelRow): unknown => [
  key,
  verdict,
  statuses,
  verdict === "NonCompliant" ? failing : [],
  provenance
]

/** How the running rows are evaluated after a command: not at all, by the allow-list alone, or anew. */
const look = (before: World, after: World, command: VerdictCommand): "not" | "allowed" | "anew" => {
  switch (command._tag) {
    case "Report":
      return "anew"
    case "Attach":
    case "Detach":
      return before === after ? "not" : "anew"
    case "Save":
      return before !== after && after.attached.includes(command.policy) ? "anew" : "not"
    case "Allow":
    case "Disallow":
      return "allowed"
    default:
      // New evidence counts with the next report.
      return "not"
  }
}

/** Applies commands; returns the snapshots after each. */
export const make = (texts: ReadonlyArray<PolicyDocument>) => {
  let world: World = {
    attached: [],
    policies: new Map(),
    allowed: [],
    evidence: [],
    risks: new Map()
  }
  let sequence = 0
  const snapshots: Array<ModelSnapshot> = []
  return (command: VerdictCommand): ReadonlyArray<ModelSnapshot> => {
    const before = world
    world = change(world, command, ++sequence)
    const how = look(before, world, command)
    const last = snapshots.at(-1)
    if (how === "not" || (last === undefined && command._tag !== "Report")) return snapshots
    const keys = command._tag === "Report" ? command.rows : (last?.rows ?? [])
    const rows = inOrder(
      how === "anew"
        ? keys.map((key) => evaluate(texts, world, key))
        : (last?.rows ?? []).map((row) => ({
            ...row,
            verdict: verdictOf(world, row.fingerprint, row.statuses)
          }))
    )
    const next: ModelSnapshot = {
      verdict:
        world.attached.length === 0
          ? "Unknown"
          : rows.every(({ verdict }) => verdict === "Compliant")
            ? "Compliant"
            : "NonCompliant",
      policies: world.attached.map((name) => [name, world.policies.get(name)?.version ?? 0]),
      rows
    }
    const isDue =
      last === undefined ||
      command._tag === "Attach" ||
      command._tag === "Detach" ||
      !same(last.rows.map(visible), next.rows.map(visible)) ||
      !same(last.policies, next.policies)
    if (isDue) snapshots.push(next)
    return snapshots
  }
}
