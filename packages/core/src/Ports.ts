/** Every port that a store implements, as one type; `memory-store` and `sql-store` each provide all of them. */
import type { DeniedAttemptStore } from "./access/DeniedAttemptStore.js"
import type { CredentialStore } from "./api-key/CredentialStore.js"
import type { ApprovalStore } from "./approval/ApprovalStore.js"
import type { ArtifactStore } from "./artifact/ArtifactStore.js"
import type { AgentAccountStore } from "./attestation/AgentAccountStore.js"
import type { AttachmentStore } from "./attestation/AttachmentStore.js"
import type { AttestationStore } from "./attestation/AttestationStore.js"
import type { BreakGlassStore } from "./break-glass/BreakGlassStore.js"
import type { ComponentStore } from "./component/ComponentStore.js"
import type { ControlStore } from "./control/ControlStore.js"
import type { EnvironmentStore } from "./environment/EnvironmentStore.js"
import type { EnvironmentEventExport } from "./environment-events/EnvironmentEventExport.js"
import type { EvidenceStore } from "./evidence/EvidenceStore.js"
import type { VexStore } from "./evidence/VexStore.js"
import type { FlowStore } from "./flow/FlowStore.js"
import type { GrantStore } from "./grant/GrantStore.js"
import type { HistoryStore } from "./history/HistoryStore.js"
import type { IdempotencyStore } from "./idempotency/IdempotencyStore.js"
import type { InvitationStore } from "./invitation/InvitationStore.js"
import type { JournalStore } from "./journal/JournalStore.js"
import type { LogStore } from "./log/LogStore.js"
import type { WitnessStore } from "./log/WitnessStore.js"
import type { MembershipStore } from "./membership/MembershipStore.js"
import type { NotificationStore } from "./notification/NotificationStore.js"
import type { OutboxStore } from "./notification/OutboxStore.js"
import type { OrgStore } from "./org/OrgStore.js"
import type { PolicyStore } from "./policy/PolicyStore.js"
import type { ProposalStore } from "./proposal/ProposalStore.js"
import type { ProtectionStore } from "./protection/ProtectionStore.js"
import type { RepoStore } from "./repo/RepoStore.js"
import type { ScimStore } from "./scim/ScimStore.js"
import type { ServiceAccountStore } from "./service-account/ServiceAccountStore.js"
import type { BackgroundLeaseStore } from "./shared/BackgroundLeaseStore.js"
import type { Invalidation } from "./shared/Invalidation.js"
import type { ServerProcessStore } from "./shared/ServerProcessStore.js"
import type { StoreHealth } from "./shared/StoreHealth.js"
import type { Transaction } from "./shared/Transaction.js"
import type { SignInStore } from "./sign-in/SignInStore.js"
import type { ProvenanceStore } from "./snapshot/ProvenanceStore.js"
import type { ReadModels } from "./snapshot/ReadModels.js"
import type { SnapshotStore } from "./snapshot/SnapshotStore.js"
import type { SpaceStore } from "./space/SpaceStore.js"
import type { TeamStore } from "./team/TeamStore.js"
import type { TrailStore } from "./trail/TrailStore.js"
import type { TrustPolicyStore } from "./trust-policy/TrustPolicyStore.js"
import type { AuditStore } from "./verification/AuditStore.js"
import type { WaiverStore } from "./waiver/WaiverStore.js"
import type { WorkloadIdentityStore } from "./workload-identity/WorkloadIdentityStore.js"

/** Every port that a store implements. */
export type Ports =
  | Transaction
  | StoreHealth
  | JournalStore
  | LogStore
  | AuditStore
  | WitnessStore
  | OrgStore
  | MembershipStore
  | InvitationStore
  | TeamStore
  | SpaceStore
  | GrantStore
  | BreakGlassStore
  | ScimStore
  | CredentialStore
  | SignInStore
  | ServiceAccountStore
  | WorkloadIdentityStore
  | DeniedAttemptStore
  | IdempotencyStore
  | FlowStore
  | RepoStore
  | TrailStore
  | ArtifactStore
  | AttestationStore
  | AttachmentStore
  | EvidenceStore
  | AgentAccountStore
  | VexStore
  | ComponentStore
  | ApprovalStore
  | ControlStore
  | PolicyStore
  | TrustPolicyStore
  | WaiverStore
  | ProtectionStore
  | ProposalStore
  | EnvironmentStore
  | ProvenanceStore
  | Invalidation
  | SnapshotStore
  | ReadModels
  | EnvironmentEventExport
  | NotificationStore
  | OutboxStore
  | BackgroundLeaseStore
  | ServerProcessStore
  | HistoryStore
