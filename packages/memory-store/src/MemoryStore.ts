/** Every port at once, in one process: for embedding, for trying things out, and the model of a store. */
import type { Ports } from "@attestry/core/Ports"
import * as PrintedAuditLog from "@attestry/core/PrintedAuditLog"
import * as Layer from "effect/Layer"
import * as DeniedAttemptStoreMemory from "./access/DeniedAttemptStoreMemory.js"
import * as ApiKeyStoreMemory from "./api-key/ApiKeyStoreMemory.js"
import * as ApprovalStoreMemory from "./approval/ApprovalStoreMemory.js"
import * as ArtifactStoreMemory from "./artifact/ArtifactStoreMemory.js"
import * as PlacementStoreMemory from "./artifact/PlacementStoreMemory.js"
import * as AttachmentStoreMemory from "./attestation/AttachmentStoreMemory.js"
import * as AttestationStoreMemory from "./attestation/AttestationStoreMemory.js"
import * as AttestationTypeStoreMemory from "./attestation-type/AttestationTypeStoreMemory.js"
import * as EvaluationStoreMemory from "./compliance/EvaluationStoreMemory.js"
import * as ControlStoreMemory from "./control/ControlStoreMemory.js"
import * as DeploymentStoreMemory from "./deployment/DeploymentStoreMemory.js"
import * as AllowListStoreMemory from "./environment/AllowListStoreMemory.js"
import * as EnvironmentStoreMemory from "./environment/EnvironmentStoreMemory.js"
import * as FlowStoreMemory from "./flow/FlowStoreMemory.js"
import * as TemplateVersionStoreMemory from "./flow/TemplateVersionStoreMemory.js"
import * as IdempotencyStoreMemory from "./idempotency/IdempotencyStoreMemory.js"
import * as JournalStoreMemory from "./journal/JournalStoreMemory.js"
import * as MembershipStoreMemory from "./membership/MembershipStoreMemory.js"
import * as ApiKeyExpiryStoreMemory from "./notification/ApiKeyExpiryStoreMemory.js"
import * as EnvironmentNotificationStoreMemory from "./notification/EnvironmentNotificationStoreMemory.js"
import * as NotificationConfigStoreMemory from "./notification/NotificationConfigStoreMemory.js"
import * as OutboxStoreMemory from "./notification/OutboxStoreMemory.js"
import * as SigningSecretStoreMemory from "./notification/SigningSecretStoreMemory.js"
import * as OrgStoreMemory from "./org/OrgStoreMemory.js"
import * as PolicyStoreMemory from "./policy/PolicyStoreMemory.js"
import * as RepoStoreMemory from "./repo/RepoStoreMemory.js"
import * as ServiceAccountStoreMemory from "./service-account/ServiceAccountStoreMemory.js"
import * as SessionStoreMemory from "./session/SessionStoreMemory.js"
import * as BackgroundLeaseStoreMemory from "./shared/BackgroundLeaseStoreMemory.js"
import { MemoryState } from "./shared/MemoryState.js"
import * as StoreHealthMemory from "./shared/StoreHealthMemory.js"
import * as TransactionMemory from "./shared/TransactionMemory.js"
import * as ProvenanceStoreMemory from "./snapshot/ProvenanceStoreMemory.js"
import * as SnapshotStoreMemory from "./snapshot/SnapshotStoreMemory.js"
import * as StalenessMemory from "./snapshot/StalenessMemory.js"
import * as TrailStoreMemory from "./trail/TrailStoreMemory.js"

/** Every port; each use of the layer is a store of its own, empty at first. */
export const layer: Layer.Layer<Ports> = Layer.mergeAll(
  TransactionMemory.layer,
  StoreHealthMemory.layer,
  JournalStoreMemory.layer,
  OrgStoreMemory.layer,
  MembershipStoreMemory.layer,
  ApiKeyStoreMemory.layer,
  ServiceAccountStoreMemory.layer,
  SessionStoreMemory.layer,
  DeniedAttemptStoreMemory.layer,
  IdempotencyStoreMemory.layer,
  FlowStoreMemory.layer,
  TemplateVersionStoreMemory.layer,
  RepoStoreMemory.layer,
  TrailStoreMemory.layer,
  ArtifactStoreMemory.layer,
  AttestationTypeStoreMemory.layer,
  AttestationStoreMemory.layer,
  AttachmentStoreMemory.layer,
  EvaluationStoreMemory.layer,
  ApprovalStoreMemory.layer,
  ControlStoreMemory.layer,
  PolicyStoreMemory.layer,
  EnvironmentStoreMemory.layer,
  NotificationConfigStoreMemory.layer,
  EnvironmentNotificationStoreMemory.layer,
  OutboxStoreMemory.layer,
  SigningSecretStoreMemory.layer,
  ApiKeyExpiryStoreMemory.layer,
  BackgroundLeaseStoreMemory.layer,
  AllowListStoreMemory.layer,
  StalenessMemory.layer,
  PrintedAuditLog.layer.pipe(
    Layer.provideMerge(Layer.merge(SnapshotStoreMemory.layer, ProvenanceStoreMemory.layer))
  ),
  DeploymentStoreMemory.layer,
  PlacementStoreMemory.layer
).pipe(Layer.provide(MemoryState.Default))
