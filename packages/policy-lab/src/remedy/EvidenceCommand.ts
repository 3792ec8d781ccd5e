/**
 * The command that reports missing evidence, with a placeholder for each value that only a person knows.
 *
 * The command and the server refuse it until each placeholder is replaced: a proposal never makes evidence. SPEC
 * §2.15 WHY without effects: pages import it, and Effect would be most of what they load.
 */
import * as EvidenceType from "@attestry/core/EvidenceType"
import * as Placeholder from "@attestry/core/Placeholder"
import * as ShellWord from "@attestry/core/ShellWord"

/** The evidence that is missing. */
export interface MissingEvidence {
  readonly flow: string
  readonly trail: string
  readonly name: string
  /** The type in the words of templates and policies, or of answers. */
  readonly type: string
  /** The artifact that it is about; undefined for the trail. */
  readonly fingerprint?: string | undefined
  /** The control that a decision is about, where it is known. */
  readonly control?: string | undefined
}

/** WHY with `=`: a flag without a value means yes. */
const OUTCOME = `--compliant=${Placeholder.of("TRUE_OR_FALSE")}`

const CUSTOM = "custom:"

/** The types of evidence files, which are never sent as data. */
const OF_FILES = `${CUSTOM}attestry-`

/** The kinds of evidence files with a command of their own. */
const FILE_KINDS = ["sbom", "provenance", "scan"]

const fileKind = (kind: string): ReadonlyArray<string> => [
  FILE_KINDS.includes(kind) ? kind : "file",
  Placeholder.of("EVIDENCE_FILE")
]

/** The words of the kind of each type. */
const KINDS: {
  readonly [type in EvidenceType.EvidenceType]: (missing: MissingEvidence) => ReadonlyArray<string>
} = {
  generic: () => ["generic", OUTCOME],
  junit: () => ["junit", Placeholder.of("RESULTS_FILE")],
  snyk: () => ["snyk", Placeholder.of("SCAN_FILE")],
  sonar: () => ["sonar", "--project", Placeholder.of("PROJECT_KEY")],
  jira: () => ["jira", "--base-url", Placeholder.of("TRACKER_URL")],
  pull_request: () => ["pull-request", "--number", Placeholder.of("PULL_REQUEST_NUMBER")],
  sbom: () => ["file", Placeholder.of("SBOM_FILE"), "--as", "sbom"],
  agent_session: () => ["agent-session", Placeholder.of("SESSION_FILE")],
  decision: ({ control }) => [
    "decision",
    "--control",
    control ?? Placeholder.of("CONTROL"),
    OUTCOME
  ]
}

/** The words of the kind; where any type will do, those of a generic attestation. */
const kindOf = (missing: MissingEvidence): ReadonlyArray<string> => {
  if (missing.type.startsWith(OF_FILES)) return fileKind(missing.type.slice(OF_FILES.length))
  if (missing.type.startsWith(CUSTOM))
    return ["custom", Placeholder.of("DATA_FILE"), "--type-name", missing.type.slice(CUSTOM.length)]
  const type = EvidenceType.fromWire(missing.type)
  return KINDS[EvidenceType.is(type) ? type : "generic"](missing)
}

/** The words of the command. */
export const wordsOf = (missing: MissingEvidence): ReadonlyArray<string> => [
  "attestry",
  "attest",
  ...kindOf(missing),
  "--name",
  missing.name,
  "--flow",
  missing.flow,
  "--trail",
  missing.trail,
  ...(missing.fingerprint === undefined ? [] : ["--fingerprint", missing.fingerprint])
]

/** The command as a line of a shell. */
export const lineOf = (missing: MissingEvidence): string => ShellWord.line(wordsOf(missing))
