/** Lists the running artifacts of a repository. SPEC §4.16 */

import * as Effect from "effect/Effect"
import { type GrantedWithin, Reaches } from "../access/Reaches.js"
import { ArtifactStore } from "../artifact/ArtifactStore.js"
import { EnvironmentStore } from "../environment/EnvironmentStore.js"
import * as ReadableRepos from "../repo/internal/ReadableRepos.js"
import { RepoNotFound } from "../repo/Repo.js"
import * as RepoProvider from "../repo/RepoProvider.js"
import { type OrgName, RepoId } from "../shared/Identifier.js"
import { ProvenanceStore } from "../snapshot/ProvenanceStore.js"
import { ReadModels } from "../snapshot/ReadModels.js"
import * as LiveArtifact from "./LiveArtifact.js"
import type { LiveRow } from "./StoredDeployment.js"

/** Which repository is meant: by our id, or by its name and, where given, its provider. */
export interface WantedRepo {
  readonly name: string
  readonly provider?: string
  readonly id?: string
}

/** Use cases: what runs now. */
export class LiveArtifacts extends Effect.Service<LiveArtifacts>()("@attestry/core/LiveArtifacts", {
  effect: Effect.gen(function* () {
    const store = yield* ReadModels
    const repos = yield* ReadableRepos.make
    const reaches = yield* Reaches
    const artifacts = yield* ArtifactStore
    const environments = yield* EnvironmentStore
    const provenance = yield* ProvenanceStore

    /** Of several repositories of the name, the one that was made last. */
    const find = (granted: GrantedWithin, { id, name, provider }: WantedRepo) =>
      Effect.gen(function* () {
        const found =
          id === undefined
            ? (yield* repos.listByName(granted, name)).filter(
                (repo) => provider === undefined || repo.provider === RepoProvider.neutral(provider)
              )
            : yield* repos.listByIds(granted, [RepoId.make(id)])
        return found.at(-1) ?? (yield* new RepoNotFound({ org: granted.org, repo: id ?? name }))
      })

    /** The rows of readable environments, with what readable flows know of them. */
    const readableRows = (granted: GrantedWithin, rows: ReadonlyArray<LiveRow>) =>
      Effect.gen(function* () {
        if (granted.readable._tag === "Whole") return rows
        const shown = yield* reaches.keepReadable(granted, {
          kind: "environment",
          things: rows,
          idOf: ({ environmentId }) => environmentId
        })
        const ids = new Set(shown.flatMap(({ row }) => row.flows.map(({ flow_id }) => flow_id)))
        const readable = new Set(
          yield* reaches.keepReadable(granted, { kind: "flow", things: [...ids], idOf: (id) => id })
        )
        return shown.map(({ row, ...live }) => ({
          ...live,
          row: { ...row, flows: row.flows.filter(({ flow_id }) => readable.has(flow_id)) }
        }))
      })

    /** What of the repository runs now, in physical environments that are not archived. */
    const list = Effect.fn("LiveArtifacts.list")(function* (org: OrgName, wanted: WantedRepo) {
      const granted = yield* reaches.authorize(org, "org.read")
      const { orgId } = granted
      const repo = yield* find(granted, wanted)
      const rows = yield* readableRows(granted, yield* store.liveRows(orgId, repo.id))
      if (rows.length === 0) return []
      const views = rows.flatMap(({ row }) => row.flows)
      const flowIds = new Set(views.map(({ flow_id }) => flow_id))
      const recordIds = new Set(views.map(({ artifact_id }) => artifact_id))
      const records = yield* artifacts.listByIds(orgId, [...recordIds])
      const placeIds = new Set(rows.map(({ environmentId }) => environmentId))
      const places = yield* environments.list(orgId, [...placeIds])
      return LiveArtifact.list(repo.id, rows, {
        environments: places.filter(({ archived_at }) => archived_at === null),
        flowNames: yield* provenance.flowNames(orgId, [...flowIds]),
        artifacts: new Map(records.map((record) => [record.id, record]))
      })
    })

    return { list } as const
  })
}) {}
