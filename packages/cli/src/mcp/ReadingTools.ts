/** The tools that read; each runs one command. */
import * as Schema from "effect/Schema"
import { usage } from "../shared/CommandFailure.js"
import * as Json from "../shared/Json.js"
import { receiptLine } from "./ReceiptTools.js"
import { flag, type Line, needed, offset, type Tool, text, textOf, texts } from "./Tool.js"

const SNAPSHOT = "A snapshot: `prod`, `prod#12`, `prod~1` or `prod@{2.days.ago}`."
const SINCE = "Only from then on: `7d`, `2026-11-16` or `2026-11-16T10:00:00Z`."
const FINGERPRINT = "The fingerprint of an artifact: 64 hexadecimal characters."

/** The command line of a `list` command; the flags are named as the members of the input. */
const list =
  (noun: string, ...names: ReadonlyArray<string>) =>
  (input: Json.Fields): Line => ({
    words: ["list", noun],
    flags: Object.fromEntries(names.map((name) => [name, textOf(input, name)]))
  })

/** The command line for an assertion; exactly one member names the subject. */
const explained = (input: Json.Fields): Line => {
  const { fingerprint, snapshot, trail } = {
    fingerprint: textOf(input, "fingerprint"),
    snapshot: textOf(input, "snapshot"),
    trail: textOf(input, "trail")
  }
  const given = [fingerprint, snapshot, trail].filter((each) => each !== undefined)
  if (given.length !== 1) throw usage("give one of fingerprint, snapshot and trail")
  const flow = textOf(input, "flow")
  if (snapshot !== undefined) return { words: ["assert", "snapshot"], positionals: [snapshot] }
  if (trail !== undefined)
    return { words: ["assert", "trail"], positionals: [trail], flags: { flow } }
  const policies = Json.list(input.policies).map(String)
  return {
    words: ["assert", "artifact"],
    flags: {
      fingerprint,
      flow,
      environment: textOf(input, "environment"),
      policy: policies.length === 0 ? undefined : policies
    }
  }
}

const reads = { effects: "reads" } as const

const RUNTIME_TOOLS: ReadonlyArray<Tool> = [
  {
    ...reads,
    name: "list_environments",
    title: "List environments",
    description: "Lists environments with their kind, their verdict and their policies.",
    input: Schema.Struct({
      name: text("Only environments whose name contains this text."),
      verdict: Schema.optionalWith(Schema.Literal("compliant", "not-compliant", "unknown"), {
        exact: true
      }),
      offset
    }),
    line: list("environments", "name", "verdict")
  },
  {
    ...reads,
    name: "get_snapshot",
    title: "Show what runs in an environment",
    description:
      "Shows what ran in an environment at a time, with the verdict and reasons of each, and a signed receipt.",
    input: Schema.Struct({ snapshot: needed(SNAPSHOT), offset }),
    list: "artifacts",
    line: ({ snapshot }) => ({ words: ["get", "snapshot"], positionals: [String(snapshot)] }),
    receipt: receiptLine
  },
  {
    ...reads,
    name: "explain",
    title: "Explain why something is not compliant",
    description:
      "Says whether an artifact, a snapshot or a trail is compliant, and for each no the rule, where it is written, " +
      "what was found, and the command that would bring the missing evidence. Give one of `fingerprint`, `snapshot` " +
      "and `trail`. `receipt` is the verdict of an artifact or a snapshot, signed.",
    input: Schema.Struct({
      fingerprint: text(FINGERPRINT),
      environment: text("With `fingerprint`: evaluate by the policies of this environment."),
      policies: texts("With `fingerprint`: evaluate by these policies."),
      snapshot: text(SNAPSHOT),
      trail: text("The name of a trail, with `flow`."),
      flow: text("The flow of the trail, or the only flow to look at.")
    }),
    list: "reasons",
    line: explained,
    // WHY not for a trail: receipts are about artifacts.
    receipt: (input) => (textOf(input, "trail") === undefined ? receiptLine(input) : undefined)
  },
  {
    ...reads,
    name: "diff_snapshots",
    title: "Compare two snapshots",
    description: "Says what left, what came and what changed between two snapshots.",
    input: Schema.Struct({ a: needed(SNAPSHOT), b: needed(SNAPSHOT) }),
    line: ({ a, b }) => ({ words: ["diff"], positionals: [String(a), String(b)] })
  },
  {
    ...reads,
    name: "environment_log",
    title: "Show what started and stopped running",
    description: "Lists what started and stopped running in an environment, newest first.",
    input: Schema.Struct({
      environment: needed("The environment."),
      since: text(SINCE),
      until: text("Only until then."),
      offset
    }),
    line: list("events", "environment", "since", "until")
  },
  {
    ...reads,
    name: "list_deployments",
    title: "List deployments",
    description: "Lists deployments, newest first.",
    input: Schema.Struct({
      environment: text("Only to this environment."),
      flow: text("Only of artifacts of this flow."),
      fingerprint: text(FINGERPRINT),
      since: text(SINCE),
      offset
    }),
    line: list("deployments", "environment", "flow", "fingerprint", "since")
  }
]

const RECORD_TOOLS: ReadonlyArray<Tool> = [
  {
    ...reads,
    name: "find",
    title: "Find a commit or a fingerprint",
    description: "Finds artifacts by a commit or a fingerprint, whole or by 5 characters or more.",
    input: Schema.Struct({ value: needed("The commit or fingerprint.") }),
    list: "artifacts",
    line: ({ value }) => ({ words: ["search"], positionals: [String(value)] })
  },
  {
    ...reads,
    name: "list_flows",
    title: "List flows",
    description: "Lists flows: pipelines that produce artifacts.",
    input: Schema.Struct({ name: text("Only flows whose name contains this text."), offset }),
    line: list("flows", "name")
  },
  {
    ...reads,
    name: "get_trail",
    title: "Show a trail",
    description:
      "Shows one run of a flow: what its template expects, what was reported, and how it stands.",
    input: Schema.Struct({ flow: needed("The flow."), trail: needed("The trail.") }),
    line: ({ flow, trail }) => ({
      words: ["get", "trail"],
      positionals: [String(trail)],
      flags: { flow: String(flow) }
    })
  },
  {
    ...reads,
    name: "list_attestations",
    title: "List attestations",
    description:
      "Lists attestations, newest first, with their data; evidence files are named, never read out.",
    input: Schema.Struct({
      flow: text("Only in this flow."),
      trail: text("Only on trails of this name."),
      name: text("Only of this name."),
      type: text("Only of this type, such as `junit`."),
      compliant: flag("Only compliant ones, or only others."),
      offset
    }),
    line: list("attestations", "flow", "trail", "name", "type", "compliant")
  },
  {
    ...reads,
    name: "list_policies",
    title: "List policies",
    description:
      "Lists policies with their versions and the environments that they are attached to.",
    input: Schema.Struct({ offset }),
    line: list("policies")
  },
  {
    ...reads,
    name: "get_policy",
    title: "Show a policy",
    description: "Shows a policy with the text of its versions, oldest first, and its history.",
    input: Schema.Struct({ name: needed("The policy."), offset }),
    list: "versions",
    line: ({ name }) => ({ words: ["get", "policy"], positionals: [String(name)] })
  },
  {
    ...reads,
    name: "policy_facts",
    title: "Show what policies look at",
    description:
      "Shows the facts that policies evaluate, of an artifact or of everything in an environment.",
    input: Schema.Struct({
      fingerprint: text(FINGERPRINT),
      environment: text("Of everything that runs there: `prod`, or `prod#12`."),
      offset
    }),
    line: (input) => {
      const fingerprint = textOf(input, "fingerprint")
      return {
        words: ["policy", "facts"],
        positionals: fingerprint === undefined ? [] : [fingerprint],
        flags: { environment: textOf(input, "environment") }
      }
    }
  },
  {
    ...reads,
    name: "list_controls",
    title: "List controls",
    description: "Lists controls: what an organization promises, by identifier.",
    input: Schema.Struct({ search: text("Only controls with this text in them."), offset }),
    line: list("controls", "search")
  },
  {
    ...reads,
    name: "control_coverage",
    title: "Show where a control is asked for",
    description: "Lists the environments whose policies ask for a control, and those that do not.",
    input: Schema.Struct({
      control: needed("The identifier of the control."),
      covered: flag("Only covered ones, or only others."),
      offset
    }),
    line: list("coverage", "control", "covered")
  }
]

/** The tools for reading. */
export const READING_TOOLS: ReadonlyArray<Tool> = [...RUNTIME_TOOLS, ...RECORD_TOOLS]
