/** The commands that write: resources, their tags and names, allow-lists, and keys; notifications have their own. */
import type { CommandModule, CommandSpec, FlagSpec, PositionalSpec } from "../shared/CommandSpec.js"
import { ARTIFACT_TYPE, DESCRIPTION, DRY_RUN, KIND, REVERSE, TO_FILE } from "./Flags.js"

const name = (noun: string): PositionalSpec => ({
  name: "NAME",
  brief: `the ${noun}`,
  required: true
})

const ARTIFACT: PositionalSpec = {
  name: "ARTIFACT",
  brief: "a path, an image with -t, or the 64 hexadecimal characters of a fingerprint",
  required: true
}

const ENV: PositionalSpec = { name: "ENV", brief: "the environment", required: true }

const ACCOUNT: PositionalSpec = { name: "ACCOUNT", brief: "the service account", required: true }

const KEY_ID: PositionalSpec = { name: "ID", brief: "the id of the key", required: true }

type Puts = typeof import("../writing/PutCommands.js")

interface PutSpec {
  readonly noun: keyof Omit<Puts, "checkPolicy" | "controlWrite">
  readonly brief: string
  readonly keywords?: ReadonlyArray<string>
  readonly positionals?: ReadonlyArray<PositionalSpec>
  readonly flags: ReadonlyArray<FlagSpec>
}

const PUTS: ReadonlyArray<PutSpec> = [
  {
    noun: "flow",
    brief: "Create or replace a flow",
    flags: [
      DESCRIPTION,
      { name: "visibility", kind: "text", choices: ["public", "private"], brief: "who sees it" },
      { name: "template", kind: "text", value: "FILE", brief: "the template, as YAML" }
    ]
  },
  {
    noun: "environment",
    brief: "Create or replace an environment",
    flags: [
      KIND,
      DESCRIPTION,
      { name: "include-scaling", kind: "boolean", brief: "whether changed counts make a snapshot" },
      {
        name: "require-provenance",
        kind: "boolean",
        brief: "whether running artifacts must have provenance"
      },
      {
        name: "included-environment",
        kind: "texts",
        value: "ENV",
        brief: "a member of a logical environment; the list becomes exactly this"
      },
      {
        name: "policy",
        kind: "texts",
        value: "POLICY",
        brief: "a policy; the list becomes exactly this"
      }
    ]
  },
  {
    noun: "policy",
    brief: "Create a policy, or add a version if its text differs",
    positionals: [
      name("policy"),
      { name: "FILE", brief: "the policy, as YAML; - is stdin", required: true }
    ],
    flags: [
      DESCRIPTION,
      { name: "comment", kind: "text", value: "TEXT", brief: "what the version changes" },
      {
        name: "unless",
        kind: "text",
        choices: ["weaker"],
        brief: "save no version that accepts what the latest one refuses"
      }
    ]
  },
  {
    noun: "control",
    brief: "Define a control, or change it",
    positionals: [{ name: "ID", brief: "the identifier, such as SDLC-1", required: true }],
    flags: [
      { name: "name", short: "n", kind: "text", value: "NAME", brief: "its name" },
      DESCRIPTION,
      { name: "link", kind: "pairs", value: "NAME=URL", brief: "a link" }
    ]
  },
  {
    noun: "type",
    brief: "Define a custom attestation type, or add a version",
    flags: [
      DESCRIPTION,
      { name: "schema", kind: "text", value: "FILE", brief: "the JSON Schema of its data" },
      { name: "jq", kind: "texts", value: "RULE", brief: "a rule that must be true" },
      { name: "summary", kind: "pairs", value: "NAME=RULE", brief: "a line of the summary" }
    ]
  },
  {
    noun: "account",
    brief: "Create a service account, or change it",
    flags: [
      {
        name: "privilege",
        kind: "text",
        choices: ["admin", "member", "snapshotter", "reader"],
        brief: "its role"
      },
      DESCRIPTION
    ]
