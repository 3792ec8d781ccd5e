/** The vocabulary of `list`: a noun with its operation, and the columns of its items. */
import {
  type OperationName,
  type PathParameter,
  QUERY_PARAMETERS,
  type QueryParameter
} from "@attestry/api/OperationIndex"
import * as Json from "../shared/Json.js"
import { type Style, verdict } from "../shared/Style.js"

/** A column: its heading, and the text for an item. */
export type Column = readonly [string, (item: Json.Fields, style: Style) => string]

/** A noun of `list`. */
export interface ListNoun {
  readonly noun: string
  readonly brief: string
  readonly operation: OperationName
  /** The list of the whole org, used without the flags of the path. */
  readonly ofOrg?: ListNoun
  /** The member with the items; absent if the answer is an array. */
  readonly items?: string
  /** Whether the operation has pages. */
  readonly isPaged: boolean
  /** The maximum page size. */
  readonly perPageMax?: number
  /** Flags that fill the path, by parameter name; all are required unless there is a list of the whole org. */
  readonly path?: { readonly [parameter: string]: string }
  /** Path parameters with fixed values. */
  readonly fixedPath?: Json.Fields
  /** Query parameters with fixed values. */
  readonly fixedQuery?: Json.Fields
  /** Flags that filter, by parameter name. */
  readonly filters?: { readonly [parameter: string]: string }
  /** The sort keys; the first is the default. */
  readonly sorts?: ReadonlyArray<string>
  /** The default of `sort_direction`, for a list that accepts it. */
  readonly usualDirection?: "asc" | "desc"
  /** Whether the operation accepts `reverse`. */
  readonly takesReverse: boolean
  readonly columns: ReadonlyArray<Column>
}

/** A noun without the parts that follow from its operation; its flags must be parameters of the operation. */
type Described<
  Name extends OperationName,
  Path extends PathParameter<Name>,
  Filter extends QueryParameter<Name>
> = Omit<ListNoun, "operation" | "isPaged" | "takesReverse" | "path" | "filters"> & {
  readonly operation: Name
  readonly path?: Readonly<Record<Path, string>>
  readonly filters?: Readonly<Record<Filter, string>>
}

const QUERIES = new Map<string, ReadonlyArray<string>>(Object.entries(QUERY_PARAMETERS))

const takes = (operation: string, parameter: string): boolean =>
  QUERIES.get(operation)?.includes(parameter) === true

/** Completes a noun: its operation decides whether it has pages and whether it accepts `reverse`. */
export const listed = <
  Name extends OperationName,
  Path extends PathParameter<Name>,
  Filter extends QueryParameter<Name>
>(
  noun: Described<Name, Path, Filter>
): ListNoun => ({
  ...noun,
  isPaged: takes(noun.operation, "page"),
  takesReverse: takes(noun.operation, "reverse")
})

/** How the other order of a list is had: by a parameter of the server, or by reading the whole list. */
export const reversalOf = ({
  usualDirection,
  takesReverse
}: ListNoun): "direction" | "parameter" | "whole" => {
  if (usualDirection !== undefined) return "direction"
  return takesReverse ? "parameter" : "whole"
}

/** A text column; a dash if the text is absent. */
export const text =
  (name: string) =>
  (item: Json.Fields, style: Style): string => {
    const value = item[name]
    return value === null || value === undefined || value === "" ? "–" : style.text(value)
  }

/** A column with the product name of a value; a dash if it is absent. */
export const product =
  (name: string, nameOf: (word: string) => string) =>
  (item: Json.Fields, style: Style): string => {
    const value = item[name]
    return typeof value === "string" ? style.text(nameOf(value)) : text(name)(item, style)
  }

/** A column with an instant. */
export const instant =
  (name: string) =>
  (item: Json.Fields, style: Style): string =>
    style.instant(item[name])

/** A column with a fingerprint or a commit. */
export const digest =
  (name: string) =>
  (item: Json.Fields, style: Style): string =>
    style.short(item[name])

/** A column with an outcome. */
export const outcome =
  (name: string) =>
  (item: Json.Fields, style: Style): string =>
    verdict(style, item[name])

/** A column with a list of names. */
export const names =
  (name: string) =>
  (item: Json.Fields, style: Style): string => {
    const found = Json.list(item[name]).map(style.text)
    return found.length === 0 ? "–" : found.join(", ")
  }

/** The column of names. */
export const NAME: Column = ["NAME", text("name")]
