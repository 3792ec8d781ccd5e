/** The part of `values.yaml` that the settings of the server make. */
import * as Settings from "./settings.mjs"

const BEGIN = "# --- settings: written by `node scripts/chart.mjs` ---"
const END = "# --- end of settings ---"

const COMMENT_WIDTH = 118

/** Words in lines of comments. */
const comment = (text, indent) => {
  const lines = []
  for (const word of text.split(" ")) {
    const last = lines.at(-1)
    if (last !== undefined && `${indent}# ${last} ${word}`.length <= COMMENT_WIDTH)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines.map((line) => `${indent}# ${line}`)
}

/** A default as YAML; words that YAML would read as booleans are quoted. */
const shown = ({ default: value, form }) => {
  if (form.type === "integer") return value
  return value === undefined || /^$|^(?:on|off)$/.test(value) ? JSON.stringify(value ?? "") : value
}

const plain = (setting) => [
  ...comment(setting.description, "  "),
  `  # ${setting.key}: ${shown(setting)}`
]

const reference = ({ key, description, source, entry, standard }) => [
  ...comment(description, "  "),
  `  ${key}:`,
  ...(standard === undefined ? [] : [`    # Empty: the name of the release and -${standard}.`]),
  `    ${source}: ""`,
  `    key: ${entry}`
]

const lines = () => [
  BEGIN,
  ...comment(
    "The settings of the server (docs/OPERATING.md, Configuration), each with its default. Those of hosts, ports, " +
      "stores and folders are set by the templates. With an ingress, publicUrl is the address of its first host unless " +
      "it is set here.",
    ""
  ),
  "settings:",
  ...Settings.plain.flatMap(plain),
  "",
  ...comment(
    "Settings that are secrets, from secrets that exist. Names may be templates, such as '{{ .Release.Name }}-db'.",
    ""
  ),
  "secrets:",
  ...Settings.secrets.flatMap((setting) =>
    reference({ ...setting, source: "existingSecret", entry: "url" })
  ),
  "",
  ...comment(
    "Settings that name a file, which is mounted from a secret or a ConfigMap that exists. The embedded store makes the " +
      "first two keys on its volume, unless a secret is named.",
    ""
  ),
  "files:",
  ...Settings.files.flatMap(reference),
  END
]

/** The text of `values.yaml` with that part renewed. */
export const renewed = (text) => {
  const begin = text.indexOf(BEGIN)
  const end = text.indexOf(END)
  if (begin < 0 || end < begin) throw new Error("values.yaml has no place for the settings")
  return `${text.slice(0, begin)}${lines().join("\n")}${text.slice(end + END.length)}`
}
