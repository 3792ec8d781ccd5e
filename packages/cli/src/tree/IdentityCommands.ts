/** The commands about sign-in: the rules by which pipelines need no stored key, and the default org. */
import type { CommandSpec, FlagSpec, PositionalSpec } from "../shared/CommandSpec.js"
import { DRY_RUN, KEY_SCOPE } from "./Flags.js"

const ACCOUNT: PositionalSpec = { name: "ACCOUNT", brief: "the service account", required: true }

const RULE: ReadonlyArray<FlagSpec> = [
  {
    name: "github",
    kind: "text",
    value: "OWNER/REPO",
    brief: "accept jobs of GitHub Actions in this repository"
  },
  {
    name: "gitlab",
    kind: "text",
    value: "GROUP/PROJECT",
    brief: "accept jobs of GitLab CI in this project"
  },
  {
    name: "branch",
    kind: "text",
    value: "PATTERN",
    brief: "only jobs on this branch; * stands for any text without / and :"
  },
  { name: "tag", kind: "text", value: "PATTERN", brief: "only jobs on this tag: 'v*'" },
  {
    name: "environment",
    kind: "text",
    value: "NAME",
    brief: "only jobs with this environment of the forge"
  },
  {
    name: "repository-id",
    kind: "text",
    value: "NUMBER",
    brief: "with --github: the id of the repository; by default the forge is asked"
  },
  {
    name: "project-id",
    kind: "text",
    value: "NUMBER",
    brief: "with --gitlab: the id of the project; by default the forge is asked"
  },
  {
    name: "issuer",
    kind: "text",
    value: "URL",
    brief: "the issuer of the tokens; of --github and --gitlab a server of your own"
  },
  { name: "subject", kind: "text", value: "PATTERN", brief: "with --issuer alone: the subject" },
  { name: "claim", kind: "pairs", value: "NAME=PATTERN", brief: "another claim that must fit" },
  {
    name: "audience",
    kind: "text",
    value: "TEXT",
    brief: "the audience; by default the address of the deployment"
  },
  { name: "lifetime", kind: "duration", value: "15m", brief: "how long a key works: 1m to 1h" },
  { name: "single-use", kind: "boolean", brief: "accept each token once" },
  ...KEY_SCOPE
]

const rules = () => import("../workload-identity/IdentityRuleCommands.js")

/** The commands about sign-in. */
export const IDENTITY_COMMANDS: ReadonlyArray<CommandSpec> = [
  {
    words: ["get", "identity-rules"],
    brief: "Show the rules by which pipelines sign in as a service account without a stored key",
    positionals: [ACCOUNT],
    flags: [],
    load: async () => (await rules()).get
  },
  {
    words: ["put", "identity-rules"],
    brief: "Let jobs of a CI sign in as a service account without a stored key",
    positionals: [
      ACCOUNT,
      {
        name: "FILE",
        brief: "rules as JSON, as get prints them; - is stdin; or flags for one rule",
        required: false
      }
    ],
    flags: [
      ...RULE,
      { name: "append", kind: "boolean", brief: "keep the rules that the account has" },
      { name: "replace", kind: "boolean", brief: "remove the rules that the account has" },
      DRY_RUN
    ],
    load: async () => (await rules()).put
  },
  {
    words: ["delete", "identity-rules"],
    brief: "Delete the rules of a service account; no pipeline signs in as it",
    positionals: [ACCOUNT],
    flags: [DRY_RUN],
    load: async () => (await rules()).remove
  },
  {
    words: ["put", "default-org"],
    brief: "Set the org that commands use if none is given",
    positionals: [{ name: "ORG", brief: "the org", required: true }],
    flags: [DRY_RUN],
    load: async () => (await import("../writing/NoticeCommands.js")).putDefaultOrg
  }
]
