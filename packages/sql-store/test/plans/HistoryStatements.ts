/** The statements about histories, exposures and evidence logs whose cost is bounded. */

import type { ExposureSubject } from "@attestry/core/Exposure"
import * as Fingerprint from "@attestry/core/Fingerprint"
import type { NodeKey } from "@attestry/core/Graph"
import { HistoryStore } from "@attestry/core/HistoryStore"
import * as Identifier from "@attestry/core/Identifier"
import { JournalStore } from "@attestry/core/JournalStore"
import { LogStore } from "@attestry/core/LogStore"
import { ReadModels } from "@attestry/core/ReadModels"
import { SnapshotStore } from "@attestry/core/SnapshotStore"
import * as Timestamp from "@attestry/core/Timestamp"
import * as MerkleTree from "@attestry/transparency-log/MerkleTree"
import { Effect } from "effect"
import { fingerprint, page, type Statements, span } from "./Statement.js"
import * as World from "./World.js"

/** A tree of which nothing but its keys and its horizon is read. */
const treeOf = (org_id: Identifier.OrgId) => ({
  org_id,
  epoch: 9,
  origin: "",
  entryKey: new Uint8Array(16),
  edge: MerkleTree.EMPTY,
  horizon: 10,
  done: []
})

/** What ran of a subject, and all of it together. */
const exposures = (org: Identifier.OrgId, subject: ExposureSubject) =>
  Effect.flatMap(ReadModels, (store) =>
    Effect.zipRight(
      store.exposures(org, { subject }, page),
      store.exposureSummary(org, { subject }, Timestamp.fromMicros(1_000_000))
    )
  )

/** The edges of a graph at few nodes. */
const edges = (org: Identifier.OrgId, ...level: ReadonlyArray<NodeKey>) =>
  Effect.flatMap(ReadModels, (store) => store.graphEdges(org, level, { limit: 20, reach: 20 }))

const artifact = (index: number): NodeKey => ({
  type: "artifact",
  key: World.fingerprintOf(index)
})

const trailOf = ({ flow }: World.World, index: number): NodeKey => ({
  type: "trail",
  key: `${flow.id}/${index}`
})

/** Reads at most in proportion to the policies and environments, or to the attestations, of the org. */
export const LINEAR: Statements = {
  "edges of a graph at a policy": ({ org }) => edges(org.id, { type: "policy", key: "policy-1" }),
  "edges of a graph at a control": ({ org }) => edges(org.id, { type: "control", key: "control-7" })
}

/** Reads about as much from a large org as from a small one. */
export const FLAT: Statements = {
  "exposures of a fingerprint": ({ org }) =>
    exposures(org.id, {
      _tag: "Content",
      prefix: Fingerprint.FingerprintPrefix.make(World.fingerprintOf(7))
    }),
  "exposures of a commit": ({ org }) =>
    exposures(org.id, {
      _tag: "Commit",
      commit: Identifier.CommitSha.make(World.fingerprintOf(7).slice(-40))
    }),
  "exposures of an author": ({ org }) => exposures(org.id, { _tag: "Author", author: "author-7" }),
  "exposures of a builder": ({ org }) =>
    exposures(org.id, { _tag: "Builder", builder: "https://ci-7.example.org" }),
  "edges of a graph at artifacts": ({ org }) => edges(org.id, artifact(7), artifact(8)),
  "edges of a graph at trails": (world) =>
    edges(world.org.id, trailOf(world, 7), trailOf(world, 8)),
  "edges of a graph at a flow": ({ org, flow }) => edges(org.id, { type: "flow", key: flow.id }),
  "edges of a graph at a commit": ({ org }) =>
    edges(org.id, { type: "commit", key: World.commitOf(7) }),
  "edges of a graph at attestations": ({ org }) =>
    edges(
      org.id,
      ...[7, 8].map((index): NodeKey => ({ type: "attestation", key: `attestation-${index}` }))
    ),
  "edges of a graph at an environment with a long history": ({ long }) =>
    edges(long.org, { type: "environment", key: long.environment }),
  "edges of a graph at a large environment": ({ wide }) =>
    edges(wide.org, { type: "environment", key: wide.environment }),
  "nodes of a graph": (world) =>
    Effect.flatMap(ReadModels, (store) =>
      store.graphNodes(world.org.id, [
        artifact(7),
        trailOf(world, 7),
        { type: "flow" as const, key: world.flow.id },
        { type: "commit" as const, key: World.commitOf(7) },
        { type: "attestation", key: "attestation-7" },
        { type: "environment", key: world.long.environment },
        { type: "control", key: "control-7" },
        { type: "policy", key: "policy-7" }
      ])
    ),
  "a part of a long history": ({ long, size }) =>
    Effect.flatMap(HistoryStore, (store) =>
      Effect.zipRight(
        store.rowParts(long, span(size / 2, size / 2 + 40)),
        store.recordedRows(long, span(size / 2, size / 2 + 20))
      )
    ),
  "members of few snapshots": ({ long, size }) =>
    Effect.flatMap(HistoryStore, (store) =>
      store.memberIndexes(long, span(size / 2, size / 2 + 20))
    ),
  "everything that was written about few fingerprints": ({ org }) =>
    Effect.flatMap(HistoryStore, (store) =>
      store.evidence(org.id, { fingerprints: [fingerprint(3), fingerprint(4)] })
    ),
  "everything that was written to a trail": (world) =>
    Effect.flatMap(HistoryStore, (store) =>
      store.evidence(world.org.id, { trails: [Identifier.TrailId.make(`${world.flow.id}/7`)] })
    ),
  "numbers of few snapshots": ({ long }) =>
    Effect.flatMap(HistoryStore, (store) => store.snapshots(long, [1, 2, 3])),
  "versions of a flow": ({ org, flow }) =>
    Effect.flatMap(HistoryStore, (store) => store.flowVersions(org.id, [flow.id])),
  "versions of the settings of an environment": ({ wide }) =>
    Effect.flatMap(HistoryStore, (store) => store.environmentVersions(wide)),
  "what was allowed in an environment": ({ wide }) =>
    Effect.flatMap(HistoryStore, (store) => store.allowedPeriods(wide)),
  "what was attached to an environment": ({ wide }) =>
    Effect.flatMap(HistoryStore, (store) => store.attachments(wide)),
  "an evaluation that changes nothing": ({ long }) =>
    Effect.flatMap(SnapshotStore, (store) =>
      store.recordUnchangedEvaluation(long, { at: Timestamp.fromMicros(1), index: 1 })
    ),
  "entries without a leaf": ({ org }) =>
    Effect.flatMap(LogStore, (store) => store.listUnlogged(treeOf(org.id), 20)),
  "the newest entries without a leaf": ({ org }) =>
    Effect.flatMap(LogStore, (store) =>
      Effect.flatMap(store.visibility, ({ upTo: newest }) =>
        store.listUnlogged({ ...treeOf(org.id), horizon: newest - 30 }, 20)
      )
    ),
  "leaves with their entries": ({ org }) =>
    Effect.flatMap(LogStore, (store) => store.listLogged(treeOf(org.id), { begin: 10, end: 30 })),
  "the leaf of an entry": ({ org }) =>
    Effect.flatMap(LogStore, (store) => store.listLogged(treeOf(org.id), { sequence: 10 })),
  "leaves of the entries about few subjects": ({ org, flow }) =>
    Effect.flatMap(LogStore, (store) =>
      store.listSubjectLeaves(treeOf(org.id), {
        type: "trail",
        ids: [`${flow.id}/3`, `${flow.id}/4`],
        below: 100_000
      })
    ),
  "entries nearest to a moment": ({ org, long }) =>
    Effect.flatMap(JournalStore, (store) =>
      store.listNearest({
        org: org.id,
        subject: { type: "environment", id: long.environment },
        kind: "snapshot_created",
        at: Timestamp.fromMicros(1_000_000),
        limit: 20
      })
    ),
  "entries that wait for a log": ({ org }) =>
    Effect.flatMap(LogStore, (store) => store.countPending(treeOf(org.id), 20)),
  "checkpoints of a run of sizes": ({ org }) =>
    Effect.flatMap(LogStore, (store) =>
      store.listCheckpoints(treeOf(org.id), { after: 10, upTo: 30 })
    ),
  "trees with their newest checkpoint": ({ org }) =>
    Effect.flatMap(LogStore, (store) => store.listSigned(org.id)),
  "a checkpoint that is stored": ({ org }) =>
    Effect.flatMap(LogStore, (store) =>
      store.insertCheckpoints([
        {
          org_id: org.id,
          epoch: 1,
          size: 30,
          signed_at: Timestamp.fromMicros(1),
          note: "note"
        }
      ])
    ),
  "a tile of a log": ({ org }) =>
    Effect.flatMap(LogStore, (store) =>
      store.listTiles(treeOf(org.id), [{ level: 0, index: 0, width: 100 }])
    )
}
