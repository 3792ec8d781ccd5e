/**
 * Patches of SCIM resources, as Okta and Entra send them (RFC 7644, section 3.5.2). Pure and total: all operations of a
 * patch have an effect, or none.
 *
 * What programs send in several forms has one meaning: names of operations and attributes in any case, one value or a
 * list of it, a value without a path whose names are paths. Adding what is there changes nothing.
 */
import * as Either from "effect/Either"
import {
  booleanOf,
  type Fields,
  fold,
  isFields,
  memberOf,
  merged,
  type Read,
  refuse,
  without,
  withValue
} from "./ScimJson.js"
import * as ScimPath from "./ScimPath.js"

/** The most operations of a patch. */
export const OPERATIONS_MAX = 1_000
/** The most values of all operations of a patch. */
export const VALUES_MAX = 10_000
/** The most characters of the attributes of a resource, as JSON. */
export const ATTRIBUTES_LENGTH_MAX = 8_192

/** The most characters that are compared while a patch is applied: a few milliseconds of work. */
const WORK_MAX = 1_048_576

/** What an operation does. */
export type Verb = "add" | "replace" | "remove"

/** One operation on one attribute. */
export interface Operation {
  readonly verb: Verb
  readonly path: ScimPath.ScimPath
  /** Undefined without a value. */
  readonly value: unknown
}

/** Attributes that the service decides; operations on them have no effect. */
const IGNORED: ReadonlySet<string> = new Set(["meta", "groups", "roles", "schemas", "password"])

const verbOf = (op: unknown): Verb | undefined => {
  const text = typeof op === "string" ? fold(op) : ""
  return text === "add" || text === "replace" || text === "remove" ? text : undefined
}

/** The operations of one entry: a value without a path has a path for each of its names. */
const operationsOf = (entry: unknown): Read<ReadonlyArray<Operation>> => {
  if (!isFields(entry)) return refuse("invalidSyntax", "an operation must be a JSON object")
  const verb = verbOf(memberOf(entry, "op"))
  if (verb === undefined)
    return refuse("invalidSyntax", "the op of an operation must be add, replace or remove")
  const [path, value] = [memberOf(entry, "path"), memberOf(entry, "value")]
  if (verb !== "remove" && value === undefined)
    return refuse("invalidValue", "an operation that adds or replaces needs a value")
  if (typeof path === "string" && path !== "")
    return Either.map(ScimPath.parse(path), (parsed) => [{ verb, path: parsed, value }])
  if (path !== undefined && path !== null && path !== "")
    return refuse("invalidPath", "a path must be a text")
  if (verb === "remove") return refuse("noTarget", "an operation that removes needs a path")
  if (!isFields(value))
    return refuse("invalidValue", "the value of an operation without a path must be an object")
  const operations: Array<Operation> = []
  for (const [name, each] of Object.entries(value)) {
    if (fold(name) === "id") continue
    const parsed = ScimPath.parse(name)
    if (Either.isLeft(parsed)) return Either.left(parsed.left)
    operations.push({ verb, path: parsed.right, value: each })
  }
  return Either.right(operations)
}

const countOf = (value: unknown): number => (Array.isArray(value) ? value.length : 1)

const isOfTheService = ({ attribute, extension }: ScimPath.ScimPath): boolean =>
  extension === null && IGNORED.has(fold(attribute))

/** The operations of a patch, without those on attributes that the service decides. */
export const parse = (body: unknown): Read<ReadonlyArray<Operation>> => {
  const entries = isFields(body) ? memberOf(body, "Operations") : undefined
  if (!Array.isArray(entries) || entries.length === 0)
    return refuse("invalidSyntax", "a patch must have Operations")
  if (entries.length > OPERATIONS_MAX)
    return refuse("tooMany", `a patch has at most ${OPERATIONS_MAX} operations`)
  const operations: Array<Operation> = []
  let values = 0
  for (const entry of entries) {
    const found = operationsOf(entry)
    if (Either.isLeft(found)) return Either.left(found.left)
    for (const operation of found.right) {
      values += countOf(operation.value)
      if (values > VALUES_MAX) return refuse("tooMany", `a patch has at most ${VALUES_MAX} values`)
      if (operation.path.extension === null && fold(operation.path.attribute) === "id")
        return refuse("mutability", "the id of a resource never changes")
      if (!isOfTheService(operation.path)) operations.push(operation)
      if (operations.length > OPERATIONS_MAX)
        return refuse("tooMany", `a patch has at most ${OPERATIONS_MAX} operations`)
    }
  }
  return Either.right(operations)
}

const printed = (value: unknown): string => JSON.stringify(value) ?? ""

const listOf = (value: unknown): ReadonlyArray<unknown> =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]

/** A list with more elements; those that are there already are not added. */
const appended = (list: ReadonlyArray<unknown>, more: ReadonlyArray<unknown>) => {
  const known = new Set(list.map(printed))
  return [
    ...list,
    ...more.filter((each) => {
      const isNew = !known.has(printed(each))
      known.add(printed(each))
      return isNew
    })
  ]
}

/** The value of an attribute after a value is added to it or replaces it. */
const put = (current: unknown, { value, verb }: Operation): unknown => {
  if (isFields(current) && isFields(value)) return merged(current, value)
  if (verb === "add" && (Array.isArray(current) || Array.isArray(value)))
    return appended(listOf(current), listOf(value))
  return Array.isArray(current) && !Array.isArray(value) ? listOf(value) : value
}

const isSelected = (element: unknown, { attribute, value }: ScimPath.Selection): boolean => {
  const found = isFields(element) ? memberOf(element, attribute) : element
  return typeof found === "string" && typeof value === "string"
    ? fold(found) === fold(value)
    : found === value
}

/** An element of a list after an operation on it, or on its part. */
const changed = (element: unknown, { path, value }: Operation): unknown => {
  const own = isFields(element) ? element : {}
  if (path.part !== null) return withValue(own, path.part, value)
  return isFields(value) ? merged(own, value) : own
}

/** Whether an operation changes what its path selects by, so that it finds nothing when it is repeated. */
const movesSelection = ({ path, value }: Operation, selection: ScimPath.Selection): boolean =>
  path.part === null
    ? isFields(value) &&
      memberOf(value, selection.attribute) !== undefined &&
      !isSelected(value, selection)
    : fold(path.part) === fold(selection.attribute)

/** A list after an operation on the elements that a path selects; an element that is not there is made. */
const patchedList = (
  current: unknown,
  operation: Operation,
  selection: ScimPath.Selection
): Read<ReadonlyArray<unknown>> => {
  if (current !== undefined && !Array.isArray(current))
    return refuse("noTarget", "the path selects elements of an attribute that is no list")
  const list = listOf(current)
  const { part } = operation.path
  if (operation.verb === "remove")
    return Either.right(
      part === null
        ? list.filter((each) => !isSelected(each, selection))
        : list.map((each) =>
            isSelected(each, selection) && isFields(each) ? without(each, part) : each
          )
    )
  if (part === null && !isFields(operation.value))
    return refuse("invalidValue", "the value of an element must be a JSON object")
  if (list.some((each) => isSelected(each, selection)))
    return Either.right(
      list.map((each) => (isSelected(each, selection) ? changed(each, operation) : each))
    )
  if (movesSelection(operation, selection)) return refuse("noTarget", "the path selects no element")
  return Either.right([...list, changed({ [selection.attribute]: selection.value }, operation)])
}

/** A resource, or the part of it that an extension has, after one operation. */
const applied = (fields: Fields, operation: Operation): Read<Fields> => {
  const { attribute, part, selection } = operation.path
  const current = memberOf(fields, attribute)
  if (selection !== null) {
    if (current === undefined && operation.verb === "remove") return Either.right(fields)
    return Either.map(patchedList(current, operation, selection), (list) =>
      withValue(fields, attribute, list)
    )
  }
  if (operation.verb === "remove") {
    if (part === null) return Either.right(without(fields, attribute))
    return Either.right(
      isFields(current) ? withValue(fields, attribute, without(current, part)) : fields
    )
  }
  if (part !== null) {
    const own = isFields(current) ? current : {}
    return Either.right(withValue(fields, attribute, withValue(own, part, operation.value)))
  }
  const next = put(current, operation)
  return Either.right(
    next === null || next === undefined
      ? without(fields, attribute)
      : withValue(fields, attribute, next)
  )
}

/** A resource after an operation on it, or on what an extension has. */
const appliedAnywhere = (fields: Fields, operation: Operation): Read<Fields> => {
  const { extension } = operation.path
  if (extension === null) return applied(fields, operation)
  const inner = memberOf(fields, extension)
  return Either.map(applied(isFields(inner) ? inner : {}, operation), (changedInner) =>
    withValue(fields, extension, changedInner)
  )
}

/** An operation on `active` with its value as a boolean; other operations as they are. */
const withBoolean = (operation: Operation): Read<Operation> => {
  const { path, value, verb } = operation
  return path.extension === null && fold(path.attribute) === "active" && verb !== "remove"
    ? Either.map(booleanOf(value, "active"), (active) => ({ ...operation, value: active }))
    : Either.right(operation)
}

/** A resource after the operations of a patch. */
export const apply = (resource: Fields, operations: ReadonlyArray<Operation>): Read<Fields> => {
  let fields = resource
  let work = 0
  for (const given of operations) {
    const next = Either.flatMap(withBoolean(given), (each) => appliedAnywhere(fields, each))
    if (Either.isLeft(next)) return next
    fields = next.right
    // WHY after each operation: an attribute that grows would cost more with each one.
    const { length } = printed(memberOf(fields, given.path.extension ?? given.path.attribute))
    work += length
    if (work > WORK_MAX) return refuse("tooMany", "a patch changes less at once")
    if (length > ATTRIBUTES_LENGTH_MAX)
      return refuse("invalidValue", `attributes have at most ${ATTRIBUTES_LENGTH_MAX} characters`)
  }
  return Either.right(fields)
}
