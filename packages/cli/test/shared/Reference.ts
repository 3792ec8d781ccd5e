/** `docs/CLI.md` from the tree of commands: what is between its marks is made here. Pure. */
import * as Snippets from "../../src/ci/Snippets.js"
import * as Examples from "../../src/examples/Examples.js"
import type { Grammar } from "../../src/shared/Arguments.js"
import {
  type CommandSpec,
  type FlagSpec,
  nameOf,
  type PositionalSpec
} from "../../src/shared/CommandSpec.js"
import { EXIT_CODES } from "../../src/shared/ExitCode.js"
import { TOPICS } from "../../src/shared/Topics.js"

const cell = (text: string): string => text.replaceAll("|", "\\|")

const flagText = ({ name, short, kind, value, choices }: FlagSpec): string => {
  const shown = value ?? choices?.join("|") ?? "TEXT"
  const argument = kind === "boolean" ? "" : ` ${shown}`
  return `${short === undefined ? "" : `-${short}, `}--${name}${argument}`
}

const isRepeatable = ({ kind }: FlagSpec): boolean => kind === "texts" || kind === "pairs"

const flagRows = (flags: ReadonlyArray<FlagSpec>): ReadonlyArray<string> =>
  flags.map(
    (flag) =>
      `| \`${cell(flagText(flag))}\` | ${cell(flag.brief)}${isRepeatable(flag) ? "; repeatable" : ""} |`
  )

const positionalText = ({ name, required, isRest }: PositionalSpec): string => {
  const text = isRest === true ? `${name}…` : name
  return required ? text : `[${text}]`
}

const commandText = (command: CommandSpec): ReadonlyArray<string> => {
  const { positionals, flags, brief, words, aliases = [] } = command
  const rows = [
    ...positionals.map((each) => `| \`${each.name}\` | ${cell(each.brief)} |`),
    ...flagRows(flags)
  ]
  return [
    `#### \`${["attestry", nameOf(command), ...positionals.map(positionalText)].join(" ")}\``,
    "",
    `${brief}.${aliases.map((alias) => ` Also \`attestry ${[...words.slice(0, -1), alias].join(" ")}\`.`).join("")}`,
    "",
    ...(rows.length === 0 ? [] : ["| Argument | Meaning |", "|---|---|", ...rows, ""]),
    "```sh",
    ...Examples.of(command),
    "```",
    ""
  ]
}

const groupsOf = ({
  commands
}: Grammar): ReadonlyArray<readonly [string, ReadonlyArray<CommandSpec>]> => {
  const shown = commands.filter((command) => !nameOf(command).startsWith("__"))
  const verbs = [...new Set(shown.map(({ words }) => words[0] ?? ""))]
  return verbs.map((verb) => [verb, shown.filter(({ words }) => words[0] === verb)])
}

const reference = (grammar: Grammar): ReadonlyArray<string> => [
  "### Flags of every command",
  "",
  "| Flag | Meaning |",
  "|---|---|",
  ...flagRows(grammar.globals),
  "",
  ...groupsOf(grammar).flatMap(([verb, commands]) => [
    `### ${verb}`,
    "",
    ...commands.flatMap(commandText)
  ])
]

const exitCodes = (): ReadonlyArray<string> => [
  "| Code | Means |",
  "|--:|---|",
  ...Object.values(EXIT_CODES).map(({ code, means }) => `| ${code} | ${cell(means)} |`)
]

const pipelines = (): ReadonlyArray<string> =>
  Snippets.all({
    url: "https://attestry.example.com",
    org: "acme",
    flow: "shop",
    signIn: "identity"
  }).flatMap(({ title, file, text }) => [
    `### ${title}: \`${file}\``,
    "",
    `\`\`\`${/\.ya?ml$/.test(file) ? "yaml" : "groovy"}`,
    ...text.trimEnd().split("\n"),
    "```",
    ""
  ])

const topic = (name: string): ReadonlyArray<string> => [
  "```text",
  ...(new Map(Object.entries(TOPICS)).get(name) ?? []),
  "```"
]

/** The parts of the document, by their marks. */
export const parts = (grammar: Grammar): ReadonlyMap<string, string> =>
  new Map(
    [
      ["exit-codes", exitCodes()],
      ["settings", topic("environment")],
      ["identity", topic("identity")],
      ["pipelines", pipelines()],
      ["reference", reference(grammar)]
    ].map(([name, lines]) => [String(name), [...(lines ?? [])].join("\n").trimEnd()])
  )

const MARKS = /(<!-- made: ([a-z-]+) -->\n)[\s\S]*?(<!-- end -->)/g

/** The document with its parts made anew. */
export const renew = (document: string, grammar: Grammar): string => {
  const made = parts(grammar)
  return document.replaceAll(
    MARKS,
    (_, begin: string, name: string, end: string) => `${begin}\n${made.get(name) ?? ""}\n\n${end}`
  )
}
