/** The breadcrumbs of a page: the pages above it, with names of records. */
import type * as Route from "@attestry/web/Route"

export interface Crumb {
  readonly text: string
  readonly to: Route.Route | undefined
}

const step = (text: string, to?: Route.Route): Crumb => ({ text, to })

const LISTS: { readonly [tag in Route.Route["_tag"]]?: string } = {
  Overview: "Overview",
  Decaying: "Decays next",
  Start: "First steps",
  Diff: "Compare snapshots",
  Flows: "Flows",
  Artifacts: "Artifacts",
  Attestations: "Attestations",
  AttestationTypes: "Attestation types",
  Components: "Components",
  Evidence: "Evidence",
  Policies: "Policies",
  NewPolicy: "New policy",
  NewPolicyBacktest: "History test",
  AllowLists: "Allowed artifacts",
  TrustPolicy: "Trust policy",
  Waivers: "Waivers",
  NewWaiver: "Request a waiver",
  WaiverInbox: "Inbox",
  WaiverDebt: "Debt",
  WaiverSettings: "Settings",
  Proposals: "Proposals",
  Protections: "Protections",
  BreakGlass: "Break-glass",
  Controls: "Controls",
  Notifications: "Notifications",
  FailedDeliveries: "Failed deliveries",
  KeyExpiry: "Key expiry",
  SigningSecret: "Signing secret",
  WaiverExpiry: "Waiver expiry",
  Members: "Members",
  Teams: "Teams",
  Spaces: "Spaces",
  MoveThings: "Move things",
  PlacementRules: "Placement rules",
  AccessWho: "Who may",
  SignInSettings: "Sign-in",
  ServiceAccounts: "Service accounts",
  ApiKeys: "API keys",
  AuditLog: "Audit log",
  MembershipHistory: "Membership history",
  Erasures: "Erasures",
  Log: "Evidence log",
  Builds: "Builds",
  Deployments: "Deployments",
  ReleaseEvidence: "Release evidence",
  Repos: "Repositories",
  Search: "Search",
  WhereItRan: "Where it ran",
  Graph: "Graph",
  Preferences: "Preferences",
  CommandLine: "Command line",
  SignIn: "Sign in",
  SignedIn: "Signed in",
  Invitation: "Invitation"
}

const flowCrumbs = (org: string, flow: string): ReadonlyArray<Crumb> => [
  step("Flows", { _tag: "Flows", params: { org }, query: [] }),
  step(flow, { _tag: "Flow", params: { org, flow }, query: [] })
]

const environmentCrumbs = (org: string, environment: string): ReadonlyArray<Crumb> => [
  step("Overview", { _tag: "Overview", params: { org }, query: [] }),
  step(environment, { _tag: "Environment", params: { org, environment }, query: [] })
]

const LAST: { readonly [tag in Route.Route["_tag"]]?: string } = {
  Events: "Events",
  EnvironmentSettings: "Settings",
  FlowArtifacts: "Artifacts",
  FlowDeployments: "Deployments",
  FlowSettings: "Settings",
  PolicyBacktest: "History test",
  PolicyEditor: "Edit",
  ControlDecisions: "Decisions",
  ControlCoverage: "Coverage",
  ControlVersions: "Versions"
}

/** The list page of a record that belongs to no flow or environment. */
const listOf = (route: Route.Route): ReadonlyArray<Crumb> => {
  switch (route._tag) {
    case "Artifact":
    case "Attestations":
    case "AttestationTypes":
    case "Components":
    case "Evidence":
    case "WhereItRan":
    case "Graph":
      return [
        step("Artifacts", { _tag: "Artifacts", params: { org: route.params.org }, query: [] })
      ]
    case "Component": {
      const { org } = route.params
      return [step("Components", { _tag: "Components", params: { org }, query: [] })]
    }
    case "EvidenceDocument":
      return [step("Evidence", { _tag: "Evidence", params: { org: route.params.org }, query: [] })]
    case "AttestationType": {
      const { org } = route.params
      return [step("Attestation types", { _tag: "AttestationTypes", params: { org }, query: [] })]
    }
    case "NewPolicyBacktest": {
      const { org } = route.params
      return [
        step("Policies", { _tag: "Policies", params: { org }, query: [] }),
        step("New policy", { _tag: "NewPolicy", params: { org }, query: [] })
      ]
    }
    case "MoveThings":
    case "PlacementRules":
      return [step("Spaces", { _tag: "Spaces", params: { org: route.params.org }, query: [] })]
    case "AllowLists":
    case "TrustPolicy":
      return [step("Policies", { _tag: "Policies", params: { org: route.params.org }, query: [] })]
    case "NewWaiver":
    case "Waiver":
    case "WaiverDebt":
    case "WaiverInbox":
    case "WaiverSettings":
      return [step("Waivers", { _tag: "Waivers", params: { org: route.params.org }, query: [] })]
    case "Proposal":
    case "Protections":
    case "BreakGlass":
      return [
        step("Proposals", { _tag: "Proposals", params: { org: route.params.org }, query: [] })
      ]
    case "Decaying":
      return [step("Overview", { _tag: "Overview", params: { org: route.params.org }, query: [] })]
    case "Erasures":
    case "MembershipHistory":
      return [step("Audit log", { _tag: "AuditLog", params: { org: route.params.org }, query: [] })]
    case "Repo":
      return [step("Repositories", { _tag: "Repos", params: { org: route.params.org }, query: [] })]
    default:
      return []
  }
}

const above = (route: Route.Route): ReadonlyArray<Crumb> => {
  const { params } = route
  if ("environment" in params) return environmentCrumbs(params.org, params.environment)
  if ("flow" in params) return flowCrumbs(params.org, params.flow)
  if ("policy" in params) {
    const { org, policy } = params
    return [
      step("Policies", { _tag: "Policies", params: { org }, query: [] }),
      step(policy, { _tag: "Policy", params: { org, policy }, query: [] })
    ]
  }
  if ("identifier" in params) {
    const { org, identifier } = params
    return [
      step("Controls", { _tag: "Controls", params: { org }, query: [] }),
      step(identifier, { _tag: "Control", params: { org, identifier }, query: [] })
    ]
  }
  if ("account" in params) {
    const { org, account } = params
    return [
      step("Service accounts", { _tag: "ServiceAccounts", params: { org }, query: [] }),
      step(account)
    ]
  }
  if ("team" in params) {
    const { org, team } = params
    return [step("Teams", { _tag: "Teams", params: { org }, query: [] }), step(team)]
  }
  return listOf(route)
}

const last = (route: Route.Route): ReadonlyArray<Crumb> => {
  switch (route._tag) {
    case "Snapshot":
      return [step(`snapshot ${route.params.expression}`)]
    case "Trail":
      return [step(route.params.trail)]
    case "PolicyVersion":
      return [step(`version ${route.params.version}`)]
    case "Artifact":
    case "FlowArtifact":
      return [step(route.params.fingerprint.slice(0, 6))]
    case "Repo":
      return [step(route.params.repo)]
    case "AttestationType":
      return [step(route.params.type)]
    case "Component":
      return [step(route.params.purl)]
    case "EvidenceDocument":
      return [step(route.params.digest.slice(0, 6))]
    case "Waiver":
      return [step(`waiver ${route.params.number}`)]
    case "Proposal":
      return [step(`proposal ${route.params.number}`)]
    case "Notification":
      return [step(`notification ${route.params.number}`)]
    case "NotFound":
      return [step("Not found")]
    default: {
      const text = LAST[route._tag] ?? LISTS[route._tag]
      return text === undefined ? [] : [step(text)]
    }
  }
}

/** The breadcrumbs of a route; the last one is the page itself. */
export const crumbsOf = (route: Route.Route): ReadonlyArray<Crumb> => [
  ...above(route),
  ...last(route)
]
