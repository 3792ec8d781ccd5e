/** The commands about evidence files: those that send, verify and judge them. */
import type { CommandSpec, FlagSpec, PositionalSpec } from "../shared/CommandSpec.js"
import {
  ANNOTATE,
  ARTIFACT_TYPE,
  DESCRIPTION,
  DRY_RUN,
  EVIDENCE,
  FINGERPRINT,
  FLOW,
  IF_UNREACHABLE,
  NO_CI,
  ORIGIN_URL,
  TRAIL
} from "./Flags.js"

/** The flags of files that the server reads, beside the flags of every attestation. */
const INTAKE: ReadonlyArray<FlagSpec> = [
  {
    name: "type-name",
    kind: "text",
    value: "TYPE",
    brief: "a custom type whose rules decide instead of those of the kind"
  },
  {
    name: "require",
    kind: "text",
    choices: ["verified"],
    brief: "refuse a file that is not verified by the trust policy of the org"
  }
]

/** The names of the flags of files that the server reads. */
export const INTAKE_FLAGS: ReadonlyArray<string> = INTAKE.map(({ name }) => name)

const ARTIFACT: FlagSpec = {
  name: "artifact",
  short: "a",
  kind: "text",
  value: "ARTIFACT",
  brief: "the artifact that the file is about"
}

/** The flags of every command that sends evidence files. */
const SUBMIT: ReadonlyArray<FlagSpec> = [
  {
    name: "name",
    short: "n",
    kind: "text",
    value: "NAME",
    brief: "the name of the attestation; by default that of the kind"
  },
  FLOW,
  {
    ...TRAIL,
    brief: "the trail; by default the commit of the job; without both the subjects decide"
  },
  FINGERPRINT,
  ARTIFACT,
  ...ARTIFACT_TYPE,
  DESCRIPTION,
  ORIGIN_URL,
  ...INTAKE,
  {
    name: "assert",
    kind: "boolean",
    brief: "end with 1 if it is not compliant, or linked to nothing yet"
  },
  IF_UNREACHABLE,
  NO_CI,
  {
    name: "dry-run",
    kind: "boolean",
    brief: "record nothing, and print what would be recorded"
  }
]

/** The flags of files that no reader knows. */
const GENERIC: ReadonlyArray<FlagSpec> = [
  {
    name: "compliant",
    kind: "boolean",
    brief: "with --as generic: the outcome; --compliant=false means no"
  },
  ...EVIDENCE.filter(({ name }) => !SUBMIT.some((own) => own.name === name)),
  ANNOTATE,
  {
    name: "attach",
    kind: "texts",
    value: "PATH",
    brief: "a file to keep; a folder becomes an archive"
  }
]

/** The names of the flags of files that no reader knows. */
export const GENERIC_FLAGS: ReadonlyArray<string> = GENERIC.map(({ name }) => name)

const FILES: PositionalSpec = {
  name: "FILE",
  brief: "evidence files; - is stdin",
  required: true,
  isRest: true
}

interface KindSpec {
  readonly word: string
  readonly brief: string
  readonly keywords: ReadonlyArray<string>
  readonly kinds: ReadonlyArray<string>
}

const attest = ({ brief, keywords, kinds, word }: KindSpec): CommandSpec => ({
  words: ["attest", word],
  brief,
  keywords,
  positionals: [FILES],
  flags: SUBMIT,
  load: async () => (await import("../evidence/SubmitCommand.js")).command({ word, kinds })
})

/** The commands about evidence files. */
export const EVIDENCE_FILE_COMMANDS: ReadonlyArray<CommandSpec> = [
  {
    words: ["attest", "file"],
    brief: "Send evidence files as what they are; the server reads and verifies them",
    keywords: ["sigstore", "cosign", "in-toto", "vex", "coverage", "cobertura", "lcov"],
    positionals: [FILES],
    flags: [
      {
        name: "as",
        kind: "text",
        choices: ["generic", "sbom"],
        brief:
          "generic: an unknown file with the outcome of --compliant; sbom: for rules of this type"
      },
      ...SUBMIT,
      ...GENERIC
    ],
    load: () => import("../attestation/kind/File.js")
  },
  attest({
    word: "sbom",
    brief: "Send bills of materials, signed or not",
    keywords: ["cyclonedx", "spdx", "syft", "components"],
    kinds: ["sbom"]
  }),
  attest({
    word: "provenance",
    brief: "Send signed provenance of builds",
    keywords: ["slsa", "sigstore", "cosign", "in-toto", "dsse"],
    kinds: ["provenance"]
  }),
  attest({
    word: "scan",
    brief: "Send the findings of scanners",
    keywords: ["trivy", "grype", "sarif", "vulnerabilities"],
    kinds: ["scan", "analysis", "snyk"]
  }),
  {
    words: ["evidence", "verify"],
    keywords: ["sigstore", "cosign", "slsa", "dsse", "in-toto", "provenance", "sbom"],
    brief: "Verify the signatures of evidence files offline, and show what they are",
    positionals: [FILES],
    flags: [
      {
        name: "trust-policy",
        kind: "text",
        value: "FILE",
        brief: "the trust policy; by default that of the org"
      },
      {
        name: "trust-root",
        kind: "pairs",
        value: "NAME=FILE",
        brief: "a trust root of Sigstore by the name of the trust policy; public-good comes along"
      },
      FINGERPRINT,
      { ...ARTIFACT, brief: "the artifact that the files must be about" },
      ...ARTIFACT_TYPE
    ],
    load: () => import("../evidence/VerifyCommand.js")
  },
  {
    words: ["evidence", "judge"],
    keywords: ["verify", "again", "trust policy", "vex"],
    brief: "Verify and judge an accepted file again, by the trust policy of today",
    positionals: [{ name: "DIGEST", brief: "the SHA-256 of the file", required: true }],
    flags: [DRY_RUN],
    load: () => import("../evidence/JudgeCommand.js")
  }
]
