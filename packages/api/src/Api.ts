/** The contract: every operation, under the prefix `/api/v2`. SPEC §9.1 */
import * as HttpApi from "@effect/platform/HttpApi"
import * as OpenApi from "@effect/platform/OpenApi"
import { AccessApi } from "./access/AccessApi.js"
import { AllowListApi } from "./allow-list/AllowListApi.js"
import { ApiKeyApi } from "./api-key/ApiKeyApi.js"
import { PersonalKeyApi } from "./api-key/PersonalKeyApi.js"
import { ApprovalApi } from "./approval/ApprovalApi.js"
import { ArtifactApi } from "./artifact/ArtifactApi.js"
import { AgentAccountApi } from "./attestation/AgentAccountApi.js"
import { AttestationApi } from "./attestation/AttestationApi.js"
import { AttestationTypeApi } from "./attestation-type/AttestationTypeApi.js"
import { AuditPackageApi } from "./audit-package/AuditPackageApi.js"
import { BreakGlassApi } from "./break-glass/BreakGlassApi.js"
import { BuildApi } from "./build/BuildApi.js"
import { CapsuleApi } from "./capsule/CapsuleApi.js"
import { ComponentApi } from "./component/ComponentApi.js"
import { ControlApi } from "./control/ControlApi.js"
import { DeploymentApi } from "./deployment/DeploymentApi.js"
import { EnvironmentApi } from "./environment/EnvironmentApi.js"
import { EventApi } from "./environment-events/EventApi.js"
import { EvidenceApi } from "./evidence/EvidenceApi.js"
import { ExposureApi } from "./exposure/ExposureApi.js"
import { GraphApi } from "./exposure/GraphApi.js"
import { FlowApi } from "./flow/FlowApi.js"
import { GrantApi } from "./grant/GrantApi.js"
import { PolicyLabApi } from "./history/PolicyLabApi.js"
import { InvitationApi } from "./invitation/InvitationApi.js"
import { JournalApi } from "./journal/JournalApi.js"
import { LogApi } from "./log/LogApi.js"
import { MembershipApi } from "./membership/MembershipApi.js"
import { UserApi } from "./membership/UserApi.js"
import { MetaApi } from "./meta/MetaApi.js"
import { ActionApi } from "./notification/ActionApi.js"
import { DeliveryApi } from "./notification/DeliveryApi.js"
import { EnvironmentNotificationApi } from "./notification/EnvironmentNotificationApi.js"
import { NotificationConfigApi } from "./notification/NotificationConfigApi.js"
import { OrgApi } from "./org/OrgApi.js"
import { PolicyApi } from "./policy/PolicyApi.js"
import { PolicyAuthoringApi } from "./policy/PolicyAuthoringApi.js"
import { ProposalApi } from "./proposal/ProposalApi.js"
import { ProtectionApi } from "./protection/ProtectionApi.js"
import { ReceiptApi } from "./receipt/ReceiptApi.js"
import { ReleaseEvidenceApi } from "./release-evidence/ReleaseEvidenceApi.js"
import { RepoApi } from "./repo/RepoApi.js"
import { ReportApi } from "./report/ReportApi.js"
import { SearchApi } from "./search/SearchApi.js"
import { ServiceAccountApi } from "./service-account/ServiceAccountApi.js"
import { SessionApi } from "./session/SessionApi.js"
import * as HttpError from "./shared/HttpError.js"
import { SignInApi } from "./sign-in/SignInApi.js"
import { AssertionApi } from "./snapshot/AssertionApi.js"
import { FactApi } from "./snapshot/FactApi.js"
import { SnapshotApi } from "./snapshot/SnapshotApi.js"
import { PlacementRuleApi } from "./space/PlacementRuleApi.js"
import { SpaceApi } from "./space/SpaceApi.js"
import { TagApi } from "./tag/TagApi.js"
import { TeamApi } from "./team/TeamApi.js"
import { TrailApi } from "./trail/TrailApi.js"
import { TrustPolicyApi } from "./trust-policy/TrustPolicyApi.js"
import { WaiverApi } from "./waiver/WaiverApi.js"
import { WorkloadIdentityApi } from "./workload-identity/WorkloadIdentityApi.js"

/** The contract, which the handlers, the document and the client share. */
export class Api extends HttpApi.make("attestry")
  .add(FlowApi)
  .add(TrailApi)
  .add(ArtifactApi)
  .add(AttestationApi)
  .add(AttestationTypeApi)
  .add(AuditPackageApi)
  .add(ApprovalApi)
  .add(ControlApi)
  .add(SearchApi)
  .add(RepoApi)
  .add(TagApi)
  .add(PolicyApi)
  .add(PolicyAuthoringApi)
  .add(PolicyLabApi)
  .add(EnvironmentApi)
  .add(AllowListApi)
  .add(ReportApi)
  .add(SnapshotApi)
  .add(NotificationConfigApi)
  .add(EnvironmentNotificationApi)
  .add(ActionApi)
  .add(DeliveryApi)
  .add(AssertionApi)
  .add(FactApi)
  .add(ServiceAccountApi)
  .add(ApiKeyApi)
  .add(PersonalKeyApi)
  .add(MembershipApi)
  .add(InvitationApi)
  .add(TeamApi)
  .add(SpaceApi)
  .add(PlacementRuleApi)
  .add(GrantApi)
  .add(AccessApi)
  .add(JournalApi)
  .add(LogApi)
  .add(ReceiptApi)
  .add(CapsuleApi)
  .add(ReleaseEvidenceApi)
  .add(UserApi)
  .add(OrgApi)
  .add(MetaApi)
  .add(SessionApi)
  .add(SignInApi)
  .add(WorkloadIdentityApi)
  .add(EventApi)
  .add(DeploymentApi)
  .add(ExposureApi)
  .add(GraphApi)
  .add(BuildApi)
  .add(EvidenceApi)
  .add(ComponentApi)
  .add(WaiverApi)
  .add(ProtectionApi)
  .add(ProposalApi)
  .add(BreakGlassApi)
  .add(AgentAccountApi)
  .add(TrustPolicyApi)
  .addError(HttpError.BadRequest.Body)
  .addError(HttpError.Unauthorized.Body)
  .addError(HttpError.Forbidden.Body)
  .addError(HttpError.NotFound.Body)
  .addError(HttpError.PayloadTooLarge.Body)
  .addError(HttpError.UnsupportedMediaType.Body)
  .addError(HttpError.UnprocessableContent.Body)
  .addError(HttpError.TooManyRequests.Body)
  .addError(HttpError.Unavailable.Body)
  .prefix("/api/v2")
  .annotate(OpenApi.Title, "Attestry")
  .annotate(OpenApi.Version, "2.0")
  .annotate(
    OpenApi.Description,
    "Records software artifacts, the evidence about them, and the artifacts that run in " +
      "environments; evaluates compliance."
  )
  .annotate(OpenApi.License, {
    name: "Apache-2.0",
    url: "https://www.apache.org/licenses/LICENSE-2.0"
  }) {}
