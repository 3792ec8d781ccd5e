/** Every port that a store answers, as one type: what `memory-store` and `sql-store` each provide. */
import type { ApiKeyStore } from "./api-key/ApiKeyStore.js"
import type { ArtifactStore } from "./artifact/ArtifactStore.js"
import type { DeploymentStore } from "./deployment/DeploymentStore.js"
import type { AllowListStore } from "./environment/AllowListStore.js"
import type { EnvironmentStore } from "./environment/EnvironmentStore.js"
import type { FlowStore } from "./flow/FlowStore.js"
import type { JournalStore } from "./journal/JournalStore.js"
import type { MembershipStore } from "./membership/MembershipStore.js"
import type { OrgStore } from "./org/OrgStore.js"
import type { Staleness } from "./shared/Staleness.js"
import type { StoreHealth } from "./shared/StoreHealth.js"
import type { Transaction } from "./shared/Transaction.js"
import type { ProvenanceStore } from "./snapshot/ProvenanceStore.js"
import type { SnapshotStore } from "./snapshot/SnapshotStore.js"
import type { TrailStore } from "./trail/TrailStore.js"

/** Every port that a store answers. */
export type Ports =
  | Transaction
  | StoreHealth
  | JournalStore
  | OrgStore
  | MembershipStore
  | ApiKeyStore
  | FlowStore
  | TrailStore
  | ArtifactStore
  | EnvironmentStore
  | AllowListStore
  | ProvenanceStore
  | Staleness
  | SnapshotStore
  | DeploymentStore
