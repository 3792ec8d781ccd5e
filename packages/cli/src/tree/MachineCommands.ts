/** The commands about this machine: keys, settings, completion. */

import * as ProductNames from "../reading/ProductNames.js"
import type { CommandSpec } from "../shared/CommandSpec.js"
import { DRY_RUN, FLOW } from "./Flags.js"

/** The commands about this machine. */
export const MACHINE_COMMANDS: ReadonlyArray<CommandSpec> = [
  {
    words: ["login"],
    brief: "Sign in, and store the key or session for this user",
    positionals: [],
    flags: [
      { name: "browser", kind: "boolean", brief: "sign in with a browser on this computer" },
      { name: "key-stdin", kind: "boolean", brief: "read the key from stdin" }
    ],
    load: async () => (await import("../machine/LoginCommands.js")).login
  },
  {
    words: ["logout"],
    brief: "Remove a profile from this machine, and end its session",
    positionals: [],
    flags: [],
    load: async () => (await import("../machine/LoginCommands.js")).logout
  },
  {
    words: ["whoami"],
    brief: "Show who the key belongs to",
    positionals: [],
    flags: [],
    load: async () => (await import("../machine/LoginCommands.js")).whoami
  },
  {
    words: ["config", "show"],
    brief: "Show every setting with its source",
    positionals: [],
    flags: [],
    load: async () => (await import("../machine/ConfigCommands.js")).show
  },
  {
    words: ["config", "set"],
    brief: "Set a value of a profile",
    positionals: [
      { name: "NAME", brief: "org, timeout, ca_file or url", required: true },
      { name: "VALUE", brief: "the value", required: true }
    ],
    flags: [],
    load: async () => (await import("../machine/ConfigCommands.js")).set
  },
  {
    words: ["config", "unset"],
    brief: "Remove a value of a profile",
    positionals: [
      {
        name: "NAME",
        brief: "org, timeout or ca_file",
        required: true,
        choices: ["org", "timeout", "ca_file"]
      }
    ],
    flags: [],
    load: async () => (await import("../machine/ConfigCommands.js")).unset
  },
  {
    words: ["config", "use"],
    brief: "Use a profile from now on",
    positionals: [{ name: "PROFILE", brief: "the profile", required: true }],
    flags: [],
    load: async () => (await import("../machine/ConfigCommands.js")).use
  },
  {
    words: ["config", "path"],
    brief: "Show where the profiles are",
    positionals: [],
    flags: [],
    load: async () => (await import("../machine/ConfigCommands.js")).path
  },
  {
    words: ["init"],
    keywords: [
      "github",
      "gitlab",
      "azure",
      "azure-devops",
      "azure-pipelines",
      "microsoft",
      "bitbucket",
      "atlassian",
      "jenkins",
      "circleci"
    ],
    brief: "Prepare a repository: settings, a template of the flow, and a pipeline",
    positionals: [],
    flags: [
      FLOW,
      {
        name: "ci",
        kind: "text",
        choices: ["github", "gitlab", "azure-devops", "bitbucket", "jenkins", "circleci"],
        choiceOf: ProductNames.ciOf,
        brief: "the CI"
      },
      {
        name: "with-key",
        kind: "boolean",
        brief: "let the job sign in with a stored key, instead of its identity"
      },
      {
        name: "space",
        kind: "text",
        value: "PATH",
        brief: "in an org with spaces: the space in which the job has its role"
      },
      DRY_RUN
    ],
    load: () => import("../init/InitCommand.js")
  },
  {
    words: ["doctor"],
    brief: "Check settings, the server, the key and this machine, with a remedy for each problem",
    positionals: [],
    flags: [],
    load: () => import("../doctor/DoctorCommand.js")
  },
  {
    words: ["mcp"],
    brief: "Serve tools over the Model Context Protocol, on stdin and stdout",
    positionals: [],
    flags: [{ name: "allow-writes", kind: "boolean", brief: "also the tools that write" }],
    load: () => import("../mcp/McpCommand.js")
  },
  {
    words: ["completion"],
    brief: "Print the completion script of a shell",
    positionals: [
      {
        name: "SHELL",
        brief: "bash, zsh, fish or powershell",
        required: true,
        choices: ["bash", "zsh", "fish", "powershell"]
      }
    ],
    flags: [],
    load: async () => (await import("../machine/CompletionCommands.js")).script
  },
  {
    words: ["__complete"],
    brief: "Print words that complete a line; for completion scripts",
    positionals: [
      { name: "WORD", brief: "words", required: false, isRest: true, allowsEmpty: true }
    ],
    flags: [],
    load: async () => (await import("../machine/CompletionCommands.js")).complete
  },
  {
    words: ["version"],
    brief: "Show the version",
    positionals: [],
    flags: [],
    load: () => import("../machine/VersionCommand.js")
  }
]
