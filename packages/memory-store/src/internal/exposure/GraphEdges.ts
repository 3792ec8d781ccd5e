/** Every edge of an org, by type, from whole tables: slow, and easy to compare with the contract. */
import { type Artifact, commitOf } from "@attestry/core/Artifact"
import { type Attestation, ofTarget } from "@attestry/core/Attestation"
import type { Control } from "@attestry/core/Control"
import * as DeploymentDiff from "@attestry/core/DeploymentDiff"
import type { Environment } from "@attestry/core/Environment"
import type { Exposure } from "@attestry/core/Exposure"
import { isKnown } from "@attestry/core/Fingerprint"
import type { FoundEdge, NodeKey, NodeType } from "@attestry/core/Graph"
import { edgeTextOf } from "@attestry/core/Graph"
import type { PolicyAttachment } from "@attestry/core/HistoryStore"
import type { Policy, PolicyVersionRecord } from "@attestry/core/Policy"
import * as Timestamp from "@attestry/core/Timestamp"
import type { Trail } from "@attestry/core/Trail"
import * as Option from "effect/Option"
import { type History, startsOf } from "../snapshot/SnapshotStoreMemory.js"

/** An active environment with its past. */
export interface EnvironmentHistory {
  readonly environment: Environment
  readonly isPending: boolean
  readonly history: History
  readonly exposures: ReadonlyArray<Exposure>
  readonly attachments: ReadonlyArray<PolicyAttachment>
}

/** The tables from which edges derive. */
export interface Records {
  readonly trails: ReadonlyArray<Trail>
  readonly artifacts: ReadonlyArray<Artifact>
  readonly attestations: ReadonlyArray<Attestation>
  readonly environments: ReadonlyArray<EnvironmentHistory>
  readonly policies: ReadonlyArray<Policy>
  readonly versions: ReadonlyArray<PolicyVersionRecord>
  readonly controls: ReadonlyArray<Control>
}

const node = (type: NodeType, key: string): NodeKey => ({ type, key })

type Draft = Pick<FoundEdge, "type" | "from" | "to" | "at"> & Partial<FoundEdge>

const edge = (draft: Draft): FoundEdge => ({ since: null, until: null, ...draft })

/** One edge for each pair, the latest of them by its instant. */
const newest = (edges: ReadonlyArray<FoundEdge>): ReadonlyArray<FoundEdge> => [
  ...new Map(
    [...edges].sort((left, right) => left.at - right.at).map((one) => [edgeTextOf(one), one])
  ).values()
]

const recordEdges = ({ artifacts, trails }: Records): ReadonlyArray<FoundEdge> => [
  ...artifacts.flatMap(({ created_at: at, fingerprint, report, trail_id }) => {
    const commit = commitOf(report)
    const [trail, artifact] = [node("trail", trail_id), node("artifact", fingerprint)]
    return [
      edge({ type: "recorded_in", from: artifact, to: trail, at }),
      ...(commit === null
        ? []
        : [edge({ type: "builds", from: trail, to: node("commit", commit), at })])
    ]
  }),
  ...trails.flatMap(({ created_at: at, flow_id, git_commit_info: commit, id }) => [
    edge({ type: "of", from: node("trail", id), to: node("flow", flow_id), at }),
    ...(commit === null
      ? []
      : [edge({ type: "builds", from: node("trail", id), to: node("commit", commit.sha1), at })])
  ])
]

/** The attestation that another one overrides. */
const overriddenBy = (attestation: Attestation, attestations: ReadonlyArray<Attestation>) =>
  ofTarget(
    attestations.filter(
      ({ trail_id, type }) => trail_id === attestation.trail_id && type === attestation.type
    ),
    attestation
  ).find(({ sequence }) => sequence < attestation.sequence)

const attestationEdges = ({ attestations, controls }: Records): ReadonlyArray<FoundEdge> =>
  attestations.flatMap((attestation) => {
    const { body, created_at: at, fingerprint, id, isOverride, trail_id, type } = attestation
    const from = node("attestation", id)
    const overridden = isOverride ? overriddenBy(attestation, attestations) : undefined
    const control = controls.find(({ identifier }) => identifier === body.control)
    return [
      edge({
        type: "about",
        from,
        at,
        to: fingerprint === null ? node("trail", trail_id) : node("artifact", fingerprint)
      }),
      ...(overridden !== undefined
        ? [edge({ type: "overrides", from, to: node("attestation", overridden.id), at })]
        : []),
      ...(type === "decision" && control !== undefined
        ? [edge({ type: "decides", from, to: node("control", control.identifier), at })]
        : [])
    ]
  })

/** Values in lists by a key, in their order. */
const groupBy = <A>(all: ReadonlyArray<A>, keyOf: (one: A) => string): Map<string, Array<A>> => {
  const groups = new Map<string, Array<A>>()
  for (const one of all) {
    const group = groups.get(keyOf(one))
    if (group === undefined) groups.set(keyOf(one), [one])
    else group.push(one)
  }
  return groups
}

const ranIn = ({ environment, exposures }: EnvironmentHistory): ReadonlyArray<FoundEdge> =>
  Array.from(
    groupBy(exposures, ({ fingerprint }) => fingerprint),
    ([fingerprint, own]) => {
      const starts = own.map(({ from }) => from)
      const ends = own.flatMap(({ to }) => (to === null ? [] : [to]))
      return edge({
        type: "ran_in",
        from: node("artifact", fingerprint),
        to: node("environment", environment.id),
        at: Timestamp.fromMicros(Math.max(...starts)),
        since: Timestamp.fromMicros(Math.min(...starts)),
        until: ends.length < own.length ? null : Timestamp.fromMicros(Math.max(...ends))
      })
    }
  )

/** Pairs of an artifact and the one it replaced, once for each time, latest first. */
const replaced = ({ history }: EnvironmentHistory): ReadonlyArray<FoundEdge> => {
  const starts = startsOf(history).flatMap((start) =>
    isKnown(start.fingerprint) ? [{ ...start, fingerprint: start.fingerprint }] : []
  )
  // WHY each once: a row that runs on is in every snapshot since its start.
  const distinct = [
    ...new Map(
      starts.map((start) => {
        const { flow, slot, fingerprint, name, snapshotIndex } = start
        return [JSON.stringify([snapshotIndex, name, fingerprint, flow, slot]), start]
      })
    ).values()
  ]
  const places = groupBy(distinct, ({ flow, slot }) => `${flow} ${slot}`)
  return distinct.flatMap((start) => {
    const at = history[start.snapshotIndex - 1]?.draft.timestamp
    const inPlace = places.get(`${start.flow} ${start.slot}`) ?? []
    const before = DeploymentDiff.predecessor(inPlace, start)
    return Option.isNone(before) || at === undefined
      ? []
      : [
          edge({
            type: "replaced",
            from: node("artifact", start.fingerprint),
            to: node("artifact", before.value.fingerprint),
            at,
            since: at
          })
        ]
  })
}

/** One edge for each pair, the earliest of them by its instant. */
const oldest = (edges: ReadonlyArray<FoundEdge>): ReadonlyArray<FoundEdge> => [
  ...new Map(
    [...edges].sort((left, right) => right.at - left.at).map((one) => [edgeTextOf(one), one])
  ).values()
]

const evaluatedBy = ({ attachments, environment }: EnvironmentHistory): ReadonlyArray<FoundEdge> =>
  environment.policies.map((policy) => {
    const since = attachments.find(({ policy_id, to }) => policy_id === policy && to === null)?.from
    return edge({
      type: "judged_by",
      from: node("environment", environment.id),
      to: node("policy", policy),
      at: since?.at ?? environment.created_at,
      since: since?.at ?? null
    })
  })

const asksAbout = ({ controls, policies, versions }: Records): ReadonlyArray<FoundEdge> =>
  policies.flatMap(({ id, version }) =>
    versions
      .filter((one) => one.policy_id === id && one.version === version)
      .flatMap(({ dump, timestamp: at }) =>
        dump.artifacts.attestations
          .filter(({ for_control: name }) => controls.some(({ identifier }) => identifier === name))
          .map(({ for_control: name }) =>
            edge({
              type: "asks_about",
              from: node("policy", id),
              to: node("control", name ?? ""),
              at
            })
          )
      )
  )

/** Every edge, once. */
export const of = (records: Records): ReadonlyArray<FoundEdge> => [
  ...newest([...recordEdges(records), ...attestationEdges(records), ...asksAbout(records)]),
  ...records.environments.flatMap((each) => [...ranIn(each), ...evaluatedBy(each)]),
  ...oldest(records.environments.flatMap(replaced))
]
