/** Names for answers of the API and for parts of them; the contract defines their fields. */
import type {
  BacktestLine as ApiBacktestLine,
  BacktestNote as ApiBacktestNote
} from "@attestry/api/PolicyLabApi"
import type { Wire } from "@attestry/api/WireAnswer"
import type { Answer } from "./Api.js"

/** `OK`, or the address at which the provider signs out too. */
export type SignedOut = Answer<"session.close">

/** The user or service account of the session, its orgs, and the end of the session. */
export type Session = Answer<"session.get">

export type Environment = Answer<"environment.get">

/** The verdicts that would change under other policies. */
export type PolicyPreview = Answer<"environment.preview">

/** An event in the history of an environment. */
export type EnvironmentEvent = Answer<"event.list">[number]

export type AllowedArtifact = Answer<"allowList.list">[number]

/** An entry of the allow-lists of an org. */
export type OrgAllowedArtifact = Answer<"allowList.listOfOrg">[number]

export type Artifact = Answer<"artifact.get">

/** One page of exposures, with totals over all pages. */
export type Exposures = Answer<"exposure.list">

/** A period in which an artifact ran in an environment under one name. */
export type Exposure = Exposures["exposures"][number]

/** One page of components. */
export type Components = Answer<"component.list">

/** A component of artifacts, in one version. */
export type Component = Components["components"][number]

/** The connections of a resource. */
export type GraphAnswer = Answer<"graph.get">

/** Whether an artifact is compliant, and why not. */
export type Assertion = Answer<"assertion.assert">

/** A set of changes that would make an artifact compliant. */
export type Remedy = NonNullable<Assertion["remedies"]>[number]

/** The nearest earlier artifact that is compliant. */
export type PreviousCompliant = NonNullable<Assertion["previous_compliant"]>

export type PolicyReason = Assertion["reasons_for_incompliance"][number]

/** A team. */
export type Team = Answer<"team.get">

/** A person in a team. */
export type TeamMember = Answer<"team.members">["members"][number]

/** A space, with how many things are in it. */
export type Space = Answer<"space.list">["spaces"][number]

/** A role of somebody in a space. */
export type Grant = Exclude<
  Answer<"grant.list">["grants"][number],
  { readonly damaged_record: unknown }
>

/** A role in a space, and where it comes from. */
export type AccessBinding = Answer<"access.effective">["bindings"][number]

/** The roles of a person, an account or a key. */
export type AccessEffective = Answer<"access.effective">

/** Somebody who has a permission, and why. */
export type AccessSubject = Answer<"access.who">["subjects"][number]

/** A waiver in a list. */
export type Waiver = Answer<"waiver.list">["waivers"][number]

/** A waiver with its use. */
export type WaiverDetails = Answer<"waiver.get">

/** How much is waived. */
export type WaiverDebt = Answer<"waiver.debt">

/** The rules of an org for waivers. */
export type WaiverSettings = Answer<"waiver.settings">

/** A proposal in a list. */
export type ListedProposal = Answer<"proposal.list">["proposals"][number]

/** A proposal with the changes that it would make. */
export type Proposal = Answer<"proposal.get">

/** An opening of break-glass. */
export type BreakGlass = Answer<"breakGlass.list">["openings"][number]

/** A protection of an org. */
export type Protection = Answer<"protection.get">["protections"][number]

/** One page of attestations; a page after a cursor has no totals. */
export type Attestations = Answer<"attestation.list">

/** An attestation: the fields that all types share, and those of its type. */
export type Attestation = Attestations["data"][number]

export type AttachedFile = Attestation["attachments"][number]

export type AttestationType = Answer<"attestationType.get">

/** The evidence of the releases of a period. */
export type ReleaseEvidence = Answer<"releaseEvidence.list">

/** What was required of releases. */
export type ReleaseRequirement = ReleaseEvidence["requirements"][number]

export type Deployment = Answer<"deployment.list">["deployments"][number]

export type Flow = Answer<"flow.get">

/** A flow in a list. */
export type ListedFlow = Answer<"flow.list">["data"][number]

export type Repo = Answer<"repo.get">

/** The artifacts of a commit or a fingerprint. */
export type ShaSearch = Answer<"search.sha">

/** The trails with a commit. */
export type CommitTrails = Answer<"search.trailsOfCommit">

export type Trail = Answer<"trail.get">

export type TrailEvent = Trail["events"][number]

export type Trails = Answer<"trail.list">

/** A trail in a list. */
export type TrailSummary = Trails["data"][number]

/** An attestation that is expected, reported, or both. */
export type AttestationStatus = TrailSummary["compliance_status"]["attestations_statuses"][number]

/** A row of a snapshot with every decision about it. */
export type SnapshotRow = Answer<"snapshot.row">

/** A whole snapshot, as recorded or as of an instant. */
export type SnapshotAsOf = Answer<"snapshot.get">

/** A snapshot without the details of its rows. */
export type ShortSnapshot = Answer<"snapshot.rows">

export type ShortRow = ShortSnapshot["rows"][number]

/** A rule with the number of rows that fail it. */
export type SnapshotRule = ShortSnapshot["rules"][number]

/** The history of an environment, by time interval. */
export type Timeline = Answer<"snapshot.timeline">

/** One page of rows with their facts. */
export type SnapshotFacts = Answer<"fact.list">

export type ArtifactFacts = Answer<"fact.get">

export type Journal = Answer<"journal.list">

/** An accepted write. */
export type JournalEntry = Journal["entries"][number]

/** The state of the transparency log. */
export type Log = Answer<"log.get">

/** An entry of the transparency log. */
export type LogEvent = Answer<"log.events">["events"][number]

export type Members = Answer<"membership.members">

export type Member = Members["members"][number]

/** How people sign in to an org. */
export type SignInSettings = Answer<"signIn.get">

/** One attempt to sign in. */
export type SignInAttempt = Answer<"signIn.attempts">["sign_ins"][number]

/** An invitation in a list. */
export type Invitation = Answer<"invitation.list">["invitations"][number]

/** A new invitation with its link. */
export type MadeInvitation = Answer<"invitation.create">

/** The org, the role and the end of an invitation, as its secret shows them. */
export type OpenInvitation = Answer<"invitation.look">

/** The membership of a new person, with the first key. */
export type AcceptedInvitation = Answer<"invitation.accept">

export type MembershipEvent = Answer<"membership.auditLog">["events"][number]

/** A dead letter. */
export type FailedDelivery = Answer<"delivery.failed">["deliveries"][number]

/** An environment notification or a flow notification. */
export type Action = Answer<"action.get">

export type ActionTarget = Action["targets"][number]

export type NotificationConfig = Answer<"notificationConfig.get">

export type SigningSecret = Answer<"notificationConfig.secret">

export type ServiceAccount = Answer<"serviceAccount.get">

/** A key without its secret. */
export type ApiKey = Answer<"apiKey.list">[number]
/** A key that counts in the org. */
export type OrgApiKey = Answer<"apiKey.listOrg">["api_keys"][number]

/** A rule by which id tokens of jobs become keys of a service account. */
export type IdentityRule = Answer<"workloadIdentity.getRules">["rules"][number]

/** An erasure that was made. */
export type MadeErasure = Answer<"log.listErasures">[number]

/** The members that an erasure takes out, or would take out. */
export type Erasure = Answer<"log.erase">

export type Build = Answer<"build.list">["builds"][number]

export type DeploymentStatistics = Answer<"deployment.statistics">

export type Controls = Answer<"control.list">

export type Control = Answer<"control.get">

/** The state of each control in each environment. */
export type ControlMatrix = Answer<"control.matrix">

export type ControlVersion = Answer<"control.versions">["versions"][number]

export type ControlDecision = Answer<"control.decisions">["decisions"][number]

export type Policy = Answer<"policy.get">

export type PolicyVersion = Policy["versions"][number]

/** A version of the trust policy of an org. */
export type TrustPolicy = Answer<"trustPolicy.get">

/** An accepted evidence document with its facts. */
export type EvidenceDocument = Answer<"evidence.get">

/** What a sent evidence file was read as, and what it reached. */
export type AcceptedEvidence = Answer<"evidence.submit">

/** An accepted evidence document in a list. */
export type ListedEvidence = Answer<"evidence.list">["documents"][number]

/** The verdicts that a candidate gives to running artifacts. */
export type PolicyDryRun = Answer<"policyLab.dryRun">

export type DryRunRow = PolicyDryRun["rows"][number]

/** A line of a backtest. The contract types the answer as the text of all lines. */
export type BacktestLine = Wire<typeof ApiBacktestLine.Type>

/** A period in which a row would have had another verdict. */
export type BacktestFlip = Extract<BacktestLine, { readonly type: "flip" }>

/** The result of a backtest in one environment. */
export type BacktestEnvironment = Extract<BacktestLine, { readonly type: "environment" }>

/** A limitation that a reader of a backtest must know. */
export type BacktestNote = Wire<typeof ApiBacktestNote.Type>

/** An artifact in a list, with the fields that search needs. */
export type ListedArtifact = Pick<Artifact, "fingerprint" | "filename" | "flow_name">
