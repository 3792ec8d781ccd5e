/** Every port of core in one process: for embedding, for experiments, and as the model of a store. */
import type { Ports } from "@attestry/core/Ports"
import * as PrintedEnvironmentEvents from "@attestry/core/PrintedEnvironmentEvents"
import * as Layer from "effect/Layer"
import * as DeniedAttemptStoreMemory from "./internal/access/DeniedAttemptStoreMemory.js"
import * as CredentialStoreMemory from "./internal/api-key/CredentialStoreMemory.js"
import * as ApprovalStoreMemory from "./internal/approval/ApprovalStoreMemory.js"
import * as ArtifactStoreMemory from "./internal/artifact/ArtifactStoreMemory.js"
import * as AgentAccountStoreMemory from "./internal/attestation/AgentAccountStoreMemory.js"
import * as AttachmentStoreMemory from "./internal/attestation/AttachmentStoreMemory.js"
import * as AttestationStoreMemory from "./internal/attestation/AttestationStoreMemory.js"
import * as BreakGlassStoreMemory from "./internal/break-glass/BreakGlassStoreMemory.js"
import * as ComponentStoreMemory from "./internal/component/ComponentStoreMemory.js"
import * as ControlStoreMemory from "./internal/control/ControlStoreMemory.js"
import * as EnvironmentStoreMemory from "./internal/environment/EnvironmentStoreMemory.js"
import * as EvidenceStoreMemory from "./internal/evidence/EvidenceStoreMemory.js"
import * as VexStoreMemory from "./internal/evidence/VexStoreMemory.js"
import * as FlowStoreMemory from "./internal/flow/FlowStoreMemory.js"
import * as GrantStoreMemory from "./internal/grant/GrantStoreMemory.js"
import * as HistoryStoreMemory from "./internal/history/HistoryStoreMemory.js"
import * as IdempotencyStoreMemory from "./internal/idempotency/IdempotencyStoreMemory.js"
import * as InvitationStoreMemory from "./internal/invitation/InvitationStoreMemory.js"
import * as JournalStoreMemory from "./internal/journal/JournalStoreMemory.js"
import * as LogStoreMemory from "./internal/log/LogStoreMemory.js"
import * as WitnessStoreMemory from "./internal/log/WitnessStoreMemory.js"
import * as MembershipStoreMemory from "./internal/membership/MembershipStoreMemory.js"
import * as NotificationStoreMemory from "./internal/notification/NotificationStoreMemory.js"
import * as OutboxStoreMemory from "./internal/notification/OutboxStoreMemory.js"
import * as OrgStoreMemory from "./internal/org/OrgStoreMemory.js"
import * as PolicyStoreMemory from "./internal/policy/PolicyStoreMemory.js"
import * as ProposalStoreMemory from "./internal/proposal/ProposalStoreMemory.js"
import * as ProtectionStoreMemory from "./internal/protection/ProtectionStoreMemory.js"
import * as RepoStoreMemory from "./internal/repo/RepoStoreMemory.js"
import * as ScimStoreMemory from "./internal/scim/ScimStoreMemory.js"
import * as ServiceAccountStoreMemory from "./internal/service-account/ServiceAccountStoreMemory.js"
import * as BackgroundLeaseStoreMemory from "./internal/shared/BackgroundLeaseStoreMemory.js"
import { MemoryState } from "./internal/shared/MemoryState.js"
import * as ServerProcessStoreMemory from "./internal/shared/ServerProcessStoreMemory.js"
import * as StoreHealthMemory from "./internal/shared/StoreHealthMemory.js"
import * as TransactionMemory from "./internal/shared/TransactionMemory.js"
import * as SignInStoreMemory from "./internal/sign-in/SignInStoreMemory.js"
import * as InvalidationMemory from "./internal/snapshot/InvalidationMemory.js"
import * as ProvenanceStoreMemory from "./internal/snapshot/ProvenanceStoreMemory.js"
import * as ReadModelsMemory from "./internal/snapshot/ReadModelsMemory.js"
import * as SnapshotStoreMemory from "./internal/snapshot/SnapshotStoreMemory.js"
import * as SpaceStoreMemory from "./internal/space/SpaceStoreMemory.js"
import * as TeamStoreMemory from "./internal/team/TeamStoreMemory.js"
import * as TrailStoreMemory from "./internal/trail/TrailStoreMemory.js"
import * as TrustPolicyStoreMemory from "./internal/trust-policy/TrustPolicyStoreMemory.js"
import * as AuditStoreMemory from "./internal/verification/AuditStoreMemory.js"
import * as WaiverStoreMemory from "./internal/waiver/WaiverStoreMemory.js"
import * as WorkloadIdentityStoreMemory from "./internal/workload-identity/WorkloadIdentityStoreMemory.js"

/** Every port; each build of the layer is a new, empty store. */
export const layer: Layer.Layer<Ports> = Layer.mergeAll(
  TransactionMemory.layer,
  StoreHealthMemory.layer,
  JournalStoreMemory.layer,
  WitnessStoreMemory.layer,
  LogStoreMemory.layer.pipe(
    Layer.provide(Layer.merge(JournalStoreMemory.layer, OrgStoreMemory.layer))
  ),
  AuditStoreMemory.layer,
  OrgStoreMemory.layer,
  MembershipStoreMemory.layer,
  InvitationStoreMemory.layer,
  TeamStoreMemory.layer,
  SpaceStoreMemory.layer,
  GrantStoreMemory.layer,
  BreakGlassStoreMemory.layer,
  ScimStoreMemory.layer,
  CredentialStoreMemory.layer,
  SignInStoreMemory.layer,
  ServiceAccountStoreMemory.layer,
  WorkloadIdentityStoreMemory.layer,
  DeniedAttemptStoreMemory.layer,
  IdempotencyStoreMemory.layer,
  FlowStoreMemory.layer,
  RepoStoreMemory.layer,
  TrailStoreMemory.layer,
  ArtifactStoreMemory.layer,
  AttestationStoreMemory.layer,
  EvidenceStoreMemory.layer,
  AgentAccountStoreMemory.layer,
  VexStoreMemory.layer,
  ComponentStoreMemory.layer,
  AttachmentStoreMemory.layer,
  ApprovalStoreMemory.layer,
  ControlStoreMemory.layer,
  PolicyStoreMemory.layer,
  TrustPolicyStoreMemory.layer,
  WaiverStoreMemory.layer,
  ProtectionStoreMemory.layer,
  ProposalStoreMemory.layer,
  EnvironmentStoreMemory.layer,
  NotificationStoreMemory.layer,
  OutboxStoreMemory.layer,
  BackgroundLeaseStoreMemory.layer,
  ServerProcessStoreMemory.layer,
  InvalidationMemory.layer,
  ReadModelsMemory.layer,
  PrintedEnvironmentEvents.layer.pipe(
    Layer.provideMerge(Layer.merge(SnapshotStoreMemory.layer, ProvenanceStoreMemory.layer))
  ),
  HistoryStoreMemory.layer
).pipe(Layer.provide(MemoryState.Default))
