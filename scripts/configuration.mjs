/**
 * Writes the configuration reference of `docs/OPERATING.md` from the server's settings; with `--check` it only reports
 * whether it is up to date. It needs the build.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileKeyOf, flagOf } from "../packages/server/dist/internal/Setting.js"
import { settings } from "../packages/server/dist/ServerConfig.js"

const DOCUMENT = join(import.meta.dirname, "../docs/OPERATING.md")
const BEGIN = "<!-- settings: written by `node scripts/configuration.mjs` -->"
const END = "<!-- end of settings -->"

const row = ({ variable, description, ...setting }) => {
  const value = setting.default === undefined || setting.default === "" ? "" : setting.default
  const shown = value === "" ? "–" : `\`${value}\``
  return `| \`${variable}\` | \`--${flagOf(variable)}\` | \`${fileKeyOf(variable)}\` | ${shown} | ${description} |`
}

const table = [
  "| Variable | Flag | File key | Default | Meaning |",
  "|---|---|---|---|---|",
  ...settings.map(row)
].join("\n")

const before = readFileSync(DOCUMENT, "utf8")
const begin = before.indexOf(BEGIN)
const end = before.indexOf(END)
if (begin < 0 || end < begin) throw new Error(`${DOCUMENT} has no place for the settings`)
const after = `${before.slice(0, begin)}${BEGIN}\n\n${table}\n\n${before.slice(end)}`

if (!process.argv.includes("--check")) writeFileSync(DOCUMENT, after)
else if (after !== before) {
  process.stderr.write("docs/OPERATING.md: run `node scripts/configuration.mjs`\n")
  process.exitCode = 1
}
