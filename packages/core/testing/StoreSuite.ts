/**
 * The contract of a whole store as tests: every port, on one layer.
 *
 * Use cases run on a store that passes. Tests create their own orgs, so the store need not be empty, and
 * nothing is removed from it.
 */
import type { Ports } from "@attestry/core/Ports"
import { layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type DamagedRecordsSuiteOptions, damagedRecordsSuite } from "./DamagedRecordsSuite.js"
import type { SuiteOptions } from "./Suite.js"
import { agentAccountStoreSuite } from "./suite/AgentAccountStoreSuite.js"
import { allowListsSuite } from "./suite/AllowListsSuite.js"
import { apiKeysSuite } from "./suite/ApiKeysSuite.js"
import { approvalStoreSuite } from "./suite/ApprovalStoreSuite.js"
import { artifactStoreSuite } from "./suite/ArtifactStoreSuite.js"
import { attachmentStoreSuite } from "./suite/AttachmentStoreSuite.js"
import { attestationStoreSuite } from "./suite/AttestationStoreSuite.js"
import { breakGlassStoreSuite } from "./suite/BreakGlassStoreSuite.js"
import { buildReadsSuite } from "./suite/BuildReadsSuite.js"
import { componentStoreSuite } from "./suite/ComponentStoreSuite.js"
import { controlStoreSuite } from "./suite/ControlStoreSuite.js"
import { deniedAttemptStoreSuite } from "./suite/DeniedAttemptStoreSuite.js"
import { deploymentReadsSuite } from "./suite/DeploymentReadsSuite.js"
import { enforcingSuite } from "./suite/EnforcingSuite.js"
import { auditLogStoreSuite } from "./suite/EnvironmentEventExportSuite.js"
import { environmentStoreSuite } from "./suite/EnvironmentStoreSuite.js"
import { erasedCopiesSuite } from "./suite/ErasedCopiesSuite.js"
import { evaluationsSuite } from "./suite/EvaluationsSuite.js"
import { evidenceStoreSuite } from "./suite/EvidenceStoreSuite.js"
import { expiringKeysSuite } from "./suite/ExpiringKeysSuite.js"
import { exposureLawsSuite } from "./suite/ExposureLawsSuite.js"
import { exposureReadsSuite } from "./suite/ExposureReadsSuite.js"
import { flowStoreSuite } from "./suite/FlowStoreSuite.js"
import { grantStoreSuite } from "./suite/GrantStoreSuite.js"
import { graphReadsSuite } from "./suite/GraphReadsSuite.js"
import { historyStoreSuite } from "./suite/HistoryStoreSuite.js"
import { idempotencyStoreSuite } from "./suite/IdempotencyStoreSuite.js"
import { invitationStoreSuite } from "./suite/InvitationStoreSuite.js"
import { journalSequencesSuite } from "./suite/JournalSequencesSuite.js"
import { journalStoreSuite } from "./suite/JournalStoreSuite.js"
import { logicalEventsSuite } from "./suite/LogicalEventsSuite.js"
import { logStatusSuite } from "./suite/LogStatusSuite.js"
import { logStoreSuite } from "./suite/LogStoreSuite.js"
import { membershipStoreSuite } from "./suite/MembershipStoreSuite.js"
import { notificationStoreSuite } from "./suite/NotificationStoreSuite.js"
import { orgStoreSuite } from "./suite/OrgStoreSuite.js"
import { outboxStoreSuite } from "./suite/OutboxStoreSuite.js"
import { outboxUpkeepSuite } from "./suite/OutboxUpkeepSuite.js"
import { placedListsSuite } from "./suite/PlacedListsSuite.js"
import { placementReadsSuite } from "./suite/PlacementReadsSuite.js"
import { policyStoreSuite } from "./suite/PolicyStoreSuite.js"
import { protectionStoreSuite } from "./suite/ProtectionStoreSuite.js"
import { repoStoreSuite } from "./suite/RepoStoreSuite.js"
import { scimStoreSuite } from "./suite/ScimStoreSuite.js"
import { serverProcessStoreSuite } from "./suite/ServerProcessStoreSuite.js"
import { serviceAccountStoreSuite } from "./suite/ServiceAccountStoreSuite.js"
import { sessionsSuite } from "./suite/SessionsSuite.js"
import { signInStoreSuite } from "./suite/SignInStoreSuite.js"
import { silencesSuite } from "./suite/SilencesSuite.js"
import { snapshotRowHistorySuite } from "./suite/SnapshotRowHistorySuite.js"
import { type SnapshotStoreSuiteOptions, snapshotStoreSuite } from "./suite/SnapshotStoreSuite.js"
import { spaceStoreSuite } from "./suite/SpaceStoreSuite.js"
import { storeHealthSuite } from "./suite/StoreHealthSuite.js"
import { teamStoreSuite } from "./suite/TeamStoreSuite.js"
import { trailStoreSuite } from "./suite/TrailStoreSuite.js"
import { transactionSuite } from "./suite/TransactionSuite.js"
import { trustPolicyStoreSuite } from "./suite/TrustPolicyStoreSuite.js"
import { verdictTimesSuite } from "./suite/VerdictTimesSuite.js"
import { vexStoreSuite } from "./suite/VexStoreSuite.js"
import { waiverStoreSuite } from "./suite/WaiverStoreSuite.js"
import { witnessStoreSuite } from "./suite/WitnessStoreSuite.js"
import { workloadIdentityStoreSuite } from "./suite/WorkloadIdentityStoreSuite.js"

/** The suites of orgs, of people and accounts, and of what they may do. */
const accessSuites = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  shared: SuiteOptions
): void => {
  orgStoreSuite(name, ports, shared)
  membershipStoreSuite(name, ports, shared)
  invitationStoreSuite(name, ports, shared)
  teamStoreSuite(name, ports, shared)
  spaceStoreSuite(name, ports, shared)
  grantStoreSuite(name, ports, shared)
  breakGlassStoreSuite(name, ports, shared)
  protectionStoreSuite(name, ports, shared)
  scimStoreSuite(name, ports, shared)
  apiKeysSuite(name, ports, shared)
  serviceAccountStoreSuite(name, ports, shared)
  sessionsSuite(name, ports, shared)
  signInStoreSuite(name, ports, shared)
  workloadIdentityStoreSuite(name, ports, shared)
  deniedAttemptStoreSuite(name, ports, shared)
}

/** Runs every suite on one store: `storeSuite("memory", MemoryStore.layer)`. */
export const storeSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: Omit<SnapshotStoreSuiteOptions & DamagedRecordsSuiteOptions, "memoMap"> = {}
): void => {
  const memoMap = Effect.runSync(Layer.makeMemoMap)
  const shared = { ...options, memoMap }
  layer(ports, { memoMap, excludeTestServices: true, timeout: "60 seconds" })(name, () => {
    accessSuites(name, ports, shared)
    idempotencyStoreSuite(name, ports, shared)
    transactionSuite(name, ports, shared)
    journalStoreSuite(name, ports, shared)
    journalSequencesSuite(name, ports, shared)
    damagedRecordsSuite(name, ports, shared)
    logStoreSuite(name, ports, shared)
    logStatusSuite(name, ports, shared)
    erasedCopiesSuite(name, ports, shared)
    witnessStoreSuite(name, ports, shared)
    flowStoreSuite(name, ports, shared)
    trailStoreSuite(name, ports, shared)
    artifactStoreSuite(name, ports, shared)
    attestationStoreSuite(name, ports, shared)
    attachmentStoreSuite(name, ports, shared)
    agentAccountStoreSuite(name, ports, shared)
    evidenceStoreSuite(name, ports, shared)
    vexStoreSuite(name, ports, shared)
    componentStoreSuite(name, ports, shared)
    evaluationsSuite(name, ports, shared)
    repoStoreSuite(name, ports, shared)
    approvalStoreSuite(name, ports, shared)
    controlStoreSuite(name, ports, shared)
    policyStoreSuite(name, ports, shared)
    trustPolicyStoreSuite(name, ports, shared)
    waiverStoreSuite(name, ports, shared)
    environmentStoreSuite(name, ports, shared)
    enforcingSuite(name, ports, shared)
    silencesSuite(name, ports, shared)
    allowListsSuite(name, ports, shared)
    snapshotStoreSuite(name, ports, shared)
    verdictTimesSuite(name, ports, shared)
    auditLogStoreSuite(name, ports, shared)
    logicalEventsSuite(name, ports, shared)
    placedListsSuite(name, ports, shared)
    placementReadsSuite(name, ports, shared)
    exposureReadsSuite(name, ports, shared)
    exposureLawsSuite(name, ports, shared)
    graphReadsSuite(name, ports, shared)
    snapshotRowHistorySuite(name, ports, shared)
    deploymentReadsSuite(name, ports, shared)
    buildReadsSuite(name, ports, shared)
    historyStoreSuite(name, ports, shared)
    notificationStoreSuite(name, ports, shared)
    outboxStoreSuite(name, ports, shared)
    outboxUpkeepSuite(name, ports, shared)
    expiringKeysSuite(name, ports, shared)
    serverProcessStoreSuite(name, ports, shared)
    storeHealthSuite(name, ports, shared)
  })
}

/** The suites of single ports, for a store that has some of them. */
export {
  agentAccountStoreSuite,
  allowListsSuite,
  apiKeysSuite,
  approvalStoreSuite,
  artifactStoreSuite,
  attachmentStoreSuite,
  attestationStoreSuite,
  auditLogStoreSuite,
  breakGlassStoreSuite,
  buildReadsSuite,
  componentStoreSuite,
  controlStoreSuite,
  deniedAttemptStoreSuite,
  deploymentReadsSuite,
  environmentStoreSuite,
  erasedCopiesSuite,
  evaluationsSuite,
  evidenceStoreSuite,
  expiringKeysSuite,
  exposureLawsSuite,
  exposureReadsSuite,
  flowStoreSuite,
  grantStoreSuite,
  graphReadsSuite,
  historyStoreSuite,
  idempotencyStoreSuite,
  invitationStoreSuite,
  journalStoreSuite,
  logicalEventsSuite,
  logStatusSuite,
  logStoreSuite,
  membershipStoreSuite,
  notificationStoreSuite,
  orgStoreSuite,
  outboxStoreSuite,
  outboxUpkeepSuite,
  placedListsSuite,
  placementReadsSuite,
  policyStoreSuite,
  protectionStoreSuite,
  repoStoreSuite,
  scimStoreSuite,
  serverProcessStoreSuite,
  serviceAccountStoreSuite,
  sessionsSuite,
  signInStoreSuite,
  snapshotRowHistorySuite,
  snapshotStoreSuite,
  spaceStoreSuite,
  storeHealthSuite,
  teamStoreSuite,
  trailStoreSuite,
  transactionSuite,
  trustPolicyStoreSuite,
  verdictTimesSuite,
  vexStoreSuite,
  waiverStoreSuite,
  witnessStoreSuite,
  workloadIdentityStoreSuite
}
