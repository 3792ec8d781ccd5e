/** The tools that write; available only with `--allow-writes`. */
import * as Schema from "effect/Schema"
import * as Json from "../shared/Json.js"
import { needed, type Tool, text, textOf, texts } from "./Tool.js"

const place = {
  flow: needed("The flow."),
  trail: needed("The trail."),
  fingerprint: text("The artifact of the attestation; by default it is about the trail.")
}

const isCompliant = Schema.Boolean.annotations({ description: "Whether it is compliant." })

/** The tools for writing. */
export const WRITING_TOOLS: ReadonlyArray<Tool> = [
  {
    name: "attest_generic",
    title: "Record a generic attestation",
    description: "Records an attestation whose outcome is said here. It is kept for ever.",
    effects: "adds",
    input: Schema.Struct({
      ...place,
      name: needed("The name of the attestation, or SLOT.NAME."),
      compliant: isCompliant,
      description: text("What was looked at.")
    }),
    line: (input) => ({
      words: ["attest", "generic"],
      flags: {
        flow: textOf(input, "flow"),
        trail: textOf(input, "trail"),
        fingerprint: textOf(input, "fingerprint"),
        name: textOf(input, "name"),
        compliant: textOf(input, "compliant"),
        description: textOf(input, "description")
      }
    })
  },
  {
    name: "record_decision",
    title: "Record a decision about a control",
    description: "Records whether a control holds, with the reason. It is kept for ever.",
    effects: "adds",
    input: Schema.Struct({
      ...place,
      control: needed("The identifier of the control."),
      compliant: isCompliant,
      reason: needed("Why.")
    }),
    line: (input) => ({
      words: ["attest", "decision"],
      flags: {
        flow: textOf(input, "flow"),
        trail: textOf(input, "trail"),
        fingerprint: textOf(input, "fingerprint"),
        name: textOf(input, "control"),
        control: textOf(input, "control"),
        compliant: textOf(input, "compliant"),
        reason: textOf(input, "reason")
      }
    })
  },
  {
    name: "allow_artifact",
    title: "Allow an artifact in an environment",
    description: "Makes an artifact compliant in an environment, regardless of its policies.",
    effects: "overwrites",
    input: Schema.Struct({
      environment: needed("The environment."),
      fingerprint: needed("The fingerprint of the artifact."),
      reason: needed("Why it is allowed."),
      name: text("What the artifact is called.")
    }),
    line: (input) => ({
      words: ["allow"],
      positionals: [String(input.environment), String(input.fingerprint)],
      flags: { reason: textOf(input, "reason"), name: textOf(input, "name") }
    })
  },
  {
    name: "tag",
    title: "Set and remove tags",
    description: "Sets and removes tags; policies may depend on them.",
    effects: "overwrites",
    input: Schema.Struct({
      noun: Schema.Literal("flow", "environment", "control", "repository"),
      name: needed("Its name."),
      set: texts("Tags to set, each as `key=value`."),
      remove: texts("Keys to remove.")
    }),
    line: ({ noun, name, set, remove }) => ({
      words: ["tag"],
      positionals: [
        String(noun),
        String(name),
        ...Json.list(set).map(String),
        ...Json.list(remove).map((key) => `${key}-`)
      ]
    })
  }
]
