/**
 * Three examples of every command. Help and `docs/CLI.md` print them, and a test runs each.
 *
 * HEX, SHA, ID and VKEY stand for a fingerprint, a commit, an id and a public key.
 */
import { type CommandSpec, nameOf } from "../shared/CommandSpec.js"
import { AGENT_EXAMPLES } from "./AgentExamples.js"
import { ANSWER_EXAMPLES } from "./AnswerExamples.js"
import { EVIDENCE_EXAMPLES, REPORT_EXAMPLES } from "./EvidenceExamples.js"
import { MACHINE_EXAMPLES } from "./MachineExamples.js"
import { MEMBER_EXAMPLES } from "./MemberExamples.js"
import { ORG_EXAMPLES } from "./OrgExamples.js"
import { PROPOSAL_EXAMPLES } from "./ProposalExamples.js"
import { READING_EXAMPLES } from "./ReadingExamples.js"
import { SIGN_IN_EXAMPLES } from "./SignInExamples.js"
import { SPACE_EXAMPLES } from "./SpaceExamples.js"
import { TEAM_EXAMPLES } from "./TeamExamples.js"
import { TRUST_EXAMPLES } from "./TrustExamples.js"
import { WAIVER_EXAMPLES } from "./WaiverExamples.js"
import { WRITING_EXAMPLES } from "./WritingExamples.js"

/** Three examples by command name. */
export interface Examples {
  readonly [command: string]: readonly [string, string, string]
}

/** The examples of all commands. */
export const EXAMPLES: Examples = {
  ...EVIDENCE_EXAMPLES,
  ...REPORT_EXAMPLES,
  ...ANSWER_EXAMPLES,
  ...READING_EXAMPLES,
  ...WRITING_EXAMPLES,
  ...TRUST_EXAMPLES,
  ...WAIVER_EXAMPLES,
  ...AGENT_EXAMPLES,
  ...SIGN_IN_EXAMPLES,
  ...MEMBER_EXAMPLES,
  ...TEAM_EXAMPLES,
  ...PROPOSAL_EXAMPLES,
  ...SPACE_EXAMPLES,
  ...ORG_EXAMPLES,
  ...MACHINE_EXAMPLES
}

const BY_COMMAND = new Map(Object.entries(EXAMPLES))

/** The examples of a command. */
export const of = (command: Pick<CommandSpec, "words">): ReadonlyArray<string> =>
  BY_COMMAND.get(nameOf(command)) ?? []

/** Three examples for several commands: the first of each, then the second. */
export const ofAll = (
  commands: ReadonlyArray<Pick<CommandSpec, "words">>
): ReadonlyArray<string> => {
  const all = commands.map(of)
  return [0, 1, 2].flatMap((at) => all.flatMap((each) => each.slice(at, at + 1))).slice(0, 3)
}
