/** The commands that read. */
import { GET_NOUNS, LIST_NOUNS, type ListNoun } from "../reading/NounTable.js"
import type { CommandSpec, FlagSpec } from "../shared/CommandSpec.js"
import { FINGERPRINT, FLOW, TRAIL } from "./Flags.js"

/** The flags of filters, by their names. */
const FILTERS: { readonly [name: string]: FlagSpec } = {
  flow: FLOW,
  trail: TRAIL,
  fingerprint: FINGERPRINT,
  name: { name: "name", short: "n", kind: "text", value: "NAME", brief: "only of this name" },
  type: { name: "type", short: "t", kind: "text", value: "TYPE", brief: "only of this type" },
  compliant: {
    name: "compliant",
    kind: "boolean",
    brief: "only compliant ones; =false: only others"
  },
  archived: { name: "archived", kind: "boolean", brief: "only archived ones" }
}

const filterFlag = (name: string): FlagSpec =>
  new Map(Object.entries(FILTERS)).get(name) ?? {
    name,
    kind: "text",
    value: name.toUpperCase(),
    brief: `only of this ${name}`
  }

const LIMIT: FlagSpec = { name: "limit", kind: "number", value: "20", brief: "how many at most" }

const PAGES: ReadonlyArray<FlagSpec> = [
  LIMIT,
  { name: "all", kind: "boolean", brief: "all of them" }
]

const flagsOf = ({ path = {}, filters = {}, isPaged }: ListNoun): ReadonlyArray<FlagSpec> => [
  ...[...Object.values(path), ...Object.values(filters)].map(filterFlag),
  ...(isPaged ? PAGES : [])
]

/** The commands. */
export const READING_COMMANDS: ReadonlyArray<CommandSpec> = [
  ...LIST_NOUNS.map(
    (noun): CommandSpec => ({
      words: ["list", noun.noun],
      brief: noun.brief,
      positionals: [],
      flags: flagsOf(noun),
      examples: [`attestry list ${noun.noun} -o json`],
      load: async () => (await import("../reading/ListCommand.js")).command(noun)
    })
  ),
  ...GET_NOUNS.map(
    (noun): CommandSpec => ({
      words: ["get", noun.noun],
      brief: noun.brief,
      positionals: noun.positionals.map(([name]) => ({
        name,
        brief: `the ${noun.noun}`,
        required: true
      })),
      flags: noun.needsFlow === true ? [FLOW] : [],
      examples: [
        `attestry get ${[noun.noun, ...noun.positionals.map(([name]) => name)].join(" ")}`
      ],
      load: async () => (await import("../reading/GetCommand.js")).command(noun)
    })
  ),
  {
    words: ["search"],
    brief: "Find a commit or a fingerprint, whole or by its first characters",
    positionals: [{ name: "VALUE", brief: "5 characters or more", required: true }],
    flags: [],
    examples: ["attestry search 9f1c2ab"],
    load: () => import("../reading/SearchCommand.js")
  },
  {
    words: ["log"],
    brief: "Show what started and stopped running in an environment",
    positionals: [
      { name: "ENV", brief: "the environment", required: true },
      { name: "A..B", brief: "snapshots", required: false }
    ],
    flags: [LIMIT],
    examples: ["attestry log prod", "attestry log prod ~5..NOW"],
    load: () => import("../reading/LogCommand.js")
  }
]
