/** The commands that answer questions. */
import type { CommandSpec, FlagSpec } from "../shared/CommandSpec.js"
import {
  ARTIFACT_TYPE,
  AS_OF,
  COMMIT,
  FINGERPRINT,
  FLOW,
  FORGE_KEYWORDS,
  NO_CI,
  POLICIES,
  PULL_REQUESTS,
  TRAIL
} from "./Flags.js"

const ASSERT: ReadonlyArray<FlagSpec> = [
  {
    name: "explain",
    kind: "text",
    choices: ["short", "full"],
    brief: "how much to print about a no"
  },
  {
    name: "report",
    kind: "pairs",
    value: "FORMAT=FILE",
    brief: "also write md, sarif, junit, json, dotenv, gitlab-annotations or gitlab-codequality"
  },
  AS_OF,
  NO_CI
]

/** The commands `assert` and `diff`, and those of `policy` that check and compare policies. */
export const ANSWER_COMMANDS: ReadonlyArray<CommandSpec> = [
  {
    words: ["assert", "artifact"],
    brief: "Ask whether an artifact is compliant, and why not",
    positionals: [{ name: "ARTIFACT", brief: "a path or an image", required: false }],
    flags: [
      {
        name: "environment",
        kind: "text",
        value: "ENV",
        brief: "evaluate by the policies of this environment"
      },
      { name: "policy", kind: "texts", value: "POLICY", brief: "evaluate by this policy" },
      { name: "wait", kind: "duration", value: "5m", brief: "ask again while evidence is missing" },
      FLOW,
      FINGERPRINT,
      ...ARTIFACT_TYPE,
      ...ASSERT
    ],
    load: async () => (await import("../assertion/AssertCommands.js")).artifact
  },
  {
    words: ["assert", "snapshot"],
    brief: "Ask whether what runs in an environment is compliant",
    positionals: [
      { name: "SNAPSHOT", brief: "ENV, ENV#12, ENV~1 or 'ENV@{2.days.ago}'", required: true }
    ],
    flags: [
      {
        name: "unknown",
        kind: "text",
        choices: ["fail", "ok"],
        brief: "the answer if no policy is attached"
      },
      POLICIES,
      ...ASSERT
    ],
    load: async () => (await import("../assertion/AssertCommands.js")).snapshot
  },
  {
    words: ["assert", "trail"],
    brief: "Ask whether a trail has what its template expects",
    positionals: [
      { name: "TRAIL", brief: "the trail; by default the commit of the job", required: false }
    ],
    flags: [FLOW, TRAIL, ...ASSERT],
    load: async () => (await import("../assertion/AssertCommands.js")).trail
  },
  {
    words: ["assert", "pull-request"],
    brief: "Ask the forge whether the commit has a pull request; nothing is recorded",
    keywords: FORGE_KEYWORDS,
    positionals: [],
    flags: [...PULL_REQUESTS, ...COMMIT, NO_CI],
    load: () => import("../assertion/PullRequestGate.js")
  },
  {
    words: ["diff"],
    brief: "Compare two snapshots",
    positionals: [
      { name: "A", brief: "a snapshot", required: true },
      { name: "B", brief: "another one", required: true }
    ],
    flags: [
      { name: "exit-code", kind: "boolean", brief: "end with 1 if they differ" },
      { name: "show-unchanged", kind: "boolean", brief: "also show what is in both" }
    ],
    load: () => import("../snapshot/DiffCommand.js")
  },
  {
    words: ["policy", "lint"],
    brief: "Find the problems of policies and templates of flows",
    positionals: [{ name: "FILE", brief: "YAML files", required: true, isRest: true }],
    flags: [
      { name: "as-template", kind: "boolean", brief: "read them as templates of flows" },
      { name: "strict", kind: "boolean", brief: "end with 1 for warnings too" },
      {
        name: "environment",
        kind: "texts",
        value: "ENV",
        brief: "also ask the deployment, by what runs in this environment"
      },
      NO_CI
    ],
    load: () => import("../policy/LintCommand.js")
  },
  {
    words: ["policy", "test"],
    brief: "Run the tests of a policy, without a server",
    positionals: [
      { name: "POLICY", brief: "the file of the policy", required: true },
      { name: "TESTS", brief: "files of tests", required: true, isRest: true }
    ],
    flags: [
      { name: "junit", kind: "text", value: "FILE", brief: "also write the results as JUnit XML" }
    ],
    load: () => import("../policy/TestCommand.js")
  },
  {
    words: ["policy", "diff"],
    brief: "Compare what two policies accept, without a server",
    positionals: [
      { name: "OLD", brief: "the file of the old policy", required: true },
      { name: "NEW", brief: "the file of the new policy", required: true }
    ],
    flags: [
      {
        name: "fail-if",
        kind: "texts",
        choices: ["weaker", "stronger", "different"],
        brief: "end with 1 if the new one accepts more, less, or anything else"
      }
    ],
    load: () => import("../policy/DiffCommand.js")
  },
  {
    words: ["policy", "suggest"],
    brief: "Write a policy that everything running in environments satisfies",
    positionals: [{ name: "ENV", brief: "environments", required: true, isRest: true }],
    flags: [
      {
        name: "min-artifacts",
        kind: "number",
        value: "3",
        brief: "the least number of artifacts that a rule applies to"
      },
      {
        name: "days",
        kind: "number",
        value: "30",
        brief: "also artifacts that ran in the last days"
      }
    ],
    load: () => import("../policy/SuggestCommand.js")
  },
  {
    words: ["policy", "evaluate"],
    brief: "Evaluate policies on facts, without a server",
    positionals: [{ name: "FILE", brief: "policies", required: true, isRest: true }],
    flags: [
      { name: "facts", kind: "text", value: "FILE", brief: "JSON with the facts of an artifact" },
      {
        name: "at",
        kind: "text",
        value: "TIME",
        brief: "the moment for `max_age`: 7d, 2026-11-16T10:00:00Z; by default now"
      }
    ],
    load: () => import("../policy/EvaluateCommand.js")
  }
]
