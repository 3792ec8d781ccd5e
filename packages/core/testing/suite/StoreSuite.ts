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
import { allowListStoreSuite } from "./AllowListStoreSuite.js"
import { apiKeyExpiryStoreSuite } from "./ApiKeyExpiryStoreSuite.js"
import { apiKeyStoreSuite } from "./ApiKeyStoreSuite.js"
import { approvalStoreSuite } from "./ApprovalStoreSuite.js"
import { artifactStoreSuite } from "./ArtifactStoreSuite.js"
import { attachmentStoreSuite } from "./AttachmentStoreSuite.js"
import { attestationStoreSuite } from "./AttestationStoreSuite.js"
import { buildStoreSuite } from "./BuildStoreSuite.js"
import { controlStoreSuite } from "./ControlStoreSuite.js"
import { deniedAttemptStoreSuite } from "./DeniedAttemptStoreSuite.js"
import { deploymentStoreSuite } from "./DeploymentStoreSuite.js"
import { auditLogStoreSuite } from "./EnvironmentEventExportSuite.js"
import { environmentStoreSuite } from "./EnvironmentStoreSuite.js"
import { copyStoreSuite } from "./ErasureStoreSuite.js"
import { evaluationStoreSuite } from "./EvaluationStoreSuite.js"
import { exposureLawsSuite } from "./ExposureLawsSuite.js"
import { exposureStoreSuite } from "./ExposureStoreSuite.js"
import { flowStoreSuite } from "./FlowStoreSuite.js"
import { graphStoreSuite } from "./GraphStoreSuite.js"
import { historyStoreSuite } from "./HistoryStoreSuite.js"
import { idempotencyStoreSuite } from "./IdempotencyStoreSuite.js"
import { identityRuleStoreSuite } from "./IdentityRuleStoreSuite.js"
import { journalStoreSuite } from "./JournalStoreSuite.js"
import { logicalEventsSuite } from "./LogicalEventsSuite.js"
import { logStatusStoreSuite } from "./LogStatusStoreSuite.js"
import { logStoreSuite } from "./LogStoreSuite.js"
import { membershipStoreSuite } from "./MembershipStoreSuite.js"
import { notificationStoreSuite } from "./NotificationStoreSuite.js"
import { orgStoreSuite } from "./OrgStoreSuite.js"
import { outboxStoreSuite } from "./OutboxStoreSuite.js"
import { outboxUpkeepSuite } from "./OutboxUpkeepSuite.js"
import { placementStoreSuite } from "./PlacementStoreSuite.js"
import { policyStoreSuite } from "./PolicyStoreSuite.js"
import { recordedRowStoreSuite } from "./RecordedRowStoreSuite.js"
import { repoStoreSuite } from "./RepoStoreSuite.js"
import { serviceAccountStoreSuite } from "./ServiceAccountStoreSuite.js"
import { sessionStoreSuite } from "./SessionStoreSuite.js"
import { type SnapshotStoreSuiteOptions, snapshotStoreSuite } from "./SnapshotStoreSuite.js"
import { storeHealthSuite } from "./StoreHealthSuite.js"
import { trailStoreSuite } from "./TrailStoreSuite.js"
import { transactionSuite } from "./TransactionSuite.js"
import { verdictTimesSuite } from "./VerdictTimesSuite.js"
import { witnessStoreSuite } from "./WitnessStoreSuite.js"

/** Runs every suite on one store: `storeSuite("memory", MemoryStore.layer)`. */
export const storeSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: Omit<SnapshotStoreSuiteOptions, "memoMap"> = {}
): void => {
  const memoMap = Effect.runSync(Layer.makeMemoMap)
  const shared = { ...options, memoMap }
  layer(ports, { memoMap, excludeTestServices: true, timeout: "60 seconds" })(name, () => {
    orgStoreSuite(name, ports, shared)
    membershipStoreSuite(name, ports, shared)
    apiKeyStoreSuite(name, ports, shared)
    serviceAccountStoreSuite(name, ports, shared)
    sessionStoreSuite(name, ports, shared)
    identityRuleStoreSuite(name, ports, shared)
    deniedAttemptStoreSuite(name, ports, shared)
    idempotencyStoreSuite(name, ports, shared)
    transactionSuite(name, ports, shared)
    journalStoreSuite(name, ports, shared)
    logStoreSuite(name, ports, shared)
    logStatusStoreSuite(name, ports, shared)
    copyStoreSuite(name, ports, shared)
    witnessStoreSuite(name, ports, shared)
    flowStoreSuite(name, ports, shared)
    trailStoreSuite(name, ports, shared)
    artifactStoreSuite(name, ports, shared)
    attestationStoreSuite(name, ports, shared)
    attachmentStoreSuite(name, ports, shared)
    evaluationStoreSuite(name, ports, shared)
    repoStoreSuite(name, ports, shared)
    approvalStoreSuite(name, ports, shared)
    controlStoreSuite(name, ports, shared)
    policyStoreSuite(name, ports, shared)
    environmentStoreSuite(name, ports, shared)
    allowListStoreSuite(name, ports, shared)
    snapshotStoreSuite(name, ports, shared)
    verdictTimesSuite(name, ports, shared)
    auditLogStoreSuite(name, ports, shared)
    logicalEventsSuite(name, ports, shared)
    placementStoreSuite(name, ports, shared)
    exposureStoreSuite(name, ports, shared)
    exposureLawsSuite(name, ports, shared)
    graphStoreSuite(name, ports, shared)
    recordedRowStoreSuite(name, ports, shared)
    deploymentStoreSuite(name, ports, shared)
    buildStoreSuite(name, ports, shared)
    historyStoreSuite(name, ports, shared)
    notificationStoreSuite(name, ports, shared)
    outboxStoreSuite(name, ports, shared)
    outboxUpkeepSuite(name, ports, shared)
    apiKeyExpiryStoreSuite(name, ports, shared)
    storeHealthSuite(name, ports, shared)
  })
}
