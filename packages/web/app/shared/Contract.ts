/** The names that pages give to answers and to parts of them; the contract has their fields. */
import type {
  BacktestLine as ApiBacktestLine,
  BacktestNote as ApiBacktestNote
} from "@attestry/api/PolicyLabApi"
import type { Wire } from "@attestry/api/WireAnswer"
import type { Answer } from "./Api.js"

/** A key and its owner: the person who is signed in. */
export type Session = Answer<"session.get">

/** An environment. */
export type Environment = Answer<"environment.get">

/** The effect of other policies. */
export type PolicyPreview = Answer<"environment.preview">

/** One event of the log of an environment. */
export type EnvironmentEvent = Answer<"event.list">[number]

/** An entry of an allow-list. */
export type AllowedArtifact = Answer<"allowList.list">[number]

/** An artifact of a flow. */
export type Artifact = Answer<"artifact.get">

/** One page of exposures, and all of them together. */
export type Exposures = Answer<"exposure.list">

/** A time in which an artifact ran in an environment under one name. */
export type Exposure = Exposures["exposures"][number]

/** The connections of a thing. */
export type GraphAnswer = Answer<"graph.get">

/** Whether an artifact is compliant, and why not. */
export type Assertion = Answer<"assertion.assert">

/** A way to make an artifact compliant. */
export type Remedy = NonNullable<Assertion["remedies"]>[number]

/** The nearest earlier artifact that is compliant. */
export type PreviousCompliant = NonNullable<Assertion["previous_compliant"]>

/** Why a policy fails an artifact. */
export type PolicyReason = Assertion["reasons_for_incompliance"][number]

/** One page of attestations; without counters where the list goes on from a place. */
export type Attestations = Answer<"attestation.list">

/** An attestation: the fields that all have, and those of its type. */
export type Attestation = Attestations["data"][number]

/** A file of an attestation. */
export type AttachedFile = Attestation["attachments"][number]

/** A custom attestation type. */
export type AttestationType = Answer<"attestationType.get">

/** A deployment. */
export type Deployment = Answer<"deployment.list">["deployments"][number]

/** A flow. */
export type Flow = Answer<"flow.get">

/** A flow in a list. */
export type ListedFlow = Answer<"flow.list">["data"][number]

/** A repository. */
export type Repo = Answer<"repo.get">

/** The artifacts of a commit or a fingerprint. */
export type ShaSearch = Answer<"search.sha">

/** Trails that report a commit. */
export type CommitTrails = Answer<"search.trailsOfCommit">

/** A trail. */
export type Trail = Answer<"trail.get">

/** An event of a trail. */
export type TrailEvent = Trail["events"][number]

/** One page of trails. */
export type Trails = Answer<"trail.list">

/** A trail in a list. */
export type TrailSummary = Trails["data"][number]

/** One attestation that is expected, reported, or both. */
export type AttestationStatus = TrailSummary["compliance_status"]["attestations_statuses"][number]

/** One row of a snapshot with every decision about it. */
export type SnapshotRow = Answer<"snapshot.row">

/** A whole snapshot, as recorded or by the commit position of an instant. */
export type SnapshotAsOf = Answer<"snapshot.get">

/** A snapshot in short. */
export type ShortSnapshot = Answer<"snapshot.rows">

/** A row of a snapshot in short. */
export type ShortRow = ShortSnapshot["rows"][number]

/** A rule with the number of rows that fail it. */
export type SnapshotRule = ShortSnapshot["rules"][number]

/** The history of an environment in columns. */
export type Timeline = Answer<"snapshot.timeline">

/** One page of rows with their facts. */
export type SnapshotFacts = Answer<"fact.list">

/** The facts about one artifact. */
export type ArtifactFacts = Answer<"fact.get">

/** A page of the journal. */
export type Journal = Answer<"journal.list">

/** One accepted write. */
export type JournalEntry = Journal["entries"][number]

/** The state of the transparency log. */
export type Log = Answer<"log.get">

/** A page of members. */
export type Members = Answer<"membership.members">

/** A member. */
export type Member = Members["members"][number]

/** One change of a membership. */
export type MembershipEvent = Answer<"membership.auditLog">["events"][number]

/** A delivery that failed. */
export type FailedDelivery = Answer<"delivery.failed">["deliveries"][number]

/** A notification of environments or of flows. */
export type Action = Answer<"action.get">

/** A target of an action. */
export type ActionTarget = Action["targets"][number]

/** Where notifications of a type go. */
export type NotificationConfig = Answer<"notificationConfig.get">

/** The secret that signs webhooks. */
export type SigningSecret = Answer<"notificationConfig.secret">

/** A service account. */
export type ServiceAccount = Answer<"serviceAccount.get">

/** A key without its secret. */
export type ApiKey = Answer<"apiKey.list">[number]

/** One page of controls. */
export type Controls = Answer<"control.list">

/** A control. */
export type Control = Answer<"control.get">

/** Controls by environments. */
export type ControlMatrix = Answer<"control.matrix">

/** One version of a control. */
export type ControlVersion = Answer<"control.versions">["versions"][number]

/** A decision about a control. */
export type ControlDecision = Answer<"control.decisions">["decisions"][number]

/** A policy. */
export type Policy = Answer<"policy.get">

/** One version of a policy. */
export type PolicyVersion = Policy["versions"][number]

/** The verdicts that a candidate gives to running artifacts. */
export type PolicyDryRun = Answer<"policyLab.dryRun">

/** A row of a dry run. */
export type DryRunRow = PolicyDryRun["rows"][number]

/** A line of a backtest; the contract describes the answer as the text of all lines. */
export type BacktestLine = Wire<typeof ApiBacktestLine.Type>

/** A time in which a row would have had another verdict. */
export type BacktestFlip = Extract<BacktestLine, { readonly type: "flip" }>

/** The result of a backtest in one environment. */
export type BacktestEnvironment = Extract<BacktestLine, { readonly type: "environment" }>

/** A limitation that a reader of a backtest must know. */
export type BacktestNote = Wire<typeof ApiBacktestNote.Type>

/** An artifact in a list, with the fields that search reads. */
export type ListedArtifact = Pick<Artifact, "fingerprint" | "filename" | "flow_name">
