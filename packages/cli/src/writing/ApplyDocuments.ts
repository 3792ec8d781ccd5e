/**
 * The documents of `attestry apply DIR`: one file for each resource, in a folder for each noun. The name of a file is
 * the name of its resource. Every file is read and linted before anything is asked or sent.
 */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { basename, dirname, join, relative, resolve } from "node:path"
import * as TemplateLint from "../policy/TemplateLint.js"
import * as YamlSettings from "../settings/YamlSettings.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { unreadable, usage } from "../shared/CommandFailure.js"
import * as Json from "../shared/Json.js"
import * as NotificationTargets from "./NotificationTargets.js"
import { checkPolicy } from "./PutCommands.js"

/** The nouns, in the order in which they are written: what others refer to comes first. */
export const FOLDERS = [
  ["types", "type"],
  ["controls", "control"],
  ["policies", "policy"],
  ["flows", "flow"],
  ["environments", "environment"],
  ["notifications", "notification"]
] as const

/** A noun that can be applied. */
export type Noun = (typeof FOLDERS)[number][1]

/** A resource as a document wants it; only the fields that it says are compared and written. */
export interface Wanted {
  readonly noun: Noun
  readonly name: string
  readonly file: string
  readonly fields: Json.Fields
  /** The tags; undefined where the document does not say them. */
  readonly tags: Json.Fields | undefined
}

/** How a field is read. */
type FieldKind = "text" | "texts" | "boolean" | "mapping" | "any"

const FIELDS: { readonly [N in Noun]: { readonly [field: string]: FieldKind } } = {
  type: { description: "text", schema: "any", jq: "texts", summary: "mapping" },
  control: { name: "text", description: "text", links: "mapping", tags: "mapping" },
  policy: {},
  flow: {
    description: "text",
    visibility: "text",
    template: "mapping",
    template_file: "text",
    tags: "mapping"
  },
  environment: {
    kind: "text",
    description: "text",
    include_scaling: "boolean",
    require_provenance: "boolean",
    included_environments: "texts",
    policies: "texts",
    tags: "mapping"
  },
  notification: { environments: "texts", on: "texts", to: "texts" }
}

const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((item) => typeof item === "string")

const FITS: { readonly [K in FieldKind]: (value: unknown) => boolean } = {
  text: (value) => typeof value === "string",
  texts: isTexts,
  boolean: (value) => typeof value === "boolean",
  mapping: Json.isObject,
  any: () => true
}

const EXPECTED: { readonly [K in FieldKind]: string } = {
  text: "a text",
  texts: "a list of texts",
  boolean: "true or false",
  mapping: "a mapping",
  any: "a value"
}

const fieldsOf = (reader: YamlSettings.Reader, noun: Noun): Json.Fields =>
  Object.fromEntries(
    Object.entries(FIELDS[noun]).flatMap(([name, kind]) => {
      const value = reader.value(name)
      if (value === undefined) return []
      if (!FITS[kind](value)) throw reader.problem([name], `expected ${EXPECTED[kind]}`)
      return [[name, value]]
    })
  )

const readFile = (path: string, shown: string): string => {
  try {
    return readFileSync(path, "utf8")
  } catch (cause) {
    throw unreadable(`${shown} cannot be read`, undefined, cause)
  }
}

/** The template of a flow as its text: a mapping of the document, or a file beside it. */
const templateOf = async (path: string, fields: Json.Fields): Promise<string | undefined> => {
  const { template, template_file: file } = fields
  if (template !== undefined && file !== undefined)
    throw usage(`${path}: template and template_file name the same thing: give one of them`)
  // WHY JSON: it is YAML too.
  const text =
    typeof file === "string"
      ? readFile(resolve(dirname(path), file), file)
      : template === undefined
        ? undefined
        : JSON.stringify(template)
  if (text !== undefined) await TemplateLint.check(typeof file === "string" ? file : path, text)
  return text
}

const notificationFields = (
  context: CommandContext,
  reader: YamlSettings.Reader,
  fields: Json.Fields
): Json.Fields => {
  for (const name of ["environments", "on", "to"])
    if (Json.list(fields[name]).length === 0) throw reader.problem([], `\`${name}\` is missing`)
  return {
    environments: fields.environments,
    triggers: Json.list(fields.on).map((word) => NotificationTargets.triggerOf(String(word))),
    targets: NotificationTargets.parse(context, Json.list(fields.to).map(String))
  }
}

interface Place {
  readonly noun: Noun
  readonly name: string
  readonly path: string
  readonly shown: string
}

const wantedOf = async (context: CommandContext, place: Place): Promise<Wanted> => {
  const { noun, name, path, shown } = place
  if (noun === "policy") {
    const text = readFile(path, shown)
    await checkPolicy(shown, text)
    return { noun, name, file: shown, fields: { text }, tags: undefined }
  }
  const reader = await YamlSettings.read(path, shown, Object.keys(FIELDS[noun]))
  const { tags, template_file: _file, template: _template, ...fields } = fieldsOf(reader, noun)
  const own: Json.Fields =
    noun === "notification" ? notificationFields(context, reader, fields) : fields
  const template = noun === "flow" ? await templateOf(path, fieldsOf(reader, noun)) : undefined
  return {
    noun,
    name,
    file: shown,
    fields: template === undefined ? own : { ...own, template },
    tags: tags === undefined ? undefined : Json.object(tags)
  }
}

const YAML = /\.(?:yaml|yml|json)$/

/** Every document of a folder, in the order in which they are written. */
export const read = async (
  context: CommandContext,
  folder: string
): Promise<ReadonlyArray<Wanted>> => {
  const root = resolve(context.host.cwd, folder)
  if (!existsSync(root) || !statSync(root).isDirectory()) throw unreadable(`${folder} is no folder`)
  const names = FOLDERS.map(([name]) => name)
  const found = readdirSync(root).filter((name) => names.some((each) => each === name))
  if (found.length === 0) throw usage(`${folder} has none of the folders ${names.join(", ")}`)
  const wanted: Array<Wanted> = []
  for (const [name, noun] of FOLDERS.filter(([each]) => found.includes(each)))
    for (const file of readdirSync(join(root, name))
      .filter((each) => YAML.test(each))
      .sort()) {
      const path = join(root, name, file)
      const shown = relative(context.host.cwd, path)
      wanted.push(
        await wantedOf(context, { noun, name: basename(file).replace(YAML, ""), path, shown })
      )
    }
  return wanted
}
