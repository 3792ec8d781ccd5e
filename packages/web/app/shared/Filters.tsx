/** Fields that filter a list; each is a parameter of the address, and a change goes back to the first page. */
import * as Route from "@attestry/web/Route"
import { useEffect, useRef } from "preact/hooks"
import * as Navigation from "./Navigation.js"
import * as Reveal from "./Reveal.js"
import * as Shorten from "./Shorten.js"

/** A list asks the server this long after the last key. */
const TYPING_MS = 200

/**
 * Writes the text of a field to the address: the first change makes an entry to go back to, and those that
 * follow replace it until the field is left or the address has another value.
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

/** A text of the address. */
export const TextFilter = ({
  route,
  name,
  label,
  isMain = false
}: {
  readonly route: Route.Route
  readonly name: string
  readonly label: string
  /** The field that the key `/` leads to. */
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

/** An option has at most this many characters: the list of options is as wide as its longest. */
const OPTION_LENGTH_MAX = 60

/** The text of an option, which can have no elements in it. */
const optionText = (text: string): string => Shorten.middle(Reveal.plain(text), OPTION_LENGTH_MAX)

/** A choice of the address; without one every value fits. */
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

/** A day of the address, in UTC; a list without numbered pages goes back to its newest. */
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

/** Says that the filters leave nothing, and clears them. */
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

/** Whether the address has one of the filters. */
export const isFiltered = (
  route: Pick<Route.Route, "query">,
  names: ReadonlyArray<string>
): boolean => names.some((name) => Route.parameter(route, name) !== undefined)
