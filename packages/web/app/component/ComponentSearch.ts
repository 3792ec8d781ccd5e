/** The search of a list of components, in the address. */
import * as Route from "@attestry/web/Route"

/** The fewest characters of a search. WHY a number here: the use case of core that has it has Effect with it. */
export const SEARCH_CHARACTERS_MIN = 3

/** A search, undefined without one; a short one is not sent. */
export interface ComponentSearch {
  readonly text: string | undefined
  readonly isTooShort: boolean
}

export const searchOf = (route: Pick<Route.Route, "query">): ComponentSearch => {
  const text = Route.parameter(route, "q")?.trim() ?? ""
  return text === ""
    ? { text: undefined, isTooShort: false }
    : { text, isTooShort: text.length < SEARCH_CHARACTERS_MIN }
}
