/**
 * The documents of `attestry apply DIR`: one file per resource, in one folder per noun; the file name is the name of
 * the resource. All files are read and linted before the first request, and all their problems are collected.
 */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { basename, dirname, join, relative, resolve } from "node:path"
import * as FlowTemplate from "@attestry/core/FlowTemplate"
import * as NearestName from "@attestry/core/NearestName"
import * as YamlText from "@attestry/core/YamlText"
import * as Either from "effect/Either"
import * as Products from "../environment/cloud/Products.js"
import * as DocumentLint from "../policy/DocumentLint.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { CommandFailure, unreadable, usage } from "../shared/CommandFailure.js"
import * as Duration from "../shared/Duration.js"
import * as Json from "../shared/Json.js"
import * as NotificationTargets from "./NotificationTargets.js"

/** The folders and nouns, in the order of writing: referenced resources come first. */
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

type Path = ReadonlyArray<string | number>

/** The desired state of a resource; fields that the document omits are neither compared nor written. */
export interface Wanted {
  readonly noun: Noun
  readonly name: string
  readonly file: string
  readonly fields: Json.Fields
  /** The tags; undefined if the document omits them. */
  readonly tags: Json.Fields | undefined
  /** The position of a part of the document: `FILE:LINE:COLUMN`. */
  readonly at: (path: Path) => string
}

/** A problem and its position. */
export interface Problem {
  readonly place: string
  readonly message: string
}

/** The documents of a folder. */
export interface Documents {
  /** The documents without problems, in the order of writing. */
  readonly wanted: ReadonlyArray<Wanted>
  readonly problems: ReadonlyArray<Problem>
  /** Every document by noun and name, including those with problems. */
  readonly named: ReadonlyArray<Pick<Wanted, "noun" | "name">>
}

/** The type of a field. */
type FieldKind = "text" | "texts" | "boolean" | "duration" | "mapping" | "any"

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
    report_every: "duration",
    when_silent: "text",
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
  duration: (value) =>
    value === null || (typeof value === "string" && Duration.parse(value) !== undefined),
  mapping: Json.isObject,
  any: () => true
}

const EXPECTED: { readonly [K in FieldKind]: string } = {
  text: "a text",
  texts: "a list of texts",
  boolean: "true or false",
  duration: "a duration such as 15m, or null",
  mapping: "a mapping",
  any: "a value"
}

interface Place {
  readonly noun: Noun
  readonly name: string
  readonly path: string
  readonly shown: string
}

/** The result of reading a file: its resource, or its problems. */
type Read = Either.Either<Wanted, ReadonlyArray<Problem>>

const placed = (
  shown: string,
  problems: ReadonlyArray<{
    readonly line: number
    readonly column: number
    readonly message: string
  }>
): ReadonlyArray<Problem> =>
  problems.map(({ line, column, message }) => ({ place: `${shown}:${line}:${column}`, message }))

const textOf = (path: string, shown: string): Either.Either<string, ReadonlyArray<Problem>> =>
  Either.try({
    try: () => readFileSync(path, "utf8"),
    catch: () => [{ place: shown, message: "cannot be read" }]
  })

/** The problems of a document's members: unknown ones, and values of the wrong type. */
const memberProblems = (
  noun: Noun,
  value: Json.Fields,
  at: Wanted["at"]
): ReadonlyArray<Problem> => {
  const known = FIELDS[noun]
  return Json.members(value).flatMap(([name, member]) => {
    const kind = Object.hasOwn(known, name) ? known[name] : undefined
    if (kind === undefined) {
      const near = NearestName.find(name, Object.keys(known))
      const hint =
        near === undefined
          ? `there is: ${Object.keys(known).join(", ")}`
          : `did you mean \`${near}\`?`
      return [{ place: at([name]), message: `unknown key \`${name}\`; ${hint}` }]
    }
    return FITS[kind](member) ? [] : [{ place: at([name]), message: `expected ${EXPECTED[kind]}` }]
  })
}

/** The text of a flow's template, which is a mapping in the document or a file beside it. */
const templateOf = (
  { path, shown }: Place,
  { template, template_file: file }: Json.Fields,
  at: Wanted["at"]
): Either.Either<string | undefined, ReadonlyArray<Problem>> => {
  if (template !== undefined && file !== undefined)
    return Either.left([
      { place: at(["template_file"]), message: "names what template says: give one of them" }
    ])
  if (typeof file === "string") {
    const shownFile = join(dirname(shown), file)
    return Either.flatMap(textOf(resolve(dirname(path), file), shownFile), (text) => {
      const problems = DocumentLint.template(text)
      return problems.length === 0 ? Either.right(text) : Either.left(placed(shownFile, problems))
    })
  }
  if (template === undefined) return Either.right(undefined)
  // WHY JSON: every JSON text is YAML.
  const text = JSON.stringify(template)
  const problems = DocumentLint.template(text)
  return problems.length === 0
    ? Either.right(text)
    : Either.left(
        problems.map(({ path: inner, message }) => ({
          place: at(["template", ...(inner === FlowTemplate.ROOT_PATH ? [] : segments(inner))]),
          message
        }))
      )
}

/** Splits a path; numbers become indexes of lists. */
export const segments = (path: string): Path =>
  path.split(".").map((part) => (/^\d+$/.test(part) ? Number(part) : part))

const notificationFields = (
  context: CommandContext,
  fields: Json.Fields,
  at: Wanted["at"]
): Either.Either<Json.Fields, ReadonlyArray<Problem>> => {
  const to = Json.list(fields.to).map(String)
  const problems = [
    ...["environments", "on", "to"]
      .filter((name) => Json.list(fields[name]).length === 0)
      .map((name) => ({ place: at([name]), message: `\`${name}\` is missing` })),
    ...to.flatMap((text, index) => {
      try {
        NotificationTargets.parse(context, [text])
        return []
      } catch (error) {
        if (!(error instanceof CommandFailure)) throw error
        return [{ place: at(["to", index]), message: error.message }]
      }
    })
  ]
  if (problems.length > 0) return Either.left(problems)
  return Either.right({
    environments: fields.environments,
    triggers: Json.list(fields.on).map((word) => NotificationTargets.triggerOf(String(word))),
    targets: NotificationTargets.parse(context, to)
  })
}

const policyOf = ({ noun, name, shown }: Place, text: string): Read => {
  const { problems } = DocumentLint.policy(text)
  if (problems.length > 0) return Either.left(placed(shown, problems))
  return Either.right({
    noun,
    name,
    file: shown,
    fields: { text },
    tags: undefined,
    at: () => `${shown}:1:1`
  })
}

/** The file of a document, and the positions of its parts. */
interface DocumentPlace {
  readonly context: CommandContext
  readonly place: Place
  readonly at: Wanted["at"]
}

/** The cadence in seconds, as the API has it. */
const withSeconds = (fields: Json.Fields): Json.Fields => {
  const { report_every: every } = fields
  const millis = typeof every === "string" ? Duration.parse(every) : undefined
  return millis === undefined ? fields : { ...fields, report_every: millis / 1_000 }
}

/** The fields of a document, ready to compare and write. */
const ownFields = (
  { context, place, at }: DocumentPlace,
  value: Json.Fields
): Either.Either<Json.Fields, ReadonlyArray<Problem>> => {
  const { tags: _tags, template: _template, template_file: _file, ...written } = value
  const fields = withSeconds(written)
  if (place.noun === "notification") return notificationFields(context, fields, at)
  if (typeof fields.kind === "string")
    return Either.right({ ...fields, kind: Products.kindOf(fields.kind) })
  return Either.map(templateOf(place, value, at), (template) =>
    template === undefined ? fields : { ...fields, template }
  )
}

const wantedOf = (context: CommandContext, place: Place): Read => {
  const { noun, name, path, shown } = place
  return Either.flatMap(textOf(path, shown), (text): Read => {
    if (noun === "policy") return policyOf(place, text)
    const document = YamlText.parse(text)
    if (Either.isLeft(document)) return Either.left(placed(shown, document.left.problems))
    const { value, positionOf } = document.right
    const at = (inner: Path): string => {
      const { line, column } = positionOf(inner)
      return `${shown}:${line}:${column}`
    }
    if (!Json.isObject(value))
      return Either.left([{ place: `${shown}:1:1`, message: "expected a mapping" }])
    const members = memberProblems(noun, value, at)
    const own =
      members.length === 0 ? ownFields({ context, place, at }, value) : Either.left(members)
    return Either.map(own, (fields) => ({
      noun,
      name,
      file: shown,
      fields,
      tags: value.tags === undefined ? undefined : Json.object(value.tags),
      at
    }))
  })
}

const YAML = /\.(?:yaml|yml|json)$/

const placesIn = ({ host }: CommandContext, folder: string): ReadonlyArray<Place> => {
  const root = resolve(host.cwd, folder)
  if (!existsSync(root) || !statSync(root).isDirectory()) throw unreadable(`${folder} is no folder`)
  const names = FOLDERS.map(([name]) => name)
  const found = readdirSync(root).filter((name) => names.some((each) => each === name))
  if (found.length === 0) throw usage(`${folder} has none of the folders ${names.join(", ")}`)
  return FOLDERS.filter(([name]) => found.includes(name)).flatMap(([name, noun]) =>
    readdirSync(join(root, name))
      .filter((file) => YAML.test(file))
      .sort()
      .map((file) => {
        const path = join(root, name, file)
        const shown = relative(host.cwd, path)
        return { noun, name: basename(file).replace(YAML, ""), path, shown }
      })
  )
}

/** WHY: an environment that includes others is written after them. */
const isLate = ({ fields }: Wanted): number =>
  Number(Json.list(fields.included_environments).length > 0)

const orderOf = ({ noun }: Wanted): number => FOLDERS.findIndex(([, each]) => each === noun)

/** Reads the documents of a folder, and collects their problems. */
export const read = (context: CommandContext, folder: string): Documents => {
  const places = placesIn(context, folder)
  const documents = places.map((place) => wantedOf(context, place))
  const twice = places.filter(({ noun, name }, index) =>
    places.slice(0, index).some((each) => each.noun === noun && each.name === name)
  )
  return {
    wanted: documents
      .flatMap((each) => (Either.isRight(each) ? [each.right] : []))
      .sort((left, right) => orderOf(left) - orderOf(right) || isLate(left) - isLate(right)),
    problems: [
      ...documents.flatMap((each) => (Either.isLeft(each) ? each.left : [])),
      ...twice.map(({ noun, name, shown }) => ({
        place: shown,
        message: `another file is about the ${noun} ${name} too`
      }))
    ],
    named: places
  }
}
