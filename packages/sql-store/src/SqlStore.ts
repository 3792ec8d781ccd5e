/** Every port at once, on any `SqlClient` that speaks to a migrated PostgreSQL as the application role. */
import type { Ports } from "@attestry/core/Ports"
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Layer from "effect/Layer"
import * as DeniedAttemptStoreSql from "./access/DeniedAttemptStoreSql.js"
import * as ApiKeyStoreSql from "./api-key/ApiKeyStoreSql.js"
import * as ApprovalStoreSql from "./approval/ApprovalStoreSql.js"
import * as ArtifactStoreSql from "./artifact/ArtifactStoreSql.js"
import * as PlacementStoreSql from "./artifact/PlacementStoreSql.js"
import * as AttachmentStoreSql from "./attestation/AttachmentStoreSql.js"
import * as AttestationStoreSql from "./attestation/AttestationStoreSql.js"
import * as AttestationTypeStoreSql from "./attestation-type/AttestationTypeStoreSql.js"
import * as EvaluationStoreSql from "./compliance/EvaluationStoreSql.js"
import * as ControlStoreSql from "./control/ControlStoreSql.js"
import * as DeploymentStoreSql from "./deployment/DeploymentStoreSql.js"
import * as AllowListStoreSql from "./environment/AllowListStoreSql.js"
import * as EnvironmentStoreSql from "./environment/EnvironmentStoreSql.js"
import * as FlowStoreSql from "./flow/FlowStoreSql.js"
import * as TemplateVersionStoreSql from "./flow/TemplateVersionStoreSql.js"
import * as IdempotencyStoreSql from "./idempotency/IdempotencyStoreSql.js"
import * as JournalStoreSql from "./journal/JournalStoreSql.js"
import * as MembershipStoreSql from "./membership/MembershipStoreSql.js"
import * as ApiKeyExpiryStoreSql from "./notification/ApiKeyExpiryStoreSql.js"
import * as EnvironmentNotificationStoreSql from "./notification/EnvironmentNotificationStoreSql.js"
import * as NotificationConfigStoreSql from "./notification/NotificationConfigStoreSql.js"
import * as OutboxStoreSql from "./notification/OutboxStoreSql.js"
import * as SigningSecretStoreSql from "./notification/SigningSecretStoreSql.js"
import * as OrgStoreSql from "./org/OrgStoreSql.js"
import * as PolicyStoreSql from "./policy/PolicyStoreSql.js"
import * as RepoStoreSql from "./repo/RepoStoreSql.js"
import * as ServiceAccountStoreSql from "./service-account/ServiceAccountStoreSql.js"
import * as SessionStoreSql from "./session/SessionStoreSql.js"
import * as BackgroundLeaseStoreSql from "./shared/BackgroundLeaseStoreSql.js"
import * as StoreHealthSql from "./shared/StoreHealthSql.js"
import * as AuditLogSql from "./snapshot/AuditLogSql.js"
import * as ProvenanceStoreSql from "./snapshot/ProvenanceStoreSql.js"
import * as SnapshotRowCache from "./snapshot/SnapshotRowCache.js"
import * as SnapshotStoreSql from "./snapshot/SnapshotStoreSql.js"
import * as StalenessSql from "./snapshot/StalenessSql.js"
import * as TrailStoreSql from "./trail/TrailStoreSql.js"
import type { Driver } from "./transaction/Driver.js"
import * as SqlTransaction from "./transaction/SqlTransaction.js"
import * as TenantTransaction from "./transaction/TenantTransaction.js"

/** Every port. */
export const layer: Layer.Layer<Ports, never, SqlClient.SqlClient | Driver> = Layer.mergeAll(
  SqlTransaction.layer,
  StoreHealthSql.layer,
  JournalStoreSql.layer,
  OrgStoreSql.layer,
  MembershipStoreSql.layer,
  ApiKeyStoreSql.layer,
  FlowStoreSql.layer,
  TemplateVersionStoreSql.layer,
  RepoStoreSql.layer,
  TrailStoreSql.layer,
  ArtifactStoreSql.layer,
  AttestationTypeStoreSql.layer,
  AttestationStoreSql.layer,
  AttachmentStoreSql.layer,
  EvaluationStoreSql.layer,
  ServiceAccountStoreSql.layer,
  SessionStoreSql.layer,
  DeniedAttemptStoreSql.layer,
  IdempotencyStoreSql.layer,
  ApprovalStoreSql.layer,
  ControlStoreSql.layer,
  PolicyStoreSql.layer,
  EnvironmentStoreSql.layer,
  NotificationConfigStoreSql.layer,
  EnvironmentNotificationStoreSql.layer,
  OutboxStoreSql.layer,
  SigningSecretStoreSql.layer,
  ApiKeyExpiryStoreSql.layer,
  BackgroundLeaseStoreSql.layer,
  AllowListStoreSql.layer,
  ProvenanceStoreSql.layer,
  StalenessSql.layer,
  SnapshotStoreSql.layer,
  AuditLogSql.layer,
  DeploymentStoreSql.layer,
  PlacementStoreSql.layer
).pipe(Layer.provide(Layer.merge(TenantTransaction.layer, SnapshotRowCache.layer)))
