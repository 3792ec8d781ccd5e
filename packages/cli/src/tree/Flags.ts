/** Flags that several commands share; each has one name and one meaning. */
import * as Products from "../environment/cloud/Products.js"
import * as ProductNames from "../reading/ProductNames.js"
import type { FlagSpec } from "../shared/CommandSpec.js"

/** The flags of every command. */
export const GLOBAL_FLAGS: ReadonlyArray<FlagSpec> = [
  { name: "url", kind: "text", value: "URL", brief: "the deployment" },
  { name: "org", kind: "text", value: "ORG", brief: "the org" },
  { name: "profile", kind: "text", value: "NAME", brief: "the profile of this machine" },
  {
    name: "output",
    short: "o",
    kind: "text",
    choices: ["table", "json", "jsonl"],
    brief: "the form of the result"
  },
  { name: "field", kind: "text", value: "A.B.0", brief: "print one value of the result" },
  { name: "quiet", short: "q", kind: "boolean", brief: "print only the essential value" },
  { name: "verbose", short: "v", kind: "boolean", brief: "show requests and their answers" },
  { name: "color", kind: "text", choices: ["auto", "always", "never"], brief: "colours" },
  { name: "timeout", kind: "duration", value: "60s", brief: "the time limit of one attempt" },
  { name: "retries", kind: "number", value: "4", brief: "how often an attempt is repeated" },
  {
    name: "ca-file",
    kind: "text",
    value: "FILE",
    brief: "certificates to trust beside the default ones"
  },
  { name: "yes", short: "y", kind: "boolean", brief: "answer confirmations with yes" },
  { name: "help", short: "h", kind: "boolean", brief: "show this text" }
]

/** The flow of a trail. */
export const FLOW: FlagSpec = {
  name: "flow",
  short: "f",
  kind: "text",
  value: "FLOW",
  brief: "the flow"
}

/** The trail of evidence. */
export const TRAIL: FlagSpec = {
  name: "trail",
  short: "T",
  kind: "text",
  value: "TRAIL",
  brief: "the trail; by default the commit of the job"
}

/** Turns off the output for the CI. */
export const NO_CI: FlagSpec = {
  name: "no-ci",
  kind: "boolean",
  brief: "write no summary, annotations and outputs for the CI"
}

/** A file for a secret. */
export const TO_FILE: FlagSpec = {
  name: "to-file",
  kind: "text",
  value: "FILE",
  brief: "write it to a new file that only you may read"
}

/** Prints the request instead of sending it. */
export const DRY_RUN: FlagSpec = {
  name: "dry-run",
  kind: "boolean",
  brief: "check and print what would be sent, and send nothing"
}

/** The treatment of evidence if the server cannot be reached. */
export const IF_UNREACHABLE: FlagSpec = {
  name: "if-unreachable",
  kind: "text",
  choices: ["fail", "spool"],
  brief: "keep it on this disk for attestry spool send if no server answers"
}

/** The flags for an artifact argument. */
export const ARTIFACT_TYPE: ReadonlyArray<FlagSpec> = [
  {
    name: "type",
    short: "t",
    kind: "text",
    choices: ["file", "dir", "tree", "docker", "oci", "oci-layout"],
    brief: "the type of the artifact; a path that exists needs none"
  },
  {
    name: "exclude",
    short: "x",
    kind: "texts",
    value: "PATTERN",
    isList: true,
    brief: "leave out paths of a folder; several are separated by commas"
  },
  {
    name: "ignore-file",
    kind: "texts",
    value: "NAME",
    brief: "a file of the folder with patterns, read beside .attestry_ignore"
  },
  {
    name: "platform",
    kind: "text",
    value: "OS/ARCH",
    brief: "for -t oci: the manifest of one platform instead of the index"
  },
  {
    name: "registry-username",
    kind: "text",
    value: "NAME",
    brief: "with ATTESTRY_REGISTRY_PASSWORD, for -t oci"
  }
]

/** The fingerprint of an artifact. */
export const FINGERPRINT: FlagSpec = {
  name: "fingerprint",
  short: "F",
  kind: "text",
  value: "HEX",
  brief: "the fingerprint of the artifact"
}

/** A description of a resource. */
export const DESCRIPTION: FlagSpec = {
  name: "description",
  kind: "text",
  value: "TEXT",
  brief: "a description",
  isProse: true
}

/** The kind of an environment, by its product or as the API spells it. */
export const KIND: FlagSpec = {
  name: "kind",
  kind: "text",
  choices: Products.WORDS,
  choiceOf: Products.kindOf,
  brief: `the kind of the environment: ${Products.MEANINGS}`
}

/** The repository of evidence. */
const REPOSITORY: ReadonlyArray<FlagSpec> = [
  {
    name: "repository",
    kind: "text",
    value: "OWNER/NAME",
    brief: "the name of the repository; by default that of the job"
  },
  {
    name: "repo-id",
    kind: "text",
    value: "ID",
    brief: "its id at its provider; by default that of the job"
  },
  {
    name: "repo-url",
    kind: "text",
    value: "URL",
    brief: "its page; by default that of the job; another repository needs it"
  },
  {
    name: "provider",
    kind: "text",
    value: "PROVIDER",
    choices: ProductNames.PROVIDER_WORDS,
    choiceOf: ProductNames.providerOf,
    brief: "github, gitlab, bitbucket, azure-devops …; by default that of the job or the address"
  }
]

/** The pull requests to ask a forge for. */
export const PULL_REQUESTS: ReadonlyArray<FlagSpec> = [
  {
    name: "forge",
    kind: "text",
    choices: ["github", "gitlab", "bitbucket", "azure"],
    choiceOf: ProductNames.forgeOf,
    brief: "by default that of the job; azure is Azure DevOps"
  },
  {
    name: "repository",
    kind: "text",
    value: "OWNER/NAME",
    brief: "the repository at the forge; by default that of the job"
  },
  { name: "forge-url", kind: "text", value: "URL", brief: "the API of the forge" },
  {
    name: "number",
    kind: "text",
    value: "N",
    brief: "one pull request; by default that of the job"
  }
]

/** Words by which help finds commands that ask forges. */
export const FORGE_KEYWORDS: ReadonlyArray<string> = [
  "github",
  "gitlab",
  "bitbucket",
  "atlassian",
  "azure",
  "azure-devops",
  "microsoft",
  "merge-request"
]

/** The commit of evidence. */
export const COMMIT: ReadonlyArray<FlagSpec> = [
  {
    name: "commit",
    short: "g",
    kind: "text",
    value: "REV",
    brief: "the commit; by default that of the job"
  },
  {
    name: "repo-root",
    kind: "text",
    value: "DIR",
    brief: "the working tree to ask about the commit"
  }
]

/** Where evidence was made. */
export const ORIGIN_URL: FlagSpec = {
  name: "origin-url",
  kind: "text",
  value: "URL",
  brief: "where it was made; by default the build"
}

/** Common fields of trails, artifacts and attestations. */
export const EVIDENCE: ReadonlyArray<FlagSpec> = [
  DESCRIPTION,
  ORIGIN_URL,
  ...COMMIT,
  ...REPOSITORY,
  {
    name: "redact",
    kind: "texts",
    value: "FIELD",
    brief: "hide author, message or branch of the commit"
  },
  { name: "user-data", kind: "text", value: "FILE", brief: "JSON to keep with it; - is stdin" },
  { name: "external-url", kind: "pairs", value: "LABEL=URL", brief: "a link" },
  {
    name: "external-fingerprint",
    kind: "pairs",
    value: "LABEL=HEX",
    brief: "the digest of a link's content"
  }
]

/** Notes as names and values. */
export const ANNOTATE: FlagSpec = {
  name: "annotate",
  kind: "pairs",
  value: "KEY=TEXT",
  brief: "a note"
}

/** The start of a time range. */
export const SINCE: FlagSpec = {
  name: "since",
  kind: "text",
  value: "TIME",
  brief: "only from then on: 7d, 2026-11-16 or 2026-11-16T10:00:00Z"
}

/** The end of a time range. */
export const UNTIL: FlagSpec = {
  name: "until",
  kind: "text",
  value: "TIME",
  brief: "only until then"
}

/** The maximum number of items. */
export const LIMIT: FlagSpec = {
  name: "limit",
  kind: "number",
  value: "20",
  brief: "how many at most"
}

/** The flags that limit a list. */
export const PAGES: ReadonlyArray<FlagSpec> = [
  LIMIT,
  { name: "all", kind: "boolean", brief: "all of them" }
]

/** The other order of a list. */
export const REVERSE: FlagSpec = {
  name: "reverse",
  kind: "boolean",
  brief: "in the other order"
}

/** The instant by which evidence must have been accepted. */
export const AS_OF: FlagSpec = {
  name: "as-of",
  kind: "text",
  value: "TIME",
  brief: "as of this time: now, 7d, 2026-11-16T10:00:00Z or '@{2.days.ago}'"
}

/** Which policy versions an evaluation as of an instant uses. */
export const POLICIES: FlagSpec = {
  name: "policies",
  kind: "text",
  choices: ["recorded", "latest"],
  brief: "with --as-of: the versions that evaluated it, which is the default, or those of now"
}

/** The flags of what a key leaves of its account's access. */
export const KEY_SCOPE: ReadonlyArray<FlagSpec> = [
  {
    name: "scope",
    kind: "texts",
    value: "NAME",
    brief: "only this permission, or pipeline, reporter, gate, provision; may be repeated"
  },
  {
    name: "network",
    kind: "texts",
    value: "CIDR",
    brief: "only from this network: 10.0.0.0/8, 2001:db8::/32; may be repeated"
  },
  {
    name: "in-space",
    kind: "texts",
    value: "PATH",
    brief: "only in this space and below; may be repeated"
  },
  { name: "in-flow", kind: "texts", value: "FLOW", brief: "only in this flow; may be repeated" },
  {
    name: "in-environment",
    kind: "texts",
    value: "ENV",
    brief: "only in this environment; may be repeated"
  }
]

/** The flag of the orgs in which a key of the caller counts. */
export const KEY_ORGS: FlagSpec = {
  name: "in-org",
  kind: "texts",
  value: "ORG",
  brief: "only in this org of yours; may be repeated"
}

/** The flag of the org for whose emergencies a key of the caller is. */
export const EMERGENCY_OF: FlagSpec = {
  name: "emergency-of",
  kind: "text",
  value: "ORG",
  brief: "for emergencies of this org alone, as its admin: two at most, whose uses are told"
}
