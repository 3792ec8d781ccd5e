/** The commands that collect evidence. */
import type { CommandModule, CommandSpec, FlagSpec, PositionalSpec } from "../shared/CommandSpec.js"
import { EVIDENCE_FILE_COMMANDS } from "./EvidenceFileCommands.js"
import {
  ANNOTATE,
  ARTIFACT_TYPE,
  DRY_RUN,
  EVIDENCE,
  FINGERPRINT,
  FLOW,
  FORGE_KEYWORDS,
  IF_UNREACHABLE,
  NO_CI,
  PULL_REQUESTS,
  TRAIL
} from "./Flags.js"

const NAME: FlagSpec = {
  name: "name",
  short: "n",
  kind: "text",
  value: "NAME",
  brief: "the name of the attestation, or SLOT.NAME"
}

const ATTEST: ReadonlyArray<FlagSpec> = [
  NAME,
  FLOW,
  TRAIL,
  FINGERPRINT,
  {
    name: "artifact",
    short: "a",
    kind: "text",
    value: "ARTIFACT",
    brief: "the artifact of the attestation"
  },
  ...ARTIFACT_TYPE,
  ...EVIDENCE,
  ANNOTATE,
  {
    name: "attach",
    kind: "texts",
    value: "PATH",
    brief: "a file to keep; a folder becomes an archive"
  },
  { name: "assert", kind: "boolean", brief: "end with 1 if it is not compliant" },
  IF_UNREACHABLE,
  NO_CI,
  DRY_RUN
]

const COMPLIANT: FlagSpec = {
  name: "compliant",
  kind: "boolean",
  brief: "whether it is compliant; --compliant=false means no"
}

/** WHY compliant by default: pipelines mostly report successful steps, and existing clients have the same default. */
const COMPLIANT_BY_DEFAULT: FlagSpec = {
  ...COMPLIANT,
  brief: "whether it is compliant, which it is by default; --compliant=false means no"
}

const NO_UPLOAD: FlagSpec = { name: "no-upload", kind: "boolean", brief: "do not keep the files" }

const REASON: FlagSpec = { name: "reason", kind: "text", value: "TEXT", brief: "why" }

interface KindSpec {
  readonly kind: string
  readonly brief: string
  readonly keywords?: ReadonlyArray<string>
  readonly positionals?: ReadonlyArray<PositionalSpec>
  readonly flags?: ReadonlyArray<FlagSpec>
  readonly load: () => Promise<CommandModule>
}

const attest = ({
  kind,
  brief,
  keywords = [],
  positionals = [],
  flags = [],
  load
}: KindSpec): CommandSpec => ({
  words: ["attest", kind],
  brief,
  keywords,
  positionals,
  flags: [...flags, ...ATTEST.filter(({ name }) => !flags.some((own) => own.name === name))],
  load
})

const FILE: PositionalSpec = { name: "FILE", brief: "the file; - is stdin", required: true }

const KINDS: ReadonlyArray<CommandSpec> = [
  attest({
    kind: "generic",
    brief: "Attest something whose outcome you give yourself",
    flags: [COMPLIANT_BY_DEFAULT],
    load: () => import("../attestation/kind/Generic.js")
  }),
  attest({
    kind: "junit",
    brief: "Attest the results of test suites",
    keywords: ["xunit", "tests"],
    positionals: [
      { name: "PATH", brief: "a file or a folder of JUnit XML", required: true, isRest: true }
    ],
    flags: [NO_UPLOAD],
    load: () => import("../attestation/kind/Junit.js")
  }),
  attest({
    kind: "snyk",
    brief: "Attest a scan for vulnerabilities",
    positionals: [FILE],
    flags: [NO_UPLOAD],
    load: () => import("../attestation/kind/Snyk.js")
  }),
  attest({
    kind: "sarif",
    brief: "Attest the results of any scanner that writes SARIF",
    keywords: ["trivy", "codeql", "semgrep", "grype", "checkov"],
    positionals: [{ name: "FILE", brief: "SARIF logs", required: true, isRest: true }],
    flags: [
      {
        name: "fail-on",
        kind: "text",
        choices: ["error", "warning", "note", "none"],
        brief: "the lowest level that is not compliant; by default error"
      }
    ],
    load: () => import("../attestation/kind/Sarif.js")
  }),
  attest({
    kind: "sonar",
    brief: "Attest the quality gate of an analysis of a Sonar server",
    keywords: ["sonarqube", "sonarcloud"],
    flags: [
      {
        name: "scanner-dir",
        kind: "text",
        value: "DIR",
        brief: "the scanner's folder; by default .scannerwork"
      },
      { name: "task-url", kind: "text", value: "URL", brief: "the task of the analysis" },
      { name: "project", kind: "texts", value: "KEY", brief: "the newest analysis of a project" },
      { name: "revision", kind: "text", value: "SHA", brief: "that of this revision" },
      { name: "branch", kind: "text", value: "NAME", brief: "that of this branch" },
      { name: "pull-request", kind: "text", value: "ID", brief: "that of this pull request" },
      {
        name: "server-url",
        kind: "text",
        value: "URL",
        brief: "the server; by default SONAR_HOST_URL"
      },
      { name: "wait", kind: "duration", value: "30s", brief: "how long to wait for the analysis" }
    ],
    load: () => import("../attestation/kind/Sonar.js")
  }),
  attest({
    kind: "jira",
    brief: "Attest that the issues of the change exist",
    keywords: ["atlassian"],
    flags: [
      { name: "base-url", kind: "text", value: "URL", brief: "the tracker" },
      { name: "project", kind: "texts", value: "KEY", brief: "only issues of this project" },
      {
        name: "source",
        kind: "texts",
        value: "TEXT",
        brief: "a further text that may refer to issues"
      },
      {
        name: "trailer",
        kind: "texts",
        value: "KEY",
        brief: "only issues that this trailer of the commit names, such as Jira in Jira: SHOP-12"
      },
      { name: "no-branch", kind: "boolean", brief: "do not read the name of the branch" },
      { name: "fields", kind: "text", value: "A,B", brief: "fields of issues to keep" }
    ],
    load: () => import("../attestation/kind/Jira.js")
  }),
  attest({
    kind: "pull-request",
    brief: "Attest the pull requests of the commit",
    keywords: FORGE_KEYWORDS,
    flags: PULL_REQUESTS,
    load: () => import("../attestation/kind/PullRequest.js")
  }),
  attest({
    kind: "custom",
    brief: "Attest data of a custom type, whose rules decide",
    positionals: [FILE],
    flags: [{ name: "type-name", kind: "text", value: "TYPE", brief: "the custom type" }],
    load: () => import("../attestation/kind/Custom.js")
  }),
  attest({
    kind: "decision",
    brief: "Record whether a control holds",
    flags: [
      { name: "control", kind: "text", value: "ID", brief: "the control" },
      COMPLIANT,
      REASON
    ],
    load: () => import("../attestation/kind/Decision.js")
  }),
  attest({
    kind: "agent-session",
    brief: "Attest what a coding agent changed, with which tool and model",
    keywords: ["ai", "assistant", "llm"],
    positionals: [
      { name: "FILE", brief: "the session as JSON; - is stdin; flags replace it", required: false }
    ],
    flags: [
      { name: "tool", kind: "text", value: "NAME", brief: "the program that ran the agent" },
      { name: "tool-version", kind: "text", value: "VERSION", brief: "its version" },
      { name: "model", kind: "text", value: "NAME", brief: "the model" },
      {
        name: "started-at",
        kind: "text",
        value: "INSTANT",
        brief: "when it began: 20m ago, a time, epoch seconds"
      },
      { name: "ended-at", kind: "text", value: "INSTANT", brief: "when it ended" },
      { name: "transcript", kind: "text", value: "FILE", brief: "the transcript, for its digest" },
      {
        name: "base",
        kind: "text",
        value: "REV",
        brief: "the commit before it; git tells files and commits"
      },
      { name: "prompted-by", kind: "text", value: "LOGIN", brief: "the person who asked for it" }
    ],
    load: () => import("../attestation/kind/AgentSession.js")
  }),
  attest({
    kind: "override",
    brief: "Replace the outcome of an attestation, with a reason",
    flags: [
      COMPLIANT,
      REASON,
      {
        name: "original-type",
        kind: "text",
        value: "TYPE",
        brief: "the type; by default that of the newest"
      }
    ],
    load: () => import("../attestation/kind/Override.js")
  })
]

const ARTIFACT: CommandSpec = {
  words: ["attest", "artifact"],
  brief: "Report an artifact that was built",
  positionals: [
    { name: "ARTIFACT", brief: "a path, an image, or a name of .attestry.yaml", required: false }
  ],
  flags: [
    { name: "slot", kind: "text", value: "SLOT", brief: "the artifact's name in the template" },
    NAME,
    FLOW,
    TRAIL,
    ...ARTIFACT_TYPE,
    { name: "all", kind: "boolean", brief: "every artifact of .attestry.yaml" },
    { name: "display-name", kind: "text", value: "TEXT", brief: "the name to show" },
    {
      name: "build-url",
      kind: "text",
      value: "URL",
      brief: "the build; by default that of the job"
    },
    { name: "commit-url", kind: "text", value: "URL", brief: "the commit's page" },
    ...EVIDENCE,
    ANNOTATE,
    IF_UNREACHABLE,
    DRY_RUN
  ],
  load: () => import("../attestation/kind/Artifact.js")
}

/** The commands that collect evidence. */
export const EVIDENCE_COMMANDS: ReadonlyArray<CommandSpec> = [
  {
    words: ["begin"],
    brief: "Begin a trail, or update the one of that name",
    positionals: [
      { name: "TRAIL", brief: "the trail; by default the commit of the job", required: false }
    ],
    flags: [
      FLOW,
      TRAIL,
      { name: "template", kind: "text", value: "FILE", brief: "the template of this trail" },
      {
        name: "flow-template",
        kind: "text",
        value: "FILE",
        brief: "the template of the flow, which is saved first"
      },
      {
        name: "export",
        kind: "boolean",
        brief: "append ATTESTRY_FLOW and ATTESTRY_TRAIL to $GITHUB_ENV"
      },
      { name: "export-file", kind: "text", value: "FILE", brief: "append them to this file" },
      ...EVIDENCE,
      IF_UNREACHABLE,
      DRY_RUN
    ],
    load: () => import("../trail/BeginCommand.js")
  },
  ARTIFACT,
  ...KINDS,
  ...EVIDENCE_FILE_COMMANDS,
  {
    words: ["fingerprint"],
    keywords: ["docker", "oci", "registry", "ecr", "acr", "gcr"],
    brief: "Print the fingerprint of a file, a folder or an image",
    positionals: [{ name: "ARTIFACT", brief: "a path, or an image with -t", required: true }],
    flags: ARTIFACT_TYPE,
    load: () => import("../artifact/FingerprintCommand.js")
  }
]
