/** Filter fields of a list. Each is a URL parameter, and a change returns to the first page. */
import * as Route from "@attestry/web/Route"
import { useEffect, useRef } from "preact/hooks"
import * as Navigation from "./Navigation.js"
import * as Reveal from "./Reveal.js"
import * as Shorten from "./Shorten.js"

/** A list queries the server this long after the last key. */
const TYPING_MS = 200

/**
 * Writes the text of a field to the URL. The first change adds a history entry; further changes replace it until the
 * field loses focus or the URL gets another value.
 */
export const useTypedQuery = (
  name: string
): { readonly write: (value: string) => void; readonly leave: () => void } => {
  const written = useRef<string | undefined>(undefined)
  return {
    write: (value) => {
      const before = Route.parameter(Navigation.route.peek(), name) ?? ""
      if (value === before) return
      Navigation.setQuery(
        { [name]: value === "" ? undefined : value, page: undefined },
        { replace: written.current === before }
      )
      written.current = value
    },
    leave: () => {
      written.current = undefined
    }
  }
}

export const TextFilter = ({
  route,
  name,
  label,
  isMain = false
}: {
  readonly route: Route.Route
  readonly name: string
  readonly label: string
  /** Whether the key `/` moves the focus to this field. */
  readonly isMain?: boolean
}) => {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const typed = useTypedQuery(name)
  useEffect(() => () => clearTimeout(timer.current), [])
  return (
    <input
      type="search"
      {...(isMain ? { "data-filter": true } : {})}
      aria-label={label}
      placeholder={isMain ? `${label} ( / )` : label}
      value={Route.parameter(route, name) ?? ""}
      onInput={({ currentTarget: { value } }) => {
        clearTimeout(timer.current)
        timer.current = setTimeout(() => typed.write(value), TYPING_MS)
      }}
      onBlur={typed.leave}
    />
  )
}

/** WHY a maximum: the list of options is as wide as its longest one. */
const OPTION_LENGTH_MAX = 60

/** The text of an option, which cannot contain elements. */
const optionText = (text: string): string => Shorten.middle(Reveal.plain(text), OPTION_LENGTH_MAX)

/** A choice; no choice matches every value. */
export const ChoiceFilter = ({
  route,
  name,
  label,
  any,
  options
}: {
  readonly route: Route.Route
  readonly name: string
  readonly label: string
  readonly any: string
  readonly options: ReadonlyArray<readonly [value: string, text: string]>
}) => {
  const value = Route.parameter(route, name) ?? ""
  const isKnown = value === "" || options.some(([each]) => each === value)
  return (
    <select
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) =>
        Navigation.setQuery({
          [name]: currentTarget.value === "" ? undefined : currentTarget.value,
          page: undefined
        })
      }
    >
      <option value="">{any}</option>
      {isKnown ? null : <option value={value}>{optionText(value)}</option>}
      {options.map(([each, text]) => (
        <option key={each} value={each}>
          {optionText(text)}
        </option>
      ))}
    </select>
  )
}

/** A day in UTC. In a list with a cursor, a change returns to the newest items. */
export const DayFilter = ({
  route,
  name,
  label
}: {
  readonly route: Route.Route
  readonly name: "from" | "to"
  readonly label: string
}) => (
  <label class="filter-labelled">
    {label}
    <input
      type="date"
      value={Route.parameter(route, name) ?? ""}
      onChange={({ currentTarget: { value } }) =>
        Navigation.setQuery({
          [name]: value === "" ? undefined : value,
          page: undefined,
          before: undefined
        })
      }
    />
  </label>
)

/** Notes that the filters match nothing, and offers to clear them. */
export const NothingFits = ({
  what,
  names
}: {
  readonly what: string
  readonly names: ReadonlyArray<string>
}) => (
  <div class="note">
    <strong>No {what} fits the filters</strong>
    <p>
      <button
        type="button"
        class="button"
        onClick={() =>
          Navigation.setQuery(
            Object.fromEntries([...names, "page"].map((name) => [name, undefined]))
          )
        }
      >
        Clear filters
      </button>
    </p>
  </div>
)

/** Whether the URL has one of the filters. */
export const isFiltered = (
  route: Pick<Route.Route, "query">,
  names: ReadonlyArray<string>
): boolean => names.some((name) => Route.parameter(route, name) !== undefined)
