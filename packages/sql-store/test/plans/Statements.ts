/** The statements of all features whose cost is bounded, each as a call of the port that runs it. */
import { ControlStore } from "@attestry/core/ControlStore"
import * as Identifier from "@attestry/core/Identifier"
import { JournalStore } from "@attestry/core/JournalStore"
import { WorkloadIdentityStore } from "@attestry/core/WorkloadIdentityStore"
import { Effect } from "effect"
import * as ArtifactStatements from "./ArtifactStatements.js"
import * as AttestationStatements from "./AttestationStatements.js"
import * as DeploymentStatements from "./DeploymentStatements.js"
import * as EnvironmentStatements from "./EnvironmentStatements.js"
import * as HistoryStatements from "./HistoryStatements.js"
import * as RepoStatements from "./RepoStatements.js"
import * as SnapshotStatements from "./SnapshotStatements.js"
import * as SpaceStatements from "./SpaceStatements.js"
import { page, type Statements, trail } from "./Statement.js"
import * as TrailStatements from "./TrailStatements.js"
import type * as World from "./World.js"

const account = ({ org }: World.World, index: number) => ({
  org_id: org.id,
  id: Identifier.ServiceAccountId.make(`${org.id}-account-${index}`)
})

/** Reads about as much from a large org as from a small one. */
export const FLAT: Statements = {
  ...ArtifactStatements.FLAT,
  ...AttestationStatements.FLAT,
  ...DeploymentStatements.FLAT,
  ...EnvironmentStatements.FLAT,
  ...HistoryStatements.FLAT,
  ...RepoStatements.FLAT,
  ...SnapshotStatements.FLAT,
  ...SpaceStatements.FLAT,
  ...TrailStatements.FLAT,
  "the rules of a service account for id tokens": (world) =>
    Effect.flatMap(WorkloadIdentityStore, (store) => store.listRules(account(world, 1))),
  controls: ({ org }) =>
    Effect.flatMap(ControlStore, (store) =>
      store.list(org.id, { archived: false, tags: [], direction: "asc" }, page)
    ),
  "the journal of a trail": (world) =>
    Effect.flatMap(JournalStore, (store) =>
      store.listBySubject(world.org.id, { type: "trail", id: trail(world, 7) })
    ),
  "the journal of few trails": (world) =>
    Effect.flatMap(JournalStore, (store) =>
      store.listBySubject(world.org.id, { type: "trail", ids: [trail(world, 7), trail(world, 8)] })
    ),
  "the journal after a place": ({ org }) =>
    Effect.flatMap(JournalStore, (store) => store.listAfter({ org: org.id, after: 10, limit: 20 })),
  "the numbers of the journal after a place": ({ org }) =>
    Effect.flatMap(JournalStore, (store) =>
      store.listNumbersAfter({ org: org.id, after: 10, limit: 20 })
    ),
  "the newest entries of the journal": ({ org }) =>
    Effect.flatMap(JournalStore, (store) =>
      store.scanBack({ org: org.id, filter: {}, limit: 20, readMax: 21 })
    )
}

/** Reads at most in proportion to the rows that it answers or goes through. */
export const LINEAR: Statements = {
  ...AttestationStatements.LINEAR,
  ...DeploymentStatements.LINEAR,
  ...EnvironmentStatements.LINEAR,
  ...HistoryStatements.LINEAR,
  ...RepoStatements.LINEAR,
  ...SnapshotStatements.LINEAR,
  ...SpaceStatements.LINEAR,
  ...TrailStatements.LINEAR,
  "service accounts by the issuer of id tokens": ({ org }) =>
    Effect.flatMap(WorkloadIdentityStore, (store) =>
      store.listAccounts(org.id, "https://issuer-1.example.org")
    )
}
