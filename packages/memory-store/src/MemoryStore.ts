/** Every port of core in one process: for embedding, for experiments, and as the model of a store. */
import type { Ports } from "@attestry/core/Ports"
import * as PrintedEnvironmentEvents from "@attestry/core/PrintedEnvironmentEvents"
import * as Layer from "effect/Layer"
import * as DeniedAttemptStoreMemory from "./internal/access/DeniedAttemptStoreMemory.js"
import * as AllowListStoreMemory from "./internal/allow-list/AllowListStoreMemory.js"
import * as ApiKeyStoreMemory from "./internal/api-key/ApiKeyStoreMemory.js"
import * as ApprovalStoreMemory from "./internal/approval/ApprovalStoreMemory.js"
import * as ArtifactStoreMemory from "./internal/artifact/ArtifactStoreMemory.js"
import * as PlacementStoreMemory from "./internal/artifact/PlacementStoreMemory.js"
import * as AttachmentStoreMemory from "./internal/attestation/AttachmentStoreMemory.js"
import * as AttestationStoreMemory from "./internal/attestation/AttestationStoreMemory.js"
import * as AttestationTypeStoreMemory from "./internal/attestation-type/AttestationTypeStoreMemory.js"
import * as ControlStoreMemory from "./internal/control/ControlStoreMemory.js"
import * as EnvironmentStoreMemory from "./internal/environment/EnvironmentStoreMemory.js"
import * as FlowStoreMemory from "./internal/flow/FlowStoreMemory.js"
import * as HistoryStoreMemory from "./internal/history/HistoryStoreMemory.js"
import * as SnapshotRowHistoryMemory from "./internal/history/SnapshotRowHistoryMemory.js"
import * as IdempotencyStoreMemory from "./internal/idempotency/IdempotencyStoreMemory.js"
import * as JournalStoreMemory from "./internal/journal/JournalStoreMemory.js"
import * as LogStatusStoreMemory from "./internal/log/LogStatusStoreMemory.js"
import * as LogStoreMemory from "./internal/log/LogStoreMemory.js"
import * as WitnessStoreMemory from "./internal/log/WitnessStoreMemory.js"
import * as MembershipStoreMemory from "./internal/membership/MembershipStoreMemory.js"
import * as ApiKeyExpiryStoreMemory from "./internal/notification/ApiKeyExpiryStoreMemory.js"
import * as EnvironmentNotificationStoreMemory from "./internal/notification/EnvironmentNotificationStoreMemory.js"
import * as FlowNotificationStoreMemory from "./internal/notification/FlowNotificationStoreMemory.js"
import * as NotificationConfigStoreMemory from "./internal/notification/NotificationConfigStoreMemory.js"
import * as OutboxStoreMemory from "./internal/notification/OutboxStoreMemory.js"
import * as SigningSecretStoreMemory from "./internal/notification/SigningSecretStoreMemory.js"
import * as OrgStoreMemory from "./internal/org/OrgStoreMemory.js"
import * as PolicyStoreMemory from "./internal/policy/PolicyStoreMemory.js"
import * as RepoStoreMemory from "./internal/repo/RepoStoreMemory.js"
import * as ServiceAccountStoreMemory from "./internal/service-account/ServiceAccountStoreMemory.js"
import * as SessionStoreMemory from "./internal/session/SessionStoreMemory.js"
import * as BackgroundLeaseStoreMemory from "./internal/shared/BackgroundLeaseStoreMemory.js"
import { MemoryState } from "./internal/shared/MemoryState.js"
import * as StoreHealthMemory from "./internal/shared/StoreHealthMemory.js"
import * as TransactionMemory from "./internal/shared/TransactionMemory.js"
import * as InvalidationMemory from "./internal/snapshot/InvalidationMemory.js"
import * as ProvenanceStoreMemory from "./internal/snapshot/ProvenanceStoreMemory.js"
import * as ReadModelsMemory from "./internal/snapshot/ReadModelsMemory.js"
import * as SnapshotStoreMemory from "./internal/snapshot/SnapshotStoreMemory.js"
import * as TrailStoreMemory from "./internal/trail/TrailStoreMemory.js"
import * as ErasureStoreMemory from "./internal/verification/ErasureStoreMemory.js"
import * as TableAuditStoreMemory from "./internal/verification/TableAuditStoreMemory.js"
import * as IdentityRuleStoreMemory from "./internal/workload-identity/IdentityRuleStoreMemory.js"
import * as IssuerStoreMemory from "./internal/workload-identity/IssuerStoreMemory.js"

/** Every port; each build of the layer is a new, empty store. */
export const layer: Layer.Layer<Ports> = Layer.mergeAll(
  TransactionMemory.layer,
  StoreHealthMemory.layer,
  JournalStoreMemory.layer,
  WitnessStoreMemory.layer,
  LogStatusStoreMemory.layer.pipe(Layer.provide(JournalStoreMemory.layer)),
  LogStoreMemory.layer.pipe(
    Layer.provide(Layer.merge(JournalStoreMemory.layer, OrgStoreMemory.layer))
  ),
  Layer.merge(ErasureStoreMemory.layer, TableAuditStoreMemory.layer),
  OrgStoreMemory.layer,
  MembershipStoreMemory.layer,
  ApiKeyStoreMemory.layer,
  ServiceAccountStoreMemory.layer,
  SessionStoreMemory.layer,
  IdentityRuleStoreMemory.layer,
  IssuerStoreMemory.layer,
  DeniedAttemptStoreMemory.layer,
  IdempotencyStoreMemory.layer,
  FlowStoreMemory.layer,
  RepoStoreMemory.layer,
  TrailStoreMemory.layer,
  ArtifactStoreMemory.layer,
  AttestationTypeStoreMemory.layer,
  AttestationStoreMemory.layer,
  AttachmentStoreMemory.layer,
  ApprovalStoreMemory.layer,
  ControlStoreMemory.layer,
  PolicyStoreMemory.layer,
  EnvironmentStoreMemory.layer,
  NotificationConfigStoreMemory.layer,
  EnvironmentNotificationStoreMemory.layer,
  FlowNotificationStoreMemory.layer,
  OutboxStoreMemory.layer,
  SigningSecretStoreMemory.layer,
  ApiKeyExpiryStoreMemory.layer,
  BackgroundLeaseStoreMemory.layer,
  AllowListStoreMemory.layer,
  InvalidationMemory.layer,
  ReadModelsMemory.layer,
  PrintedEnvironmentEvents.layer.pipe(
    Layer.provideMerge(Layer.merge(SnapshotStoreMemory.layer, ProvenanceStoreMemory.layer))
  ),
  PlacementStoreMemory.layer,
  HistoryStoreMemory.layer,
  SnapshotRowHistoryMemory.layer
).pipe(Layer.provide(MemoryState.Default))
