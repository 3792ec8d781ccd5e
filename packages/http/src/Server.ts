/**
 * The whole API as one function from request to response. The host provides the use cases, and chooses how requests
 * arrive (`WebHandler`, `node/NodeServer`).
 */
import { Api } from "@attestry/api/Api"
import { ScimApi } from "@attestry/api/ScimApi"
import { ProposedOperations } from "@attestry/core/ProposedOperations"
import * as Effect from "effect/Effect"
import * as AccessHandlers from "./access/internal/AccessHandlers.js"
import { AllowListHandlers } from "./allow-list/internal/AllowListHandlers.js"
import { ApiKeyHandlers } from "./api-key/internal/ApiKeyHandlers.js"
import { PersonalKeyHandlers } from "./api-key/internal/PersonalKeyHandlers.js"
import { ApprovalHandlers } from "./approval/internal/ApprovalHandlers.js"
import { ArtifactHandlers } from "./artifact/internal/ArtifactHandlers.js"
import { AgentAccountHandlers } from "./attestation/internal/AgentAccountHandlers.js"
import { AttestationHandlers } from "./attestation/internal/AttestationHandlers.js"
import { AttestationTypeHandlers } from "./attestation-type/internal/AttestationTypeHandlers.js"
import { AuditPackageHandlers } from "./audit-package/internal/AuditPackageHandlers.js"
import { BreakGlassHandlers } from "./break-glass/internal/BreakGlassHandlers.js"
import { BuildHandlers } from "./build/internal/BuildHandlers.js"
import { CapsuleHandlers } from "./capsule/internal/CapsuleHandlers.js"
import { ComponentHandlers } from "./component/internal/ComponentHandlers.js"
import { ControlHandlers } from "./control/internal/ControlHandlers.js"
import { DeploymentHandlers } from "./deployment/internal/DeploymentHandlers.js"
import { EnvironmentHandlers } from "./environment/internal/EnvironmentHandlers.js"
import { EventHandlers } from "./environment-events/internal/EventHandlers.js"
import { EvidenceHandlers } from "./evidence/internal/EvidenceHandlers.js"
import { ExposureHandlers } from "./exposure/internal/ExposureHandlers.js"
import { GraphHandlers } from "./exposure/internal/GraphHandlers.js"
import { FlowHandlers } from "./flow/internal/FlowHandlers.js"
import { GrantHandlers } from "./grant/internal/GrantHandlers.js"
import { PolicyLabHandlers } from "./history/internal/PolicyLabHandlers.js"
import { InvitationHandlers } from "./invitation/internal/InvitationHandlers.js"
import { JournalHandlers } from "./journal/internal/JournalHandlers.js"
import { LogHandlers } from "./log/internal/LogHandlers.js"
import { MembershipHandlers } from "./membership/internal/MembershipHandlers.js"
import { UserHandlers } from "./membership/internal/UserHandlers.js"
import { MetaHandlers } from "./meta/internal/MetaHandlers.js"
import * as StaticRoutes from "./meta/internal/StaticRoutes.js"
import { ActionHandlers } from "./notification/internal/ActionHandlers.js"
import { DeliveryHandlers } from "./notification/internal/DeliveryHandlers.js"
import { EnvironmentNotificationHandlers } from "./notification/internal/EnvironmentNotificationHandlers.js"
import { NotificationConfigHandlers } from "./notification/internal/NotificationConfigHandlers.js"
import { OrgHandlers } from "./org/internal/OrgHandlers.js"
import { PolicyAuthoringHandlers } from "./policy/internal/PolicyAuthoringHandlers.js"
import { PolicyHandlers } from "./policy/internal/PolicyHandlers.js"
import * as OperationRuns from "./proposal/internal/OperationRuns.js"
import { ProposalHandlers } from "./proposal/internal/ProposalHandlers.js"
import { ProtectionHandlers } from "./protection/internal/ProtectionHandlers.js"
import { ReceiptHandlers } from "./receipt/internal/ReceiptHandlers.js"
import { ReleaseEvidenceHandlers } from "./release-evidence/internal/ReleaseEvidenceHandlers.js"
import { RepoHandlers } from "./repo/internal/RepoHandlers.js"
import { ReportHandlers } from "./report/internal/ReportHandlers.js"
import {
  ScimGroupHandlers,
  ScimMetaHandlers,
  ScimUserHandlers
} from "./scim/internal/ScimHandlers.js"
import { SearchHandlers } from "./search/internal/SearchHandlers.js"
import { ServiceAccountHandlers } from "./service-account/internal/ServiceAccountHandlers.js"
import { SessionHandlers } from "./session/internal/SessionHandlers.js"
import * as Dispatcher from "./shared/internal/Dispatcher.js"
import * as HandingOn from "./shared/internal/HandingOn.js"
import * as RouteTable from "./shared/internal/RouteTable.js"
import { Reader } from "./shared/Reader.js"
import type { Site } from "./shared/Site.js"
import { SignInHandlers } from "./sign-in/internal/SignInHandlers.js"
import * as SignInSite from "./sign-in/SignInSite.js"
import { AssertionHandlers } from "./snapshot/internal/AssertionHandlers.js"
import { FactHandlers } from "./snapshot/internal/FactHandlers.js"
import { SnapshotHandlers } from "./snapshot/internal/SnapshotHandlers.js"
import { PlacementRuleHandlers } from "./space/internal/PlacementRuleHandlers.js"
import { SpaceHandlers } from "./space/internal/SpaceHandlers.js"
import { TagHandlers } from "./tag/internal/TagHandlers.js"
import { TeamHandlers } from "./team/internal/TeamHandlers.js"
import { TrailHandlers } from "./trail/internal/TrailHandlers.js"
import { TrustPolicyHandlers } from "./trust-policy/internal/TrustPolicyHandlers.js"
import { WaiverHandlers } from "./waiver/internal/WaiverHandlers.js"
import { WorkloadIdentityHandlers } from "./workload-identity/internal/WorkloadIdentityHandlers.js"

/** The additions of a host to the API. */
export interface ServerOptions {
  /** More static routes without authentication, such as the documentation page. */
  readonly pages?: StaticRoutes.StaticRoutes
  /** Serves every path that is neither a static route nor below `/api/`; without it they are 404. */
  readonly site?: Site
  /** Updates metrics of the host; runs before each response of `/metrics`. */
  readonly measure?: Effect.Effect<void>
}

/** The handlers of every group of operations. */
const HANDLERS = [
  FlowHandlers,
  TrailHandlers,
  ArtifactHandlers,
  AttestationHandlers,
  AttestationTypeHandlers,
  AuditPackageHandlers,
  ApprovalHandlers,
  ControlHandlers,
  SearchHandlers,
  RepoHandlers,
  TagHandlers,
  PolicyAuthoringHandlers,
  PolicyLabHandlers,
  PolicyHandlers,
  EnvironmentHandlers,
  AllowListHandlers,
  ReportHandlers,
  SnapshotHandlers,
  NotificationConfigHandlers,
  EnvironmentNotificationHandlers,
  ActionHandlers,
  DeliveryHandlers,
  AssertionHandlers,
  FactHandlers,
  ServiceAccountHandlers,
  ApiKeyHandlers,
  PersonalKeyHandlers,
  MembershipHandlers,
  InvitationHandlers,
  TeamHandlers,
  SpaceHandlers,
  PlacementRuleHandlers,
  GrantHandlers,
  ScimUserHandlers,
  ScimGroupHandlers,
  ScimMetaHandlers,
  JournalHandlers,
  LogHandlers,
  ReceiptHandlers,
  CapsuleHandlers,
  ReleaseEvidenceHandlers,
  UserHandlers,
  OrgHandlers,
  MetaHandlers,
  SessionHandlers,
  SignInHandlers,
  WorkloadIdentityHandlers,
  EventHandlers,
  DeploymentHandlers,
  ComponentHandlers,
  ExposureHandlers,
  GraphHandlers,
  BuildHandlers,
  WaiverHandlers,
  ProtectionHandlers,
  BreakGlassHandlers,
  AgentAccountHandlers,
  TrustPolicyHandlers,
  EvidenceHandlers
] as const

/** Builds the function that serves every request. */
export const make = (options: ServerOptions = {}) =>
  Effect.gen(function* () {
    const others = yield* Effect.all(HANDLERS)
    const routes = [...RouteTable.routesOf(Api), ...RouteTable.routesOf(ScimApi)]
    // Proposals run the operations of the other groups.
    const proposals = yield* Effect.provideServiceEffect(
      ProposalHandlers,
      ProposedOperations,
      OperationRuns.make(routes, others)
    )
    const access = yield* AccessHandlers.make(routes)
    const groups = [...others, proposals, access]
    const staticRoutes = new Map([
      ...(yield* StaticRoutes.make(options.measure)),
      ...(options.pages ?? [])
    ])
    const dispatch = yield* Dispatcher.make(routes, groups, {
      staticRoutes,
      site: options.site
    })
    const served = yield* SignInSite.front(dispatch)
    return (yield* Reader) === undefined ? served : HandingOn.front(served)
  })
