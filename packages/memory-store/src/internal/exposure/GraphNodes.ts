/** The description of a node of a graph, from whole tables. */
import type { Artifact } from "@attestry/core/Artifact"
import type { Flow } from "@attestry/core/Flow"
import type { NodeDescription, NodeKey, NodeType } from "@attestry/core/Graph"
import type { StoredEvaluation } from "@attestry/core/StoredEvaluation"
import { toState } from "@attestry/core/Verdict"
import type { Records } from "./GraphEdges.js"

/** The tables from which descriptions derive. */
export interface Sources extends Records {
  readonly flows: ReadonlyArray<Flow>
  readonly evaluations: ReadonlyArray<StoredEvaluation>
}

type Description = Omit<NodeDescription, "node">

type Describe = (sources: Sources, key: string) => Description | undefined

const named = (label: string): Description => ({ label, flow: null, trail: null, compliant: null })

const later = (last: Artifact | undefined, record: Artifact): Artifact =>
  last === undefined || last.sequence < record.sequence ? record : last

const startedAs = ({ environments }: Sources, fingerprint: string): string | undefined =>
  environments
    .flatMap(({ exposures }) => exposures)
    .filter((exposure) => exposure.fingerprint === fingerprint)
    .sort((left, right) => right.from - left.from || (left.name < right.name ? -1 : 1))[0]?.name

const artifact: Describe = (sources, key) => {
  const newest = sources.artifacts
    .filter(({ fingerprint }) => fingerprint === key)
    .reduce<Artifact | undefined>(later, undefined)
  const status = sources.evaluations
    .find(({ trail_id }) => trail_id === newest?.trail_id)
    ?.records.find(({ artifact_id }) => artifact_id === newest?.id)
  const label = newest?.report.filename ?? startedAs(sources, key) ?? key.slice(0, 12)
  return { ...named(label), compliant: status?.is_compliant ?? null }
}

const placeOf = ({ flows, trails }: Sources, trailId: string | undefined) => {
  const trail = trails.find(({ id }) => id === trailId)
  const flow = flows.find(({ id }) => id === trail?.flow_id)
  return { flow: flow?.name ?? null, trail: trail?.name ?? null }
}

const trail: Describe = (sources, key) => {
  const { flow, trail: name } = placeOf(sources, key)
  const evaluation = sources.evaluations.find(({ trail_id }) => trail_id === key)
  return name === null
    ? undefined
    : { label: name, flow, trail: name, compliant: evaluation?.trail.is_compliant ?? null }
}

const flow: Describe = ({ flows }, key) => {
  const found = flows.find(({ id }) => id === key)
  return found === undefined ? undefined : { ...named(found.name), flow: found.name }
}

const attestation: Describe = (sources, key) => {
  const found = sources.attestations.find(({ id }) => id === key)
  return found === undefined
    ? undefined
    : { label: found.name, ...placeOf(sources, found.trail_id), compliant: found.isCompliant }
}

const environment: Describe = ({ environments }, key) => {
  const found = environments.find((one) => one.environment.id === key)
  if (found === undefined) return undefined
  const { name, verdict } = found.environment
  return {
    ...named(name),
    compliant: verdict === null || found.isPending ? null : toState(verdict)
  }
}

const policy: Describe = ({ policies }, key) => {
  const found = policies.find(({ id }) => id === key)
  return found === undefined ? undefined : named(found.name)
}

const control: Describe = ({ controls }, key) => {
  const found = controls.find(({ identifier }) => identifier === key)
  return found === undefined ? undefined : named(found.name)
}

const DESCRIBE: { readonly [type in NodeType]: Describe } = {
  artifact,
  trail,
  flow,
  commit: (_, key) => named(key.slice(0, 7)),
  attestation,
  environment,
  policy,
  control
}

/** The descriptions of nodes; unknown ones are left out. */
export const describe = (
  sources: Sources,
  nodes: ReadonlyArray<NodeKey>
): ReadonlyArray<NodeDescription> =>
  nodes.flatMap((node) => {
    const described = DESCRIBE[node.type](sources, node.key)
    return described === undefined ? [] : [{ node, ...described }]
  })
