/** Plans the changes of `attestry apply`: compares a document with the resource on the server. Pure. */
import * as Json from "../shared/Json.js"
import type { Wanted } from "./ApplyDocuments.js"

/** The resource on the server, in the form of documents. */
export interface Current {
  readonly fields: Json.Fields
  readonly tags: Json.Fields
}

/** The change of one resource. */
export interface Step {
  readonly wanted: Wanted
  readonly action: "create" | "update" | "same"
  /** The fields that differ. */
  readonly changed: ReadonlyArray<string>
  /** The changes as text for people. */
  readonly changes: ReadonlyArray<string>
  /** The tags to set and the keys to remove; undefined without a change. */
  readonly tags: { readonly set: Json.Fields; readonly removed: ReadonlyArray<string> } | undefined
}

/** Lists whose order does not matter. */
const SETS = ["policies", "included_environments", "environments", "triggers"]

/** Members whose values are too long or secret to show. */
const NOT_SHOWN = ["text", "template", "schema", "targets", "jq", "summary", "links"]

/** The canonical text of a value. */
const canonical = (value: unknown, isSet: boolean): string => {
  if (Array.isArray(value)) {
    const items = value.map((item) => canonical(item, false))
    return `[${(isSet ? [...items].sort() : items).join(",")}]`
  }
  if (!Json.isObject(value)) return JSON.stringify(value ?? null)
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonical(value[name], false)}`)
  return `{${members.join(",")}}`
}

const shown = (value: unknown): string => {
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.join(", ")
  return value === undefined || value === null || value === "" ? "none" : String(value)
}

const changeText = (name: string, before: unknown, after: unknown): string =>
  NOT_SHOWN.includes(name) ? `${name} differs` : `${name}: ${shown(before)} → ${shown(after)}`

const tagsOf = ({ tags }: Wanted, current: Json.Fields): Step["tags"] => {
  if (tags === undefined) return undefined
  const set = Object.fromEntries(
    Object.entries(tags)
      .map(([key, value]) => [key, String(value)] as const)
      .filter(([key, value]) => !Object.hasOwn(current, key) || current[key] !== value)
  )
  const removed = Object.keys(current).filter((key) => !Object.hasOwn(tags, key))
  return Object.keys(set).length + removed.length === 0 ? undefined : { set, removed }
}

/** The step for one document. */
export const stepOf = (wanted: Wanted, current: Current | undefined): Step => {
  const tags = tagsOf(wanted, current?.tags ?? {})
  if (current === undefined)
    return { wanted, action: "create", changed: Object.keys(wanted.fields), changes: ["new"], tags }
  const changed = Object.keys(wanted.fields).filter((name) => {
    const isSet = SETS.includes(name)
    return canonical(wanted.fields[name], isSet) !== canonical(current.fields[name], isSet)
  })
  const changes = [
    ...changed.map((name) => changeText(name, current.fields[name], wanted.fields[name])),
    ...(tags === undefined
      ? []
      : [`tags: ${[...Object.keys(tags.set), ...tags.removed.map((key) => `${key}-`)].join(", ")}`])
  ]
  return { wanted, action: changes.length === 0 ? "same" : "update", changed, changes, tags }
}
