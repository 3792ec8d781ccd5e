/** Exposures of `ReadModels` in memory: a fold over every snapshot of every environment. */

import { type Artifact, commitOf } from "@attestry/core/Artifact"
import type { Environment } from "@attestry/core/Environment"
import * as Exposure from "@attestry/core/Exposure"
import { type Fingerprint, isKnown, startsWith } from "@attestry/core/Fingerprint"
import type { OrgId } from "@attestry/core/Identifier"
import * as Page from "@attestry/core/Page"
import type { ReadModels } from "@attestry/core/ReadModels"
import { keyOf } from "@attestry/core/RunningRow"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import { artifacts } from "../artifact/ArtifactStoreMemory.js"
import * as ComponentSets from "../component/ComponentSets.js"
import { environments } from "../environment/EnvironmentRowsMemory.js"
import { flows } from "../flow/FlowStoreMemory.js"
import { MemoryState } from "../shared/MemoryState.js"
import { type History, histories } from "../snapshot/SnapshotStoreMemory.js"
import { trails } from "../trail/TrailStoreMemory.js"

type Open = { -readonly [K in keyof Exposure.Exposure]: Exposure.Exposure[K] }

const started = (
  environment: Environment,
  { index, timestamp }: History[number]["draft"],
  { fingerprint, name, verdict }: History[number]["running"][number]
): Open | undefined =>
  isKnown(fingerprint)
    ? {
        fingerprint,
        environmentId: environment.id,
        environmentName: environment.name,
        name,
        firstIndex: index,
        lastIndex: null,
        from: timestamp,
        to: null,
        startedVerdict: verdict,
        verdict,
        nonCompliantMicros: verdict === "NonCompliant" ? -timestamp : 0,
        record: null
      }
    : undefined

const isRed = ({ verdict }: Pick<Exposure.Exposure, "verdict">) => verdict === "NonCompliant"

/** The exposures of a history: rows are followed from snapshot to snapshot by name and fingerprint. */
export const exposuresOf = (environment: Environment, history: History): ReadonlyArray<Open> => {
  const closed: Array<Open> = []
  const open = new Map<string, Open>()
  const close = (exposure: Open, lastIndex: number, to: Exposure.Exposure["from"]) => {
    exposure.nonCompliantMicros += isRed(exposure) ? to : 0
    closed.push(Object.assign(exposure, { lastIndex, to }))
  }
  for (const { draft, running } of history) {
    const rows = new Map(running.map((row) => [keyOf(row), row]))
    for (const [at, exposure] of open) {
      const row = rows.get(at)
      if (row === undefined) {
        open.delete(at)
        close(exposure, draft.index - 1, draft.timestamp)
      } else {
        exposure.nonCompliantMicros +=
          (isRed(exposure) ? draft.timestamp : 0) - (isRed(row) ? draft.timestamp : 0)
        exposure.verdict = row.verdict
      }
    }
    for (const [at, row] of rows) {
      const begun = open.has(at) ? undefined : started(environment, draft, row)
      if (begun !== undefined) open.set(at, begun)
    }
  }
  const { archived_at } = environment
  if (archived_at === null) return [...closed, ...open.values()]
  for (const exposure of open.values()) close(exposure, history.length, archived_at)
  return closed
}

/** Exposures of `ReadModels` in memory. */
export const make: Effect.Effect<
  Pick<ReadModels["Type"], "exposures" | "exposureSummary" | "withoutSbom">,
  never,
  MemoryState
> = Effect.map(MemoryState, (state) => {
  const recordOf = (org: OrgId) =>
    Effect.gen(function* () {
      const own = <V extends { readonly org_id: OrgId }>(rows: HashMap.HashMap<string, V>) =>
        Array.from(HashMap.values(rows)).filter(({ org_id }) => org_id === org)
      const flowNames = new Map(own(yield* state.read(flows)).map(({ id, name }) => [id, name]))
      const trailNames = new Map(own(yield* state.read(trails)).map(({ id, name }) => [id, name]))
      return ({ flow_id, trail_id, report }: Artifact): Exposure.ExposedRecord | null => {
        const [flowName, trailName] = [flowNames.get(flow_id), trailNames.get(trail_id)]
        return flowName === undefined || trailName === undefined
          ? null
          : { flowName, trailName, commit: commitOf(report) }
      }
    })

  /** Every exposure, without records. */
  const ran = (org: OrgId) =>
    Effect.gen(function* () {
      const snapshots = yield* state.read(histories)
      return Array.from(yield* state.read(environments))
        .filter(([, { environment }]) => environment.org_id === org)
        .flatMap(([at, { environment }]) =>
          exposuresOf(
            environment,
            Option.getOrElse(HashMap.get(snapshots, at), () => [])
          )
        )
    })

  const all = (org: OrgId, { subject, ...filter }: Exposure.ExposureQuery) =>
    Effect.gen(function* () {
      const shownBy = yield* recordOf(org)
      const newest = new Map<string, Artifact>()
      const elsewhere = new Set<string>()
      for (const record of Array.from(HashMap.values(yield* state.read(artifacts))).flat()) {
        if (record.org_id !== org || !Exposure.fits(subject, record)) continue
        if (filter.flows?.includes(record.flow_id) === false) {
          elsewhere.add(record.fingerprint)
          continue
        }
        const known = newest.get(record.fingerprint)
        if (known === undefined || known.sequence < record.sequence)
          newest.set(record.fingerprint, record)
      }
      const contents = yield* ComponentSets.contents(state, org, filter)
      const isMeant = (fingerprint: Fingerprint): boolean => {
        if (subject._tag === "Content") return startsWith(fingerprint, subject.prefix)
        return subject._tag === "Component"
          ? subject.components.some((id) => contents.get(fingerprint)?.has(id))
          : newest.has(fingerprint)
      }
      return (yield* ran(org))
        .filter(({ fingerprint }) => isMeant(fingerprint))
        .map((exposure): Exposure.Exposure => {
          const record = newest.get(exposure.fingerprint)
          if (record !== undefined) return { ...exposure, record: shownBy(record) }
          const isHidden = elsewhere.has(exposure.fingerprint)
          return { ...exposure, record: null, ...(isHidden ? { hidden: true as const } : {}) }
        })
        .filter((exposure) => Exposure.passes(filter, exposure))
        .sort(Exposure.byNewest)
    })

  return {
    exposures: (org, query, page) =>
      Effect.map(all(org, query), (found) => Page.slice(found, page)),
    exposureSummary: (org, query, now) =>
      Effect.map(all(org, query), (found) => Exposure.summarize(found, now)),
    withoutSbom: (org, filter) =>
      Effect.zipWith(ran(org), ComponentSets.billed(state, org, filter), (exposures, billed) => {
        const found = exposures.filter((exposure) => Exposure.passes(filter, exposure))
        const prints = new Set(found.map(({ fingerprint }) => fingerprint))
        return [...prints].filter((fingerprint) => !billed.has(fingerprint)).length
      })
  }
})
