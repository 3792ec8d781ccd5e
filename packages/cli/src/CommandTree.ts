/**
 * The tree of commands as data. Help, completion and the parser read it; the code of a command is loaded when it
 * runs.
 */
import type { CommandSpec } from "./shared/CommandSpec.js"
import { ADMISSION_COMMANDS } from "./tree/AdmissionCommands.js"
import { AGENT_COMMANDS } from "./tree/AgentCommands.js"
import { ANSWER_COMMANDS } from "./tree/AnswerCommands.js"
import { CAPSULE_COMMANDS } from "./tree/CapsuleCommands.js"
import { EVALUATION_COMMANDS } from "./tree/EvaluationCommands.js"
import { EVIDENCE_COMMANDS } from "./tree/EvidenceCommands.js"
import { HISTORY_COMMANDS } from "./tree/HistoryCommands.js"
import { IDENTITY_COMMANDS } from "./tree/IdentityCommands.js"
import { LOG_COMMANDS } from "./tree/LogCommands.js"
import { MACHINE_COMMANDS } from "./tree/MachineCommands.js"
import { MEMBER_COMMANDS } from "./tree/MemberCommands.js"
import { NOTIFICATION_COMMANDS } from "./tree/NotificationCommands.js"
import { PREVIEW_COMMANDS } from "./tree/PreviewCommands.js"
import { PROPOSAL_COMMANDS } from "./tree/ProposalCommands.js"
import { READING_COMMANDS } from "./tree/ReadingCommands.js"
import { RECEIPT_COMMANDS } from "./tree/ReceiptCommands.js"
import { RECORD_COMMANDS } from "./tree/RecordCommands.js"
import { REPORT_COMMANDS } from "./tree/ReportCommands.js"
import { SIGN_IN_COMMANDS } from "./tree/SignInCommands.js"
import { SPACE_COMMANDS } from "./tree/SpaceCommands.js"
import { SPOOL_COMMANDS } from "./tree/SpoolCommands.js"
import { TEAM_COMMANDS } from "./tree/TeamCommands.js"
import { TRUST_COMMANDS } from "./tree/TrustCommands.js"
import { WAIVER_COMMANDS } from "./tree/WaiverCommands.js"
import { WRITING_COMMANDS } from "./tree/WritingCommands.js"

/** The flags of every command. */
export { GLOBAL_FLAGS } from "./tree/Flags.js"

/** Every command, in the order of help. */
export const COMMANDS: ReadonlyArray<CommandSpec> = [
  ...EVIDENCE_COMMANDS,
  ...SPOOL_COMMANDS,
  ...REPORT_COMMANDS,
  ...ANSWER_COMMANDS,
  ...EVALUATION_COMMANDS,
  ...PREVIEW_COMMANDS,
  ...HISTORY_COMMANDS,
  ...READING_COMMANDS,
  ...LOG_COMMANDS,
  ...RECEIPT_COMMANDS,
  ...CAPSULE_COMMANDS,
  ...ADMISSION_COMMANDS,
  ...RECORD_COMMANDS,
  ...WRITING_COMMANDS,
  ...TRUST_COMMANDS,
  ...WAIVER_COMMANDS,
  ...AGENT_COMMANDS,
  ...SIGN_IN_COMMANDS,
  ...TEAM_COMMANDS,
  ...PROPOSAL_COMMANDS,
  ...SPACE_COMMANDS,
  ...IDENTITY_COMMANDS,
  ...MEMBER_COMMANDS,
  ...NOTIFICATION_COMMANDS,
  ...MACHINE_COMMANDS
]
