/** `ArtifactStore` in memory: the records of each trail, oldest first. */
import { type Artifact, type ArtifactFact, commitOf } from "@attestry/core/Artifact"
import { ArtifactStore, EARLIER_SCANNED } from "@attestry/core/ArtifactStore"
import { startsWith } from "@attestry/core/Fingerprint"
import type { OrgId, TrailId } from "@attestry/core/Identifier"
import * as Page from "@attestry/core/Page"
import type { PlaceId } from "@attestry/core/PlaceId"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { policies } from "../policy/PolicyStoreMemory.js"
import * as MemoryRows from "../shared/MemoryRows.js"
import { key, MemoryState, table } from "../shared/MemoryState.js"
import * as PlacedThings from "../space/PlacedThings.js"

/** The records of each trail, oldest first; other tables refer to them. */
export const artifacts = table<ReadonlyArray<Artifact>>("artifact")

const factOf = ({ sequence, id, slot, fingerprint, report }: Artifact): ArtifactFact => ({
  sequence,
  id,
  slot,
  fingerprint,
  commit: commitOf(report)
})

const insertInOrder = (records: ReadonlyArray<Artifact>, added: Artifact) =>
  [...records, added].sort((left, right) => left.sequence - right.sequence)

/** `ArtifactStore` in memory. */
export const layer: Layer.Layer<ArtifactStore, never, MemoryState> = Layer.effect(
  ArtifactStore,
  Effect.gen(function* () {
    const state = yield* MemoryState
    const records = yield* MemoryRows.make(artifacts)
    const placed = yield* PlacedThings.make
    const ofTrail = (org: OrgId, trail: TrailId) =>
      Effect.map(
        records.find(key(org, trail)),
        Option.getOrElse((): ReadonlyArray<Artifact> => [])
      )
    /** Newest first. */
    const ofOrg = (org: OrgId, isWanted: (record: Artifact) => boolean = () => true) =>
      Effect.map(records.values, (all) =>
        all
          .flat()
          .filter((record) => record.org_id === org && isWanted(record))
          .sort((left, right) => right.sequence - left.sequence)
      )
    /** Newest first, of flows that are in one of these spaces. */
    const ofSpaces = (org: OrgId, within: ReadonlyArray<PlaceId> | undefined) =>
      Effect.flatMap(placed(org, "flow", within), (isPlaced) =>
        ofOrg(org, ({ flow_id }) => isPlaced(flow_id))
      )
    return ArtifactStore.of({
      isAgeLimited: (org) =>
        Effect.map(state.read(policies), (all) =>
          HashMap.some(all, ({ org_id, reads }) => org_id === org && reads.includes("evidence.age"))
        ),
      findNewest: ({ org, trail, slot }) =>
        Effect.map(
          ofTrail(org, trail),
          Arr.findLast((record) => record.slot === slot)
        ),
      listByIds: (org, ids) =>
        Effect.map(ofOrg(org), (all) => all.filter(({ id }) => ids.includes(id))),
      listFacts: (org, trail) => Effect.map(ofTrail(org, trail), Arr.map(factOf)),
      matchFingerprints: ({ org, flow, prefix, limit, within }) =>
        Effect.map(ofSpaces(org, within), (all) => {
          const found = all
            .filter((record) => flow === undefined || record.flow_id === flow)
            .map(({ fingerprint }) => fingerprint)
            .filter((fingerprint) => startsWith(fingerprint, prefix))
          return [...new Set(found)].sort().slice(0, limit)
        }),
      listByContent: ({ org, flow, fingerprint, trail, within }) =>
        Effect.map(ofSpaces(org, within), (all) =>
          all.filter(
            (record) =>
              (flow === undefined || record.flow_id === flow) &&
              record.fingerprint === fingerprint &&
              (trail === undefined || record.trail_id === trail)
          )
        ),
      matchCommits: ({ org, prefix, limit, within }) =>
        Effect.map(ofSpaces(org, within), (all) => {
          const found = all.flatMap(({ report }) => commitOf(report) ?? [])
          const matching = found.filter((commit) => commit.startsWith(prefix))
          return [...new Set(matching)].sort().slice(0, limit)
        }),
      list: ({ org, flow, trail, repos, commit, search = "", within }, page) =>
        Effect.map(ofSpaces(org, within), (all) => {
          const found = all.filter(
            (record) =>
              (flow === undefined || record.flow_id === flow) &&
              (trail === undefined || record.trail_id === trail) &&
              (commit === undefined || commitOf(record.report)?.startsWith(commit) === true) &&
              (repos === undefined || repos.some((id) => id === record.repo_id)) &&
              record.report.filename.toLowerCase().includes(search.toLowerCase())
          )
          return page === undefined ? found : Page.slice(found, page).items
        }),
      findPrevious: ({ org, flow, fingerprint, branch }) =>
        Effect.map(ofOrg(org), (all) => {
          const inFlow = all.filter((record) => record.flow_id === flow)
          const newest = inFlow.find((record) => record.fingerprint === fingerprint)
          return Arr.findFirst(
            inFlow,
            (record) =>
              record.fingerprint !== fingerprint &&
              commitOf(record.report) !== null &&
              (newest === undefined || record.sequence < newest.sequence) &&
              (branch === undefined || record.report.git_commit_info?.branch === branch)
          )
        }),
      listEarlier: ({ org, flow, slot, before, limit }) =>
        Effect.map(ofOrg(org), (all) =>
          all
            .filter((record) => record.flow_id === flow && record.sequence < before)
            .slice(0, EARLIER_SCANNED)
            .filter((record) => record.slot === slot)
            .slice(0, limit)
        ),
      append: (artifact) =>
        state.transaction(() =>
          Effect.flatMap(ofTrail(artifact.org_id, artifact.trail_id), (before) =>
            records.set(key(artifact.org_id, artifact.trail_id), insertInOrder(before, artifact))
          )
        )
    })
  })
)
