/** The vocabulary of `list`: a noun with its operation, and columns of its items. */
import {
  type OperationName,
  type PathParameter,
  QUERY_PARAMETERS,
  type QueryParameter
} from "@attestry/api/OperationIndex"
import * as Json from "../shared/Json.js"
import { type Style, verdict } from "../shared/Style.js"

/** One column: its heading and the text of an item. */
export type Column = readonly [string, (item: Json.Fields, style: Style) => string]

/** A noun that can be listed. */
export interface ListNoun {
  readonly noun: string
  readonly brief: string
  readonly operation: OperationName
  /** The member with the items; absent if the answer is the array. */
  readonly items?: string
  /** Whether the operation has pages. */
  readonly isPaged: boolean
  /** The most items of a page. */
  readonly perPageMax?: number
  /** Flags that fill the path, by the name of the parameter; all are required. */
  readonly path?: { readonly [parameter: string]: string }
  /** Parts of the path with fixed values. */
  readonly fixedPath?: Json.Fields
  /** Flags that filter, by the name of the parameter. */
  readonly filters?: { readonly [parameter: string]: string }
  /** The sort keys; the first is the default. */
  readonly sorts?: ReadonlyArray<string>
  /** The default direction of a list that takes `sort_direction`. */
  readonly usualDirection?: "asc" | "desc"
  readonly columns: ReadonlyArray<Column>
}

/** A noun without the parts that its operation decides; its flags fill parameters that the operation has. */
type Described<
  Name extends OperationName,
  Path extends PathParameter<Name>,
  Filter extends QueryParameter<Name>
> = Omit<ListNoun, "operation" | "isPaged" | "path" | "filters"> & {
  readonly operation: Name
  readonly path?: Readonly<Record<Path, string>>
  readonly filters?: Readonly<Record<Filter, string>>
}

const QUERIES = new Map<string, ReadonlyArray<string>>(Object.entries(QUERY_PARAMETERS))

/** A noun; it has pages where its operation has. */
export const listed = <
  Name extends OperationName,
  Path extends PathParameter<Name>,
  Filter extends QueryParameter<Name>
>(
  noun: Described<Name, Path, Filter>
): ListNoun => ({ ...noun, isPaged: QUERIES.get(noun.operation)?.includes("page") === true })

/** A text; a dash without one. */
export const text =
  (name: string) =>
  (item: Json.Fields, style: Style): string => {
    const value = item[name]
    return value === null || value === undefined || value === "" ? "–" : style.text(value)
  }

/** The product name for a word of the wire; a dash without a word. */
export const product =
  (name: string, nameOf: (word: string) => string) =>
  (item: Json.Fields, style: Style): string => {
    const value = item[name]
    return typeof value === "string" ? style.text(nameOf(value)) : text(name)(item, style)
  }

/** An instant. */
export const instant =
  (name: string) =>
  (item: Json.Fields, style: Style): string =>
    style.instant(item[name])

/** A fingerprint or a commit. */
export const digest =
  (name: string) =>
  (item: Json.Fields, style: Style): string =>
    style.short(item[name])

/** Whether it is compliant. */
export const outcome =
  (name: string) =>
  (item: Json.Fields, style: Style): string =>
    verdict(style, item[name])

/** A list of names. */
export const names =
  (name: string) =>
  (item: Json.Fields, style: Style): string => {
    const found = Json.list(item[name]).map(style.text)
    return found.length === 0 ? "–" : found.join(", ")
  }

/** The name. */
export const NAME: Column = ["NAME", text("name")]
