/** Every port that a store implements, as one type; `memory-store` and `sql-store` each provide all of them. */
import type { DeniedAttemptStore } from "./access/DeniedAttemptStore.js"
import type { AllowListStore } from "./allow-list/AllowListStore.js"
import type { ApiKeyStore } from "./api-key/ApiKeyStore.js"
import type { ApprovalStore } from "./approval/ApprovalStore.js"
import type { ArtifactStore } from "./artifact/ArtifactStore.js"
import type { PlacementStore } from "./artifact/PlacementStore.js"
import type { AttachmentStore } from "./attestation/AttachmentStore.js"
import type { AttestationStore } from "./attestation/AttestationStore.js"
import type { AttestationTypeStore } from "./attestation-type/AttestationTypeStore.js"
import type { ControlStore } from "./control/ControlStore.js"
import type { EnvironmentStore } from "./environment/EnvironmentStore.js"
import type { EnvironmentEventExport } from "./environment-events/EnvironmentEventExport.js"
import type { FlowStore } from "./flow/FlowStore.js"
import type { HistoryStore } from "./history/HistoryStore.js"
import type { SnapshotRowHistory } from "./history/SnapshotRowHistory.js"
import type { IdempotencyStore } from "./idempotency/IdempotencyStore.js"
import type { JournalStore } from "./journal/JournalStore.js"
import type { CosignatureStore } from "./log/CosignatureStore.js"
import type { LogStatusStore } from "./log/LogStatusStore.js"
import type { LogStore } from "./log/LogStore.js"
import type { WitnessStore } from "./log/WitnessStore.js"
import type { MembershipStore } from "./membership/MembershipStore.js"
import type { ApiKeyExpiryStore } from "./notification/ApiKeyExpiryStore.js"
import type { EnvironmentNotificationStore } from "./notification/EnvironmentNotificationStore.js"
import type { FlowNotificationStore } from "./notification/FlowNotificationStore.js"
import type { NotificationConfigStore } from "./notification/NotificationConfigStore.js"
import type { OutboxStore } from "./notification/OutboxStore.js"
import type { SigningSecretStore } from "./notification/SigningSecretStore.js"
import type { OrgStore } from "./org/OrgStore.js"
import type { PolicyStore } from "./policy/PolicyStore.js"
import type { RepoStore } from "./repo/RepoStore.js"
import type { ServiceAccountStore } from "./service-account/ServiceAccountStore.js"
import type { SessionStore } from "./session/SessionStore.js"
import type { BackgroundLeaseStore } from "./shared/BackgroundLeaseStore.js"
import type { Invalidation } from "./shared/Invalidation.js"
import type { StoreHealth } from "./shared/StoreHealth.js"
import type { Transaction } from "./shared/Transaction.js"
import type { ProvenanceStore } from "./snapshot/ProvenanceStore.js"
import type { ReadModels } from "./snapshot/ReadModels.js"
import type { SnapshotStore } from "./snapshot/SnapshotStore.js"
import type { TrailStore } from "./trail/TrailStore.js"
import type { ErasureStore } from "./verification/ErasureStore.js"
import type { TableAuditStore } from "./verification/TableAuditStore.js"
import type { IdentityRuleStore } from "./workload-identity/IdentityRuleStore.js"
import type { IssuerStore } from "./workload-identity/IssuerStore.js"

/** Every port that a store implements. */
export type Ports =
  | Transaction
  | StoreHealth
  | JournalStore
  | CosignatureStore
  | ErasureStore
  | LogStatusStore
  | LogStore
  | TableAuditStore
  | WitnessStore
  | OrgStore
  | MembershipStore
  | ApiKeyStore
  | ServiceAccountStore
  | IdentityRuleStore
  | IssuerStore
  | SessionStore
  | DeniedAttemptStore
  | IdempotencyStore
  | FlowStore
  | RepoStore
  | TrailStore
  | ArtifactStore
  | AttestationTypeStore
  | AttestationStore
  | AttachmentStore
  | ApprovalStore
  | ControlStore
  | PolicyStore
  | EnvironmentStore
  | AllowListStore
  | ProvenanceStore
  | Invalidation
  | SnapshotStore
  | ReadModels
  | EnvironmentEventExport
  | NotificationConfigStore
  | EnvironmentNotificationStore
  | FlowNotificationStore
  | OutboxStore
  | SigningSecretStore
  | ApiKeyExpiryStore
  | BackgroundLeaseStore
  | PlacementStore
  | HistoryStore
  | SnapshotRowHistory
