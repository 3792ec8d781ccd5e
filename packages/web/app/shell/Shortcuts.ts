/** Single keys that work everywhere outside of fields, unless they are switched off. */
import * as Route from "@attestry/web/Route"
import * as Navigation from "../shared/Navigation.js"
import { isShortcut } from "../shared/PageKeys.js"
import { preferences, set } from "../shared/Preferences.js"
import type { PlaceTag } from "./Places.js"

/** The pages that `g` and a letter lead to. */
export const PLACES_BY_KEY: ReadonlyMap<string, PlaceTag> = new Map([
  ["o", "Overview"],
  ["f", "Flows"],
  ["p", "Policies"],
  ["c", "Controls"],
  ["d", "Deployments"]
])

/** `g` waits this long for its letter. */
const SEQUENCE_MS = 1_200

/** Listens to the keyboard. */
export const start = (): void => {
  let goSince = 0
  document.addEventListener("keydown", (event) => {
    if (!isShortcut(event)) return
    const org = Route.orgOf(Navigation.route.value)
    const place = PLACES_BY_KEY.get(event.key)
    if (place !== undefined && org !== undefined && event.timeStamp - goSince < SEQUENCE_MS) {
      // WHY: the letter belongs to `g`, and is no key of the page.
      event.preventDefault()
      Navigation.go(Route.parse(Route.to("", place, { org })))
      goSince = 0
    } else if (event.key === "g") goSince = event.timeStamp
    else if (event.key === "u") set({ zone: preferences.value.zone === "utc" ? "local" : "utc" })
    else if (event.key === "/") {
      const filter = document.querySelector<HTMLInputElement>("input[data-filter]")
      if (filter === null) return
      event.preventDefault()
      filter.select()
    }
  })
}
