/** The commands about history: where artifacts ran, graphs, dry runs and backtests. */
import type { CommandSpec, FlagSpec, PositionalSpec } from "../shared/CommandSpec.js"
import { FINGERPRINT, FLOW, LIMIT, PAGES, SINCE, UNTIL } from "./Flags.js"

const CANDIDATE: PositionalSpec = {
  name: "POLICY",
  brief: "a file, or a stored policy: NAME, or NAME@v3 for one version",
  required: true
}

const NAME: FlagSpec = {
  name: "name",
  short: "n",
  kind: "text",
  value: "NAME",
  brief: "the name of the policy; by default that of the file"
}

const ENVIRONMENTS: FlagSpec = {
  name: "environment",
  kind: "texts",
  value: "ENV",
  brief: "only this environment; a logical one stands for its members"
}

const WHERE: CommandSpec = {
  words: ["where"],
  brief: "Find where artifacts ran and run",
  positionals: [
    { name: "FINGERPRINT", brief: "a fingerprint, or its first 5 characters", required: false }
  ],
  flags: [
    { name: "commit", short: "g", kind: "text", value: "SHA", brief: "built from this commit" },
    { ...FLOW, brief: "recorded in this flow" },
    { name: "slot", kind: "text", value: "SLOT", brief: "with --flow: under this name" },
    { name: "repo", kind: "text", value: "NAME", brief: "built from this repository" },
    { name: "author", kind: "text", value: "NAME", brief: "whose commit has this author" },
    { name: "builder", kind: "text", value: "URL", brief: "built by it: https://ci.example.org" },
    {
      name: "component",
      kind: "text",
      value: "PURL",
      brief: "with this component: pkg:npm/lodash, or 'pkg:npm/lodash@<4.17.21'"
    },
    {
      name: "base-image",
      kind: "text",
      value: "IMAGE",
      brief: "built on it: node:20-alpine, ghcr.io/acme/base:1 or node@sha256:…"
    },
    {
      name: "vulnerability",
      kind: "text",
      value: "ID",
      brief: "with a component that evidence names with it: CVE-2026-1234"
    },
    ENVIRONMENTS,
    SINCE,
    UNTIL,
    { name: "now", kind: "boolean", brief: "only what runs now; =false: only what does not" },
    ...PAGES
  ],
  load: () => import("../history/WhereCommand.js")
}

const GRAPH: CommandSpec = {
  words: ["graph"],
  brief: "Show the connections of an artifact, a commit or another resource",
  positionals: [
    {
      name: "ROOT",
      brief:
        "environment:NAME, policy:NAME, control:ID, trail:FLOW/TRAIL, a fingerprint, a commit, …",
      required: true
    }
  ],
  flags: [
    { name: "depth", kind: "number", value: "2", brief: "how far it goes from its root, 1 to 4" },
    { ...LIMIT, value: "200", brief: "how many nodes it has at most, 10 to 500" },
    { name: "dot", kind: "boolean", brief: "print it for Graphviz: | dot -Tsvg" }
  ],
  load: () => import("../history/GraphCommand.js")
}

const DRY_RUN: CommandSpec = {
  words: ["policy", "dry-run"],
  brief: "Evaluate what runs by a policy that does not count yet",
  positionals: [CANDIDATE],
  flags: [
    {
      name: "environment",
      kind: "text",
      value: "ENV",
      brief: "what runs there: ENV, ENV#12, ENV~1 or 'ENV@{2.days.ago}'"
    },
    FINGERPRINT,
    { ...FLOW, brief: "with --fingerprint: only the evidence of this flow" },
    { name: "facts", kind: "text", value: "FILE", brief: "JSON with facts of artifacts" },
    NAME,
    {
      name: "against",
      kind: "text",
      choices: ["attached", "alone"],
      brief: "whether the environment's other policies count; by default attached"
    },
    {
      name: "as-of",
      kind: "text",
      value: "TIME",
      brief: "the evidence: judged (that of each row's evaluation), now, 7d or 2026-11-16T10:00:00Z"
    },
    {
      name: "show",
      kind: "text",
      choices: ["flips", "failing", "all"],
      brief: "which rows; by default flips"
    },
    { name: "remedies", kind: "number", value: "3", brief: "with -o json: remedies of each row" }
  ],
  load: () => import("../history/DryRunCommand.js")
}

const BACKTEST: CommandSpec = {
  words: ["policy", "backtest"],
  brief: "Replay recorded history with a policy, and list the verdicts that it would have changed",
  positionals: [CANDIDATE],
  flags: [
    {
      name: "replaces",
      kind: "text",
      value: "NAME",
      brief: "the policy that it replaces; by default the one of its name"
    },
    { name: "add", kind: "boolean", brief: "add it to the attached policies, and replace none" },
    NAME,
    ENVIRONMENTS,
    SINCE,
    UNTIL,
    {
      name: "knowledge",
      kind: "text",
      choices: ["judged", "known", "now"],
      brief: "the evidence: of each row's evaluation, of each instant, or of now"
    },
    {
      name: "fail-on",
      kind: "text",
      choices: ["flips", "new-red-now"],
      brief: "end with 1 for any flip, or if an environment would turn red now"
    },
    { name: "no-verify", kind: "boolean", brief: "do not play the replaced versions too" },
    { ...LIMIT, value: "1000", brief: "how many flips are listed; all of them count" },
    { name: "cursor", kind: "text", value: "CURSOR", brief: "go on after a line of progress" }
  ],
  load: () => import("../history/BacktestCommand.js")
}

/** The commands about history. */
export const HISTORY_COMMANDS: ReadonlyArray<CommandSpec> = [WHERE, GRAPH, DRY_RUN, BACKTEST]
