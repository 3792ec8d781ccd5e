/** The commands that write: resources, their tags and names, allow-lists, and keys; notifications have their own. */
import type { CommandModule, CommandSpec, FlagSpec, PositionalSpec } from "../shared/CommandSpec.js"
import {
  ARTIFACT_TYPE,
  DESCRIPTION,
  DRY_RUN,
  EMERGENCY_OF,
  KEY_ORGS,
  KEY_SCOPE,
  KIND,
  REVERSE,
  TO_FILE
} from "./Flags.js"

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
      },
      {
        name: "report-every",
        kind: "text",
        value: "15m",
        brief: "the longest time between two reports, 1m to 30d; none: no limit"
      },
      {
        name: "when-silent",
        kind: "text",
        choices: ["warn", "non_compliant"],
        brief: "what a missed report does to the verdict"
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
        choices: ["admin", "member", "snapshotter", "reader", "none"],
        brief: "its role in the whole org"
      },
      DESCRIPTION,
      { name: "space", kind: "text", value: "PATH", brief: "of a new account: its space" }
    ]
  }
]

const putCommand = ({ noun, brief, keywords = [], positionals, flags }: PutSpec): CommandSpec => ({
  words: ["put", noun],
  brief,
  keywords,
  positionals: positionals ?? [name(noun)],
  flags: [...flags, DRY_RUN],
  load: async () => (await import("../writing/PutCommands.js"))[noun]
})

const changes = () => import("../writing/ChangeCommands.js")

const ARCHIVABLE = ["flow", "environment", "control", "type"]

/** The noun with its indefinite article. */
const one = (noun: string): string => `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`

const archiveCommand = (verb: "archive" | "unarchive", noun: string): CommandSpec => ({
  words: [verb, noun],
  brief:
    verb === "archive" ? `Archive ${one(noun)}; what it holds is kept` : `Take ${one(noun)} back`,
  positionals: [name(noun)],
  flags: [DRY_RUN],
  load: async () => (await changes()).archive(verb, noun)
})

const renameCommand = (noun: string): CommandSpec => ({
  words: ["rename", noun],
  brief: `Give ${one(noun)} another name`,
  positionals: [name(noun), { name: "NEW", brief: "its new name", required: true }],
  flags: [DRY_RUN],
  load: async () => (await changes()).rename(noun)
})

const EXPIRES_IN: FlagSpec = {
  name: "expires-in",
  kind: "duration",
  value: "90d",
  brief: "how long it works; by default without an end"
}

const keyCommand = (
  verb: "create" | "rotate" | "revoke" | "create-own" | "revoke-own",
  spec: Pick<CommandSpec, "brief" | "positionals" | "flags">
): CommandSpec => ({
  ...spec,
  words: ["key", verb],
  flags: [...spec.flags, DRY_RUN],
  load: async () => {
    const { create, createOwn, revoke, revokeOwn, rotate } = await import(
      "../writing/KeyCommands.js"
    )
    return { create, rotate, revoke, "create-own": createOwn, "revoke-own": revokeOwn }[verb]
  }
})

const KEY_COMMANDS: ReadonlyArray<CommandSpec> = [
  keyCommand("create", {
    brief: "Create a key of a service account; it is shown once",
    positionals: [ACCOUNT],
    flags: [DESCRIPTION, EXPIRES_IN, ...KEY_SCOPE, TO_FILE]
  }),
  keyCommand("create-own", {
    brief: "Create a key of your own; it is shown once",
    positionals: [],
    flags: [DESCRIPTION, EXPIRES_IN, ...KEY_SCOPE, KEY_ORGS, EMERGENCY_OF, TO_FILE]
  }),
  keyCommand("revoke-own", {
    brief: "Revoke a key of your own at once",
    positionals: [KEY_ID],
    flags: []
  }),
  keyCommand("rotate", {
    brief: "Replace a key; the old one works for a grace period",
    positionals: [ACCOUNT, KEY_ID],
    flags: [
      { name: "grace", kind: "duration", value: "24h", brief: "how long the old one works" },
      EXPIRES_IN,
      TO_FILE
    ]
  }),
  keyCommand("revoke", {
    brief: "Revoke a key at once",
    positionals: [ACCOUNT, KEY_ID],
    flags: []
  }),
  {
    words: ["key", "list"],
    brief: "List the keys of a service account, or of the whole org",
    positionals: [{ ...ACCOUNT, required: false }],
    flags: [REVERSE],
    load: async () => (await import("../reading/ListCommand.js")).keys
  }
]

const change = (
  words: ReadonlyArray<string>,
  spec: Omit<CommandSpec, "words" | "load">,
  pick: (module: Awaited<ReturnType<typeof changes>>) => CommandModule
): CommandSpec => ({
  ...spec,
  words,
  flags: [...spec.flags, DRY_RUN],
  load: async () => pick(await changes())
})

const REASON: FlagSpec = {
  name: "reason",
  kind: "text",
  value: "TEXT",
  brief: "why; the journal keeps it with the change",
  isProse: true
}

const POLICY: PositionalSpec = { name: "POLICY", brief: "the policy", required: true }

const CHANGES: ReadonlyArray<CommandSpec> = [
  change(
    ["tag"],
    {
      brief: "Set and remove tags",
      positionals: [
        {
          name: "NOUN",
          brief: "flow, environment, control or repository",
          required: true,
          choices: ["flow", "environment", "control", "repository"]
        },
        { name: "NAME", brief: "its name", required: true },
        { name: "CHANGE", brief: "KEY=VALUE sets, KEY- removes", required: true, isRest: true }
      ],
      flags: []
    },
    ({ tag }) => tag
  ),
  change(
    ["attach"],
    {
      brief: "Attach a policy to environments; what runs is evaluated at once",
      positionals: [POLICY, { ...ENV, isRest: true }],
      flags: [
        {
          name: "mode",
          kind: "text",
          choices: ["enforce", "warn"],
          brief: "whether it counts; a new one does by default, an attached one stays as it is"
        },
        REASON
      ]
    },
    ({ attach }) => attach
  ),
  change(
    ["detach"],
    {
      brief: "Detach a policy from environments",
      positionals: [POLICY, { ...ENV, isRest: true }],
      flags: [REASON]
    },
    ({ detach }) => detach
  ),
  change(
    ["join"],
    {
      brief: "Add an environment to a logical one",
      positionals: [{ name: "LOGICAL", brief: "the logical environment", required: true }, ENV],
      flags: []
    },
    ({ join }) => join
  ),
  change(
    ["allow"],
    {
      brief: "Allow an artifact in an environment, regardless of its policies",
      positionals: [ENV, ARTIFACT],
      flags: [
        { name: "reason", kind: "text", value: "TEXT", brief: "why" },
        {
          name: "until",
          kind: "text",
          value: "3d|INSTANT",
          brief: "its end; without it there is none"
        },
        {
          name: "owner",
          kind: "text",
          value: "LOGIN",
          brief: "the member who answers for it; by default you"
        },
        {
          name: "name",
          short: "n",
          kind: "text",
          value: "NAME",
          brief: "its name; by default that of the file, the image, or a flow"
        },
        ...ARTIFACT_TYPE
      ]
    },
    ({ allow }) => allow
  ),
  change(
    ["disallow"],
    {
      brief: "Take an artifact off the allow-list of an environment",
      positionals: [ENV, ARTIFACT],
      flags: ARTIFACT_TYPE
    },
    ({ disallow }) => disallow
  ),
  change(
    ["delete", "account"],
    {
      brief: "Delete a service account and its keys",
      positionals: [name("account")],
      flags: []
    },
    ({ deleteAccount }) => deleteAccount
  )
]

/** The commands that write. */
export const WRITING_COMMANDS: ReadonlyArray<CommandSpec> = [
  ...PUTS.map(putCommand),
  {
    words: ["apply"],
    brief: "Apply a folder of documents: write everything that the server does not have yet",
    positionals: [
      {
        name: "DIR",
        brief: "folders types, controls, policies, flows, environments, notifications",
        required: true
      }
    ],
    flags: [
      { name: "dry-run", kind: "boolean", brief: "show the plan, and write nothing" },
      { name: "exit-code", kind: "boolean", brief: "end with 1 if something would change" }
    ],
    load: () => import("../writing/ApplyCommand.js")
  },
  ...CHANGES,
  ...["flow", "environment"].map(renameCommand),
  ...ARCHIVABLE.map((noun) => archiveCommand("archive", noun)),
  archiveCommand("unarchive", "control"),
  ...KEY_COMMANDS
]
