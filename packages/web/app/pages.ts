/** The page of each route. Pages are loaded on demand; the application itself renders home and sign-in. */
import type * as Route from "@attestry/web/Route"
import type { ComponentType } from "preact"

/** The props of a page. */
export interface PageProps<R extends Route.Route = Route.Route> {
  readonly route: R
}

type Loader<T extends Route.Tag> = () => Promise<
  ComponentType<PageProps<Route.RouteOf<T> & Route.Route>>
>

/** Loaders of pages by route name. */
export const PAGES: { readonly [T in Exclude<Route.Tag, "Home">]: Loader<T> } = {
  ApiKeys: () => import("./api-key/ApiKeysPage.js").then(({ ApiKeysPage }) => ApiKeysPage),
  AccessWho: () => import("./access/WhoPage.js").then(({ WhoPage }) => WhoPage),
  AllowLists: () =>
    import("./allow-list/AllowListsPage.js").then(({ AllowListsPage }) => AllowListsPage),
  Artifact: () => import("./artifact/ArtifactPage.js").then(({ ArtifactPage }) => ArtifactPage),
  Artifacts: () => import("./artifact/ArtifactsPage.js").then(({ ArtifactsPage }) => ArtifactsPage),
  AttestationType: () =>
    import("./attestation/AttestationTypePage.js").then(
      ({ AttestationTypePage }) => AttestationTypePage
    ),
  AttestationTypes: () =>
    import("./attestation/AttestationTypesPage.js").then(
      ({ AttestationTypesPage }) => AttestationTypesPage
    ),
  Attestations: () =>
    import("./attestation/AttestationsPage.js").then(({ AttestationsPage }) => AttestationsPage),
  AuditLog: () => import("./journal/JournalPage.js").then(({ JournalPage }) => JournalPage),
  Builds: () => import("./build/BuildsPage.js").then(({ BuildsPage }) => BuildsPage),
  Component: () =>
    import("./component/ComponentPage.js").then(({ ComponentPage }) => ComponentPage),
  Components: () =>
    import("./component/ComponentsPage.js").then(({ ComponentsPage }) => ComponentsPage),
  Control: () => import("./control/ControlPage.js").then(({ ControlPage }) => ControlPage),
  ControlCoverage: () =>
    import("./control/ControlPage.js").then(({ ControlCoveragePage }) => ControlCoveragePage),
  ControlDecisions: () =>
    import("./control/ControlPage.js").then(({ ControlDecisionsPage }) => ControlDecisionsPage),
  ControlVersions: () =>
    import("./control/ControlPage.js").then(({ ControlVersionsPage }) => ControlVersionsPage),
  Controls: () => import("./control/ControlsPage.js").then(({ ControlsPage }) => ControlsPage),
  Decaying: () => import("./environment/DecayingPage.js").then(({ DecayingPage }) => DecayingPage),
  Deployments: () =>
    import("./deployment/DeploymentsPage.js").then(({ DeploymentsPage }) => DeploymentsPage),
  Diff: () => import("./snapshot/DiffPage.js").then(({ DiffPage }) => DiffPage),
  Environment: () => import("./snapshot/SnapshotPage.js").then(({ SnapshotPage }) => SnapshotPage),
  EnvironmentSettings: () =>
    import("./environment/EnvironmentSettingsPage.js").then(
      ({ EnvironmentSettingsPage }) => EnvironmentSettingsPage
    ),
  Erasures: () => import("./erasure/ErasuresPage.js").then(({ ErasuresPage }) => ErasuresPage),
  Evidence: () => import("./evidence/EvidencePage.js").then(({ EvidencePage }) => EvidencePage),
  EvidenceDocument: () =>
    import("./evidence/EvidenceDocumentPage.js").then(
      ({ EvidenceDocumentPage }) => EvidenceDocumentPage
    ),
  CommandLine: () =>
    import("./session/CommandLinePage.js").then(({ CommandLinePage }) => CommandLinePage),
  Events: () => import("./environment/EventsPage.js").then(({ EventsPage }) => EventsPage),
  FailedDeliveries: () =>
    import("./notification/FailedDeliveriesPage.js").then(
      ({ FailedDeliveriesPage }) => FailedDeliveriesPage
    ),
  Flow: () => import("./flow/FlowPage.js").then(({ FlowPage }) => FlowPage),
  FlowArtifact: () =>
    import("./artifact/FlowArtifactPage.js").then(({ FlowArtifactPage }) => FlowArtifactPage),
  FlowArtifacts: () =>
    import("./flow/FlowArtifactsPage.js").then(({ FlowArtifactsPage }) => FlowArtifactsPage),
  FlowDeployments: () =>
    import("./flow/FlowDeploymentsPage.js").then(({ FlowDeploymentsPage }) => FlowDeploymentsPage),
  FlowSettings: () =>
    import("./flow/FlowSettingsPage.js").then(({ FlowSettingsPage }) => FlowSettingsPage),
  Flows: () => import("./flow/FlowsPage.js").then(({ FlowsPage }) => FlowsPage),
  Invitation: () =>
    import("./invitation/InvitationPage.js").then(({ InvitationPage }) => InvitationPage),
  Graph: () => import("./exposure/GraphPage.js").then(({ GraphPage }) => GraphPage),
  KeyExpiry: () =>
    import("./notification/ExpiryPage.js").then(({ KeyExpiryPage }) => KeyExpiryPage),
  Log: () => import("./log/LogPage.js").then(({ LogPage }) => LogPage),
  Members: () => import("./membership/MembersPage.js").then(({ MembersPage }) => MembersPage),
  MembershipHistory: () =>
    import("./journal/MembershipHistoryPage.js").then(
      ({ MembershipHistoryPage }) => MembershipHistoryPage
    ),
  NewPolicy: () =>
    import("./policy/PolicyEditorPage.js").then(({ NewPolicyPage }) => NewPolicyPage),
  NewPolicyBacktest: () =>
    import("./policy/backtest/BacktestPage.js").then(
      ({ NewPolicyBacktestPage }) => NewPolicyBacktestPage
    ),
  NewWaiver: () => import("./waiver/NewWaiverPage.js").then(({ NewWaiverPage }) => NewWaiverPage),
  Notification: () =>
    import("./notification/NotificationPage.js").then(({ NotificationPage }) => NotificationPage),
  Notifications: () =>
    import("./notification/NotificationsPage.js").then(
      ({ NotificationsPage }) => NotificationsPage
    ),
  Overview: () => import("./environment/OverviewPage.js").then(({ OverviewPage }) => OverviewPage),
  Policies: () => import("./policy/PoliciesPage.js").then(({ PoliciesPage }) => PoliciesPage),
  Policy: () => import("./policy/PolicyPage.js").then(({ PolicyPage }) => PolicyPage),
  PolicyBacktest: () =>
    import("./policy/backtest/BacktestPage.js").then(
      ({ PolicyBacktestPage }) => PolicyBacktestPage
    ),
  PolicyEditor: () =>
    import("./policy/PolicyEditorPage.js").then(({ PolicyEditorPage }) => PolicyEditorPage),
  PolicyVersion: () =>
    import("./policy/PolicyVersionPage.js").then(({ PolicyVersionPage }) => PolicyVersionPage),
  Preferences: () =>
    import("./preferences/PreferencesPage.js").then(({ PreferencesPage }) => PreferencesPage),
  Proposal: () => import("./proposal/ProposalPage.js").then(({ ProposalPage }) => ProposalPage),
  Proposals: () => import("./proposal/ProposalsPage.js").then(({ ProposalsPage }) => ProposalsPage),
  BreakGlass: () =>
    import("./break-glass/BreakGlassPage.js").then(({ BreakGlassPage }) => BreakGlassPage),
  Protections: () =>
    import("./protection/ProtectionsPage.js").then(({ ProtectionsPage }) => ProtectionsPage),
  ReleaseEvidence: () =>
    import("./release-evidence/ReleaseEvidencePage.js").then(
      ({ ReleaseEvidencePage }) => ReleaseEvidencePage
    ),
  Repo: () => import("./repo/RepoPage.js").then(({ RepoPage }) => RepoPage),
  Repos: () => import("./repo/ReposPage.js").then(({ ReposPage }) => ReposPage),
  Search: () => import("./search/SearchPage.js").then(({ SearchPage }) => SearchPage),
  ServiceAccount: () =>
    import("./service-account/ServiceAccountPage.js").then(
      ({ ServiceAccountPage }) => ServiceAccountPage
    ),
  SignIn: () => import("./session/SignInPage.js").then(({ SignInPage }) => SignInPage),
  SignedIn: () => import("./session/SignedInPage.js").then(({ SignedInPage }) => SignedInPage),
  SignInSettings: () =>
    import("./sign-in/SignInSettingsPage.js").then(({ SignInSettingsPage }) => SignInSettingsPage),
  ServiceAccounts: () =>
    import("./service-account/ServiceAccountsPage.js").then(
      ({ ServiceAccountsPage }) => ServiceAccountsPage
    ),
  SigningSecret: () =>
    import("./notification/SigningSecretPage.js").then(
      ({ SigningSecretPage }) => SigningSecretPage
    ),
  Snapshot: () => import("./snapshot/SnapshotPage.js").then(({ SnapshotPage }) => SnapshotPage),
  Spaces: () => import("./space/SpacesPage.js").then(({ SpacesPage }) => SpacesPage),
  MoveThings: () => import("./space/MovePage.js").then(({ MovePage }) => MovePage),
  PlacementRules: () =>
    import("./space/PlacementPage.js").then(({ PlacementPage }) => PlacementPage),
  Start: () => import("./start/StartPage.js").then(({ StartPage }) => StartPage),
  Team: () => import("./team/TeamPage.js").then(({ TeamPage }) => TeamPage),
  Teams: () => import("./team/TeamsPage.js").then(({ TeamsPage }) => TeamsPage),
  Trail: () => import("./trail/TrailPage.js").then(({ TrailPage }) => TrailPage),
  TrustPolicy: () =>
    import("./trust-policy/TrustPolicyPage.js").then(({ TrustPolicyPage }) => TrustPolicyPage),
  Waiver: () => import("./waiver/WaiverPage.js").then(({ WaiverPage }) => WaiverPage),
  WaiverDebt: () =>
    import("./waiver/WaiverDebtPage.js").then(({ WaiverDebtPage }) => WaiverDebtPage),
  WaiverExpiry: () =>
    import("./notification/ExpiryPage.js").then(({ WaiverExpiryPage }) => WaiverExpiryPage),
  WaiverInbox: () =>
    import("./waiver/WaiverInboxPage.js").then(({ WaiverInboxPage }) => WaiverInboxPage),
  WaiverSettings: () =>
    import("./waiver/WaiverSettingsPage.js").then(({ WaiverSettingsPage }) => WaiverSettingsPage),
  Waivers: () => import("./waiver/WaiversPage.js").then(({ WaiversPage }) => WaiversPage),
  WhereItRan: () =>
    import("./exposure/WhereItRanPage.js").then(({ WhereItRanPage }) => WhereItRanPage)
}
