/**
 * A resource that requests write: how it is created, changed and read. Its fields are not listed: they are those of the
 * published payloads.
 *
 * An entry says only what a schema cannot: values that must refer to something, and fields that are read elsewhere than
 * under their own name.
 */
import type { Pair } from "./FieldValue.js"

/** Any part of an answer. */
// biome-ignore lint/suspicious/noExplicitAny: answers of all operations, read by field
export type Shown = any

/** The parameters of a path. */
export type Place = { readonly [parameter: string]: string }

/** An operation that changes a resource. */
export interface Update {
  readonly by: string
  /** Whether fields that a request leaves out stay as they are. */
  readonly keeps: boolean
  /** Fields that every request must have although the schema does not say so. */
  readonly needs?: ReadonlyArray<string>
}

/** An operation that shows a resource, and where the resource is in its answer. */
export interface Read {
  readonly by: string
  readonly find?: (body: Shown, place: Place) => Shown
  /** Fields that it does not show. */
  readonly omits?: ReadonlyArray<string>
}

/** A resource. */
export interface WritableResource {
  readonly title: string
  readonly create: string
  readonly updates: ReadonlyArray<Update>
  readonly reads: ReadonlyArray<Read>
  /** Where the resource of a name is, once it is created. */
  readonly place: (name: string, created: Shown) => Place
  /** The read that says where a resource is, when its name and its creation do not. */
  readonly findPlace?: {
    readonly by: string
    readonly place: (body: Shown, name: string) => Place
    /** Whether the creation needs the place. */
    readonly isFirst?: boolean
  }
  /** Values of fields for a resource of a name. */
  readonly values: (name: string) => { readonly [field: string]: Pair }
  /** The alternative of the payload that the resource is, from 0. */
  readonly alternative?: number
  /** The member of the payload that has the fields, where they are not its own. */
  readonly within?: string
  /** Fields that are not shown under their own name: how a value of theirs is read. */
  readonly shown?: { readonly [field: string]: (resource: Shown) => unknown }
  /** Fields that no answer shows, each with the reason. */
  readonly hidden?: { readonly [field: string]: string }
  /** Fields of the payload that are left out, each with the reason. */
  readonly without?: { readonly [field: string]: string }
}

/** A value that only creation sets. */
export const fixed = (value: unknown): Pair => [value, value]

/** The member of a list with that value. */
export const named = (list: ReadonlyArray<Shown>, field: string, value: unknown): Shown =>
  list.find((each) => each[field] === value)

/** The place of a resource that its operations call `name`. */
export const BY_NAME = (name: string): Place => ({ name })

/** Why a field of a change is no field of the resource. */
export const notSet = "it removes values, and has none of its own"
