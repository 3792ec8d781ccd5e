/**
 * The commands that the footer of a page shows are those of the command line: the table of the pages is generated from
 * its nouns, and the program parses every command of it. `ATTESTRY_GOLDEN=write` writes the table.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { COMMANDS, GLOBAL_FLAGS } from "../../packages/cli/src/CommandTree.js"
import { GET_NOUNS, type GetNoun } from "../../packages/cli/src/reading/GetTable.js"
import type { ListNoun } from "../../packages/cli/src/reading/ListNoun.js"
import { LIST_NOUNS } from "../../packages/cli/src/reading/NounTable.js"
import * as Arguments from "../../packages/cli/src/shared/Arguments.js"
import * as PlainCalls from "../../packages/client/src/PlainCalls.js"
import { READ_COMMANDS, type ReadCommand } from "../../packages/web/app/shell/ReadCommands.js"
import { readLine } from "../../packages/web/app/shell/ReadLine.js"
import { documented } from "./spec/Operations.js"

const FILE = join(import.meta.dirname, "../../packages/web/app/shell/ReadCommands.ts")

const pathOf = (operation: string): string => PlainCalls.operationOf(operation).path

/** The other way round: flags by the parameters that they fill. */
const listCommand = (noun: ListNoun): ReadCommand => ({
  words: `list ${noun.noun}`,
  path: pathOf(noun.operation),
  positionals: [],
  flags: {
    ...noun.path,
    ...noun.filters,
    ...(noun.sorts === undefined ? {} : { sort: "sort" }),
    ...(noun.isPaged ? { per_page: "limit" } : {})
  },
  ...(noun.usualDirection === undefined ? {} : { direction: noun.usualDirection })
})

/** Positionals that hold two parameters of a path. */
const JOINED: ReadonlyMap<string, string> = new Map([
  ["artifact", "{flow_name}@{fingerprint}"],
  ["snapshot", "{env_name}#{snapshot_expression}"]
])

/** A path with the parameters that a noun fixes. */
const fixed = (path: string, values: GetNoun["fixedPath"] = {}): string =>
  Object.entries(values).reduce((text, [name, value]) => text.replace(`{${name}}`, value), path)

const getCommand = (noun: GetNoun): ReadCommand => {
  const joined = JOINED.get(noun.noun)
  return {
    words: `get ${noun.noun}`,
    path: fixed(pathOf(noun.operation), noun.fixedPath),
    positionals:
      joined === undefined ? noun.positionals.map(([, parameter]) => `{${parameter}}`) : [joined],
    flags: {
      ...(noun.needsFlow === true && joined === undefined ? { flow_name: "flow" } : {}),
      ...(noun.takesAsOf === true ? { as_of: "as-of" } : {})
    }
  }
}

/** WHY without fixed queries: such a noun is a part of the list of another noun, which has the path. */
const lists = LIST_NOUNS.filter(({ fixedQuery }) => fixedQuery === undefined).flatMap((noun) =>
  noun.ofOrg === undefined ? [noun] : [noun, noun.ofOrg]
)

const isOfOrg = ({ path }: ReadCommand): boolean => path.includes("{org}")

/** WHY paths without an org first: a page takes the first that fits, and an org may have any name. */
const commands = [...lists.map(listCommand), ...GET_NOUNS.map(getCommand)].sort(
  (left, right) => Number(isOfOrg(left)) - Number(isOfOrg(right))
)

const shapeOf = (path: string): string => path.replaceAll(/\{[^}]*\}/g, "{}")

/** Whether a template takes the fixed words of another path for its parameters. */
const takes = (template: string, path: string): boolean => {
  const [names, parts] = [template.split("/"), path.split("/")]
  return (
    names.length === parts.length &&
    names.every((name, at) => name === parts[at] || name.startsWith("{"))
  )
}

/** The reads without a command whose paths a command's template would take. */
const others = (): ReadonlyArray<string> => {
  const own = new Set(commands.map(({ path }) => shapeOf(path)))
  return documented()
    .filter((operation) => operation.startsWith("GET "))
    .map((operation) => operation.slice("GET ".length))
    .filter((path) => !own.has(shapeOf(path)) && commands.some((each) => takes(each.path, path)))
    .sort()
}

const generated = (): string => `/**
 * Generated from the nouns of the command line (\`scripts/checks/readCommands.test.ts\`): the commands that read what
 * pages read.
 */

/** A command, and the request that it sends. */
export interface ReadCommand {
  readonly words: string
  readonly path: string
  /** Positionals, as templates of parameters of the path. */
  readonly positionals: ReadonlyArray<string>
  /** Flags by the parameters of the path and of the query that they fill. */
  readonly flags: { readonly [parameter: string]: string }
  /** The default direction, which \`--reverse\` turns. */
  readonly direction?: string
}

/** The commands. */
export const READ_COMMANDS: ReadonlyArray<ReadCommand> = [
${commands.map((command) => JSON.stringify(command)).join(",\n")}
]

/** Paths of reads without a command that match the path of one. */
export const OTHER_READS: ReadonlyArray<string> = ${JSON.stringify(others(), null, 2)}
`

/** The text without layout and quotes of names, which the formatter decides. */
const plain = (text: string): string => text.replaceAll(/["\s]/g, "")

const grammar = { commands: COMMANDS, globals: GLOBAL_FLAGS }

const SAMPLES: ReadonlyMap<string, string> = new Map([
  ["verdict", "false"],
  ["tag", "team:a"],
  ["flow-tag", "team:a"],
  ["limit", "50"],
  ["since", "1790000000"],
  ["until", "1790000000"],
  ["as-of", "now"],
  ["compliant", "false"],
  ["covered", "true"],
  ["archived", "true"],
  ["silent", "true"],
  ["sort", "name"],
  ["waiting", "true"],
  ["unused-days", "30"],
  ["ends-within-days", "30"],
  ["unscoped", "true"],
  ["kind", "sbom"],
  ["state", "verified"]
])

/** A request with every parameter of a command. */
const requestOf = ({ path, flags, direction }: ReadCommand): string => {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name === "org" ? "acme" : "1"))
  const query = Object.entries(flags).filter(([name]) => !path.includes(`{${name}}`))
  const pairs = query.map(([name, flag]) => `${name}=${SAMPLES.get(flag) ?? "x"}`)
  const turned = direction === undefined ? [] : [`sort_direction=${direction}`, "page=1"]
  return `/api/v2${filled}?${[...pairs, ...turned].join("&")}`
}

const lineOf = (path: string): string | undefined =>
  readLine({ method: "GET", path }, "https://attestry.example.com")

describe("the commands of a page's reads", () => {
  it("are those of the command line", () => {
    if (process.env.ATTESTRY_GOLDEN === "write") writeFileSync(FILE, generated())
    assert.strictEqual(
      plain(readFileSync(FILE, "utf8")).replaceAll(/,(?=[\]}])/g, ""),
      plain(generated()),
      "write it with ATTESTRY_GOLDEN=write"
    )
  })

  it("are parsed by the program, with every flag", () => {
    for (const command of READ_COMMANDS) {
      const line = lineOf(requestOf(command)) ?? assert.fail(command.words)
      const parsed = Arguments.parse(grammar, line.replaceAll("'", "").split(" ").slice(1))
      assert.strictEqual(parsed.kind, "command")
      if (parsed.kind === "command")
        assert.strictEqual(parsed.command.words.join(" "), command.words, line)
    }
  })

  it("name the deployment and the org, and are left out for other requests", () => {
    assert.strictEqual(
      lineOf("/api/v2/environments/acme?type=docker&tag=team%3Aa&per_page=50&page=1"),
      "attestry list environments --kind=docker --tag=team=a --limit=50 --org acme --url https://attestry.example.com"
    )
    assert.strictEqual(
      lineOf("/api/v2/artifacts/acme/shop/fingerprint/abc"),
      "attestry get artifact shop@abc --org acme --url https://attestry.example.com"
    )
    for (const path of [
      "/api/v2/environments/acme?page=2",
      "/api/v2/environments/acme?include=rows",
      "/api/v2/repos/acme/filter-options",
      "/api/v2/session"
    ])
      assert.isUndefined(lineOf(path), path)
    assert.isUndefined(readLine({ method: "PUT", path: "/api/v2/flows/acme" }, ""))
  })
})
