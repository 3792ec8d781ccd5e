/** The rules of `schema/README.md` for migrations, as far as a text shows them. */
import type { Migration } from "../../src/schema/internal/SchemaFiles.js"
import { indexOf } from "../../src/schema/internal/SchemaUpgrade.js"

/** Statements that servers of the release before cannot live with. */
const CONTRACTING: ReadonlyArray<readonly [RegExp, string]> = [
  [
    /\bdrop\s+(table|column|function|view|index|type|sequence|constraint|trigger|policy)\b/,
    "drops"
  ],
  [/\brename\b/, "renames"],
  [/\balter\s+column\s+\S+\s+(set\s+data\s+)?type\b/, "retypes a column"],
  [/\bset\s+not\s+null\b/, "requires a value"],
  [
    /\badd\s+column\s+(?![^,;]*\b(default|generated)\b)[^,;]*\bnot\s+null\b/,
    "adds a column without a default"
  ],
  [
    /\badd\s+(constraint\s+\S+\s+)?(check|foreign\s+key|unique)\b(?![^;]*\bnot\s+valid\b)/,
    "adds a constraint that is checked at once"
  ],
  [/\brevoke\b(?![^;]*\bfrom\s+public\b)/, "revokes"]
]

const LIMITS =
  /\bset\s+(local\s+)?(lock_timeout|statement_timeout)\b|set_config\(\s*'(lock|statement)_timeout'/

/** What fills or empties rows, at the beginning of a statement, a common table expression, or a line of a block. */
const REWRITING = new RegExp(
  String.raw`(?:^|;|\(|\bbegin\b|\bloop\b|\bthen\b|\belse\b)\s*` +
    String.raw`(?:update\s|delete\s+from\s|truncate\s|merge\s|insert\s+into\s[^;]*\bselect\b)`
)

/** The bodies of blocks that run at once, unlike those of functions. */
const BLOCK = /\bdo\s+(?:language\s+\w+\s+)?\$(\w*)\$([\s\S]*?)\$\1\$/gi

const INDEX = /\bcreate\s+(?:unique\s+)?index\s+(concurrently\s+)?\S+\s+on\s+(?:only\s+)?([a-z_]+)/g

/** Tables that a statement locks, whether it makes them or not. */
const LOCKED = new RegExp(
  [
    String.raw`\b(?:alter\s+table|lock\s+table|create\s+(?:unique\s+)?index\s+(?:concurrently\s+)?\S+\s+on`,
    String.raw`create\s+(?:or\s+replace\s+)?trigger\s+[^;]*?\son|truncate|create\s+policy\s+\S+\s+on)`
  ].join("|") + String.raw`\s+(?:if\s+exists\s+|only\s+)?([a-z_]+)`,
  "g"
)

const MADE = /\bcreate\s+table\s+(?:if\s+not\s+exists\s+)?([a-z_]+)/g

const HEADER = /^-- \S/
const CONTRACTS = /^-- Contracts \d{4}_[a-z0-9_]+: no server uses it since \d+\.\d+\.\d+\.\n/

const withoutBodies = (sql: string): string =>
  sql
    .replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''")
    .replace(/--.*$/gm, "")
    .toLowerCase()

const blocksOf = (sql: string): ReadonlyArray<string> =>
  [...sql.matchAll(BLOCK)].map(([, , body = ""]) => withoutBodies(body))

/** How many statements a text has. */
const statementsIn = (text: string): number =>
  text.split(";").filter((statement) => statement.trim() !== "").length

/** Problems of indexes of tables that were there before. */
const indexProblems = (
  migration: Migration,
  text: string,
  made: ReadonlySet<string>
): ReadonlyArray<string> => {
  const built = [...text.matchAll(INDEX)].filter(([, , table = ""]) => !made.has(table))
  const beside = [...text.matchAll(INDEX)].filter(([, concurrently]) => concurrently !== undefined)
  return [
    ...(built.some(([, concurrently]) => concurrently === undefined)
      ? ["builds an index while writers wait"]
      : []),
    ...(beside.length > 0 && (statementsIn(text) > 1 || indexOf(migration) === undefined)
      ? ["does more than build an index beside writers"]
      : [])
  ]
}

const names = (text: string, pattern: RegExp): ReadonlySet<string> =>
  new Set([...text.matchAll(pattern)].flatMap(([, name]) => (name === undefined ? [] : [name])))

/** The rules that a migration breaks, one sentence each. */
export const problemsOf = (migration: Migration): ReadonlyArray<string> => {
  const { name, sql } = migration
  const text = withoutBodies(sql)
  const made = names(text, MADE)
  const locked = [...names(text, LOCKED)].filter((table) => !made.has(table))
  const contracting = CONTRACTS.test(sql)
    ? []
    : CONTRACTING.filter(([pattern]) => pattern.test(text)).map(([, what]) => what)
  return [
    ...(HEADER.test(sql) ? [] : ["has no comment at its top"]),
    ...contracting,
    ...(locked.length > 1 ? [`locks ${locked.join(" and ")}`] : []),
    ...(LIMITS.test(text) ? ["sets a time limit"] : []),
    ...([text, ...blocksOf(sql)].some((part) => REWRITING.test(part)) ? ["rewrites rows"] : []),
    ...indexProblems(migration, text, made)
  ].map((problem) => `${name} ${problem}`)
}
