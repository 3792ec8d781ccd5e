/** Every use case in one layer. The host provides a store, ids and secrets. */

import * as Layer from "effect/Layer"
import { DeniedAttempts } from "./access/DeniedAttempts.js"
import { DryRuns } from "./access/DryRuns.js"
import { AccessEpoch } from "./access/internal/AccessEpoch.js"
import { Reaches } from "./access/Reaches.js"
import { AccessQuestions } from "./access-control/AccessQuestions.js"
import { Grants } from "./access-control/Grants.js"
import { AccessStates } from "./access-control/internal/AccessStates.js"
import { GrantSubjects } from "./access-control/internal/GrantSubjects.js"
import { Things } from "./access-control/internal/Things.js"
import { Moves } from "./access-control/Moves.js"
import { PlacementRules } from "./access-control/PlacementRules.js"
import { Spaces } from "./access-control/Spaces.js"
import { AllowLists } from "./allow-list/AllowLists.js"
import { ApiKeys } from "./api-key/ApiKeys.js"
import { OrgKeys } from "./api-key/OrgKeys.js"
import { PersonalKeys } from "./api-key/PersonalKeys.js"
import { ServiceAccountKeys } from "./api-key/ServiceAccountKeys.js"
import { Approvals } from "./approval/Approvals.js"
import { Artifacts } from "./artifact/Artifacts.js"
import { AgentSettings } from "./attestation/AgentSettings.js"
import { Attestations } from "./attestation/Attestations.js"
import { AttestationTypes } from "./attestation-type/AttestationTypes.js"
import { AuditPackages } from "./audit-package/AuditPackages.js"
import { PackageReceipts } from "./audit-package/PackageReceipts.js"
import { SnapshotPackages } from "./audit-package/SnapshotPackages.js"
import { BreakGlasses } from "./break-glass/BreakGlasses.js"
import { Builds } from "./build/Builds.js"
import { Capsules } from "./capsule/Capsules.js"
import { AttestationViews } from "./compliance/AttestationViews.js"
import { TrailEvaluator } from "./compliance/internal/TrailEvaluator.js"
import { Components } from "./component/Components.js"
import { Controls } from "./control/Controls.js"
import { ControlViews } from "./control/ControlViews.js"
import { Deployments } from "./deployment/Deployments.js"
import { LiveArtifacts } from "./deployment/LiveArtifacts.js"
import { Environments } from "./environment/Environments.js"
import { AttachedPolicies } from "./environment/internal/AttachedPolicies.js"
import * as ControlUses from "./environment/internal/ControlUses.js"
import { PolicyAttachments } from "./environment/PolicyAttachments.js"
import { UpToDateEnvironments } from "./environment/UpToDateEnvironments.js"
import { EvidenceEntries } from "./environment-events/EvidenceEntries.js"
import { SnapshotEvents } from "./environment-events/SnapshotEvents.js"
import { SubjectNames } from "./environment-events/SubjectNames.js"
import { EvidenceJudgements } from "./evidence/EvidenceJudgements.js"
import { Evidences } from "./evidence/Evidences.js"
import { EvidenceViews } from "./evidence/EvidenceViews.js"
import * as WaitingEvidence from "./evidence/internal/WaitingEvidence.js"
import { Exposures } from "./exposure/Exposures.js"
import { Graphs } from "./exposure/Graphs.js"
import { Flows } from "./flow/Flows.js"
import { GrantRecords } from "./grant/internal/GrantRecords.js"
import { ArtifactRuns } from "./history/ArtifactRuns.js"
import { ArtifactViews } from "./history/ArtifactViews.js"
import { Assertions } from "./history/Assertions.js"
import { AttestationLists } from "./history/AttestationLists.js"
import { EnvironmentViews } from "./history/EnvironmentViews.js"
import { FlowOverviews } from "./history/FlowOverviews.js"
import { RunningFacts } from "./history/RunningFacts.js"
import { SnapshotViews } from "./history/SnapshotViews.js"
import { TrailViews } from "./history/TrailViews.js"
import { Idempotency } from "./idempotency/Idempotency.js"
import { Acceptances } from "./invitation/Acceptances.js"
import { Invitations } from "./invitation/Invitations.js"
import { Journals } from "./journal/Journals.js"
import { JournalViews } from "./journal/JournalViews.js"
import { EntryIds } from "./log/EntryIds.js"
import { LogCheckpoints } from "./log/LogCheckpoints.js"
import { LogEpochs } from "./log/LogEpochs.js"
import { LogKeys } from "./log/LogKeys.js"
import { LogReferences } from "./log/LogReferences.js"
import { LogSequencer } from "./log/LogSequencer.js"
import { LogVerification } from "./log/LogVerification.js"
import { LogViews } from "./log/LogViews.js"
import { PublicLogs } from "./log/PublicLogs.js"
import { DefaultOrgs } from "./membership/DefaultOrgs.js"
import { Memberships } from "./membership/Memberships.js"
import { OrgMembers } from "./membership/OrgMembers.js"
import { Actions } from "./notification/Actions.js"
import { ApiKeyExpiryScan } from "./notification/ApiKeyExpiryScan.js"
import { DeadLetters } from "./notification/DeadLetters.js"
import { EmergencyKeyUses } from "./notification/EmergencyKeyUses.js"
import { EnvironmentDecayScan } from "./notification/EnvironmentDecayScan.js"
import { EnvironmentNotifications } from "./notification/EnvironmentNotifications.js"
import { FailedDeliveries } from "./notification/FailedDeliveries.js"
import * as AccessNotifier from "./notification/internal/AccessNotifier.js"
import { layerListener, SnapshotNotifier } from "./notification/internal/SnapshotNotifier.js"
import * as TrailNotifier from "./notification/internal/TrailNotifier.js"
import { NotificationConfigs } from "./notification/NotificationConfigs.js"
import { SigningSecrets } from "./notification/SigningSecrets.js"
import { TeamDeliveries } from "./notification/TeamDeliveries.js"
import { TeamReach } from "./notification/TeamReach.js"
import { WaiverExpiryScan } from "./notification/WaiverExpiryScan.js"
import { Orgs } from "./org/Orgs.js"
import { OrgViews } from "./org/OrgViews.js"
import type { Ports } from "./Ports.js"
import { Policies } from "./policy/Policies.js"
import { PolicySets } from "./policy/PolicySets.js"
import { Proposals } from "./proposal/Proposals.js"
import { HeldChanges } from "./protection/internal/HeldChanges.js"
import { Protections } from "./protection/Protections.js"
import { Receipts } from "./receipt/Receipts.js"
import { ReleaseEvidences } from "./release-evidence/ReleaseEvidences.js"
import { Repos } from "./repo/Repos.js"
import { Reports } from "./report/Reports.js"
import { ScimGroups } from "./scim/ScimGroups.js"
import { ScimUsers } from "./scim/ScimUsers.js"
import { ServiceAccounts } from "./service-account/ServiceAccounts.js"
import { Sessions } from "./session/Sessions.js"
import type { IdGenerator } from "./shared/IdGenerator.js"
import type { Secrets } from "./shared/Secrets.js"
import { HostActors } from "./sign-in/HostActors.js"
import { Identities } from "./sign-in/Identities.js"
import { SignInRules } from "./sign-in/SignInRules.js"
import { SignIns } from "./sign-in/SignIns.js"
import { ArtifactFacts } from "./snapshot/ArtifactFacts.js"
import { ControlMatrices } from "./snapshot/ControlMatrices.js"
import { EnvironmentOverviews } from "./snapshot/EnvironmentOverviews.js"
import { DecayForecasts } from "./snapshot/internal/DecayForecasts.js"
import { DueEvaluations } from "./snapshot/internal/DueEvaluations.js"
import { LogicalSnapshots } from "./snapshot/internal/LogicalSnapshots.js"
import { MemberChanges } from "./snapshot/internal/MemberChanges.js"
import { Moments } from "./snapshot/internal/Moments.js"
import { Silences } from "./snapshot/internal/Silences.js"
import { SnapshotHistory } from "./snapshot/internal/SnapshotHistory.js"
import { Reevaluations } from "./snapshot/Reevaluations.js"
import { RowEvidence } from "./snapshot/RowEvidence.js"
import { Snapshots } from "./snapshot/Snapshots.js"
import { Timelines } from "./snapshot/Timelines.js"
import { OrgSpaces } from "./space/internal/OrgSpaces.js"
import { PlaceRecords } from "./space/internal/PlaceRecords.js"
import { Placements } from "./space/Placements.js"
import { TeamRecords } from "./team/internal/TeamRecords.js"
import { Teams } from "./team/Teams.js"
import { Trails } from "./trail/Trails.js"
import { TrustPolicies } from "./trust-policy/TrustPolicies.js"
import { Erasures } from "./verification/Erasures.js"
import { RecordVerification } from "./verification/RecordVerification.js"
import { WaiverRecords } from "./waiver/internal/WaiverRecords.js"
import { WaiverTerms } from "./waiver/internal/WaiverTerms.js"
import { Waivers } from "./waiver/Waivers.js"
import { WaiverViews } from "./waiver/WaiverViews.js"
import { IdentityRules } from "./workload-identity/IdentityRules.js"
import { IssuerRefresh } from "./workload-identity/IssuerRefresh.js"
import { TokenExchanges } from "./workload-identity/TokenExchanges.js"

/** Every use case. */
export type UseCases =
  | ApiKeys
  | DefaultOrgs
  | DryRuns
  | DeniedAttempts
  | Idempotency
  | OrgKeys
  | PersonalKeys
  | EmergencyKeyUses
  | ServiceAccountKeys
  | ServiceAccounts
  | Sessions
  | Identities
  | SignInRules
  | HostActors
  | SignIns
  | IdentityRules
  | IssuerRefresh
  | TokenExchanges
  | Approvals
  | ArtifactRuns
  | Artifacts
  | ArtifactViews
  | AgentSettings
  | Attestations
  | AttestationTypes
  | AttestationViews
  | AuditPackages
  | PackageReceipts
  | SnapshotPackages
  | ControlMatrices
  | Controls
  | ControlViews
  | EntryIds
  | EvidenceJudgements
  | Components
  | Evidences
  | EvidenceViews
  | Environments
  | Erasures
  | Flows
  | Journals
  | JournalViews
  | LogCheckpoints
  | LogEpochs
  | LogKeys
  | LogSequencer
  | LogVerification
  | LogViews
  | Memberships
  | OrgMembers
  | Invitations
  | Acceptances
  | Teams
  | Grants
  | AccessQuestions
  | Moves
  | PlacementRules
  | Placements
  | Reaches
  | Spaces
  | ScimGroups
  | ScimUsers
  | Orgs
  | AttestationLists
  | EnvironmentViews
  | RunningFacts
  | SnapshotViews
  | OrgViews
  | Policies
  | PolicyAttachments
  | PublicLogs
  | RecordVerification
  | Reevaluations
  | Receipts
  | Capsules
  | ReleaseEvidences
  | Reports
  | Repos
  | AllowLists
  | ArtifactFacts
  | Assertions
  | Deployments
  | Exposures
  | Graphs
  | LiveArtifacts
  | Builds
  | FlowOverviews
  | EvidenceEntries
  | SnapshotEvents
  | SubjectNames
  | EnvironmentOverviews
  | Snapshots
  | Timelines
  | NotificationConfigs
  | Actions
  | EnvironmentNotifications
  | SigningSecrets
  | ApiKeyExpiryScan
  | EnvironmentDecayScan
  | WaiverExpiryScan
  | DeadLetters
  | FailedDeliveries
  | TeamDeliveries
  | Trails
  | TrailViews
  | TrustPolicies
  | Waivers
  | WaiverViews
  | Protections
  | Proposals
  | BreakGlasses

const everything = Layer.mergeAll(
  AuditPackages.Default.pipe(
    Layer.provide(Layer.mergeAll(ArtifactViews.Default, FlowOverviews.Default, TrailViews.Default))
  ),
  DefaultOrgs.Default,
  Layer.mergeAll(
    Spaces.Default,
    PlacementRules.Default,
    Grants.Default,
    Moves.Default,
    AccessQuestions.Default
  ).pipe(
    Layer.provide(Layer.mergeAll(GrantSubjects.Default, Things.Default, AccessStates.Default))
  ),
  Layer.merge(Protections.Default, BreakGlasses.Default),
  Proposals.Default.pipe(Layer.provideMerge(DryRuns.Default)),
  DeniedAttempts.Default,
  Idempotency.Default,
  Layer.merge(ServiceAccountKeys.Default, PersonalKeys.Default),
  IdentityRules.Default,
  Layer.mergeAll(IssuerRefresh.Default, TokenExchanges.Default, Approvals.Default),
  ArtifactRuns.Default,
  ArtifactViews.Default,
  Layer.mergeAll(
    EvidenceJudgements.Default,
    Components.Default,
    Evidences.Default,
    EvidenceViews.Default,
    Artifacts.Default
  ).pipe(
    Layer.provide(WaitingEvidence.layer),
    Layer.provide(WaitingEvidence.WaitingEvidence.Default),
    Layer.provideMerge(Attestations.Default)
  ),
  Layer.mergeAll(ControlMatrices.Default, Controls.Default, ControlViews.Default),
  Environments.Default,
  Layer.mergeAll(
    Erasures.Default,
    JournalViews.Default,
    SubjectNames.Default,
    LogEpochs.Default,
    LogVerification.Default,
    ReleaseEvidences.Default,
    Layer.merge(SnapshotPackages.Default, Capsules.Default).pipe(
      Layer.provideMerge(Layer.merge(PackageReceipts.Default, SnapshotEvents.Default)),
      Layer.provideMerge(Receipts.Default),
      Layer.provide(Layer.mergeAll(LogReferences.Default, Assertions.Default, Snapshots.Default))
    )
  ).pipe(
    Layer.provideMerge(EvidenceEntries.Default),
    Layer.provideMerge(LogViews.Default),
    Layer.provideMerge(Layer.merge(EntryIds.Default, LogCheckpoints.Default)),
    Layer.provideMerge(LogKeys.Default),
    Layer.provideMerge(LogSequencer.Default)
  ),
  RecordVerification.Default,
  Layer.mergeAll(
    OrgMembers.Default,
    Invitations.Default,
    Acceptances.Default,
    ScimUsers.Default,
    ScimGroups.Default,
    SignIns.Default,
    SignInRules.Default,
    HostActors.Default
  ).pipe(
    Layer.provideMerge(
      Layer.mergeAll(Memberships.Default, Sessions.Default, Teams.Default, Identities.Default)
    ),
    Layer.provide(TeamRecords.Default)
  ),
  Layer.mergeAll(Orgs.Default, OrgViews.Default, PublicLogs.Default),
  Policies.Default,
  Reports.Default,
  PolicyAttachments.Default,
  AllowLists.Default,
  ArtifactFacts.Default.pipe(Layer.provide(Snapshots.Default)),
  Assertions.Default,
  Deployments.Default,
  Exposures.Default,
  Graphs.Default,
  LiveArtifacts.Default,
  Builds.Default,
  FlowOverviews.Default,
  EnvironmentOverviews.Default,
  Snapshots.Default,
  RunningFacts.Default.pipe(Layer.provide(ArtifactFacts.Default), Layer.provide(Snapshots.Default)),
  SnapshotViews.Default.pipe(Layer.provide(Snapshots.Default)),
  AttestationLists.Default,
  EnvironmentViews.Default.pipe(Layer.provide(Environments.Default)),
  Timelines.Default,
  NotificationConfigs.Default,
  Actions.Default.pipe(Layer.provideMerge(EnvironmentNotifications.Default)),
  SigningSecrets.Default,
  Layer.mergeAll(ApiKeyExpiryScan.Default, WaiverExpiryScan.Default, EmergencyKeyUses.Default),
  EnvironmentDecayScan.Default.pipe(Layer.provide(DecayForecasts.Default)),
  FailedDeliveries.Default.pipe(Layer.provideMerge(DeadLetters.Default)),
  TeamDeliveries.Default,
  TrailViews.Default,
  Layer.merge(TrustPolicies.Default, AgentSettings.Default),
  Waivers.Default.pipe(Layer.provide(Layer.merge(WaiverRecords.Default, WaiverTerms.Default))),
  WaiverViews.Default
)

/** Every use case, on the store that the host provides. */
export const layer: Layer.Layer<UseCases, never, Ports | Secrets | IdGenerator> = everything
  .pipe(
    Layer.provide(UpToDateEnvironments.Default),
    Layer.provide(AttachedPolicies.Default),
    Layer.provideMerge(Reevaluations.Default),
    Layer.provide(DueEvaluations.Default),
    Layer.provide(Silences.Default),
    Layer.provide(SnapshotHistory.Default),
    Layer.provide(LogicalSnapshots.Default),
    Layer.provide(layerListener),
    Layer.provide(SnapshotNotifier.Default),
    Layer.provide(MemberChanges.Default),
    Layer.provide(Layer.mergeAll(PolicySets.Default, RowEvidence.Default, Moments.Default))
  )
  .pipe(
    Layer.provideMerge(AttestationViews.Default),
    Layer.provideMerge(AttestationTypes.Default),
    Layer.provide(ControlUses.layer),
    Layer.provideMerge(Trails.Default),
    Layer.provide(Layer.merge(TrailEvaluator.Default, TrailNotifier.layer)),
    Layer.provideMerge(Repos.Default),
    Layer.provideMerge(Flows.Default),
    Layer.provideMerge(ApiKeys.Default),
    Layer.provideMerge(Layer.merge(ServiceAccounts.Default, OrgKeys.Default)),
    Layer.provideMerge(Placements.Default),
    Layer.provideMerge(Reaches.Default),
    Layer.provide(TeamReach.Default),
    Layer.provide(Layer.mergeAll(OrgSpaces.Default, PlaceRecords.Default, GrantRecords.Default)),
    Layer.provideMerge(AccessEpoch.Default),
    Layer.provide(Layer.merge(HeldChanges.Default, AccessNotifier.layer)),
    Layer.provideMerge(Journals.Default)
  )
