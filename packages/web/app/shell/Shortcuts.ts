/** Global single-key shortcuts. They are inactive in fields, and can be turned off. */
import * as Route from "@attestry/web/Route"
import * as Navigation from "../shared/Navigation.js"
import { isBehindDialog, isShortcut } from "../shared/PageKeys.js"
import { preferences, set } from "../shared/Preferences.js"
import { overlay, show, typeAhead } from "./Overlay.js"
import type { PlaceTag } from "./Places.js"

/** The pages that `g` followed by a letter opens. */
export const PLACES_BY_KEY: ReadonlyMap<string, PlaceTag> = new Map([
  ["o", "Overview"],
  ["f", "Flows"],
  ["p", "Policies"],
  ["w", "Waivers"],
  ["c", "Controls"],
  ["b", "Builds"],
  ["d", "Deployments"]
])

/** After `g`, the letter must follow within this time. */
const SEQUENCE_MS = 1_200

const FOCUSABLE = "a[href], button:not([disabled]), input, select, summary"

/** The focusable elements within an element. */
const stopsOf = (element: Element): ReadonlyArray<HTMLElement> =>
  [...element.querySelectorAll<HTMLElement>(FOCUSABLE)].filter((each) => each.checkVisibility())

/** The table row that has or contains the focus. */
const focusedRow = (): HTMLTableRowElement | null =>
  document.activeElement?.closest<HTMLTableRowElement>("main tbody tr") ?? null

/**
 * Moves to the next or previous row of the page's tables.
 *
 * WHY two ways: rows of long tables are focusable and handle keys themselves; in other tables, the first link of a
 * row takes the focus.
 */
const moveRow = (key: "j" | "k"): void => {
  const row = focusedRow()
  const first = document.querySelector<HTMLElement>('main tr[data-row][tabindex="0"]')
  if (row === null && first !== null) {
    first.focus()
    return
  }
  const rows = [...document.querySelectorAll<HTMLTableRowElement>("main tbody tr")].filter(
    (each) => each.checkVisibility() && stopsOf(each).length > 0
  )
  const at = row === null ? -1 : rows.indexOf(row)
  const next = row === null ? rows[0] : rows[key === "j" ? at + 1 : at - 1]
  if (next === undefined) return
  const link = next.querySelector<HTMLElement>("th a[href]") ?? stopsOf(next)[0]
  link?.focus()
}

/** Moves the focus through the actions of the focused row. */
const nextAction = (): void => {
  const row = focusedRow()
  if (row === null) return
  const stops = stopsOf(row)
  const at = stops.findIndex((each) => each.matches(":focus"))
  stops[(at + 1) % stops.length]?.focus()
}

/** Handles shortcuts for the page's list; false for other keys. */
const onList = (key: string): boolean => {
  if (key === "j" || key === "k") {
    moveRow(key)
    return true
  }
  if (key === "y") {
    const within: ParentNode = focusedRow() ?? document
    within.querySelector<HTMLElement>('button[aria-label="Copy fingerprint"]')?.click()
    return true
  }
  if (key !== ".") return false
  nextAction()
  return true
}

const isPaletteKey = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === "k" && (ctrlKey || metaKey) && !altKey && !shiftKey

/** WHY: keys typed right after the palette's shortcut belong to the palette, even before it is loaded. */
const onAwaitedPalette = (event: KeyboardEvent): boolean => {
  if (overlay.value !== "palette" || isBehindDialog()) return false
  if (event.key === "Escape") show("nothing")
  else if (!typeAhead(event)) return false
  event.preventDefault()
  return true
}

/** Listens to the keyboard. */
export const start = (): void => {
  // WHY not 0: that is when the page was loaded, and a letter soon after it would complete a sequence.
  let goSince = Number.NEGATIVE_INFINITY
  document.addEventListener("keydown", (event) => {
    if (isPaletteKey(event)) {
      event.preventDefault()
      if (!isBehindDialog()) show("palette")
      return
    }
    if (onAwaitedPalette(event) || !isShortcut(event)) return
    const org = Route.orgOf(Navigation.route.value)
    const place = PLACES_BY_KEY.get(event.key)
    if (place !== undefined && org !== undefined && event.timeStamp - goSince < SEQUENCE_MS) {
      // WHY: the letter completes the `g` sequence, and must not act as a shortcut of the page.
      event.preventDefault()
      Navigation.go(Route.parse(Route.to("", place, { org })))
      goSince = Number.NEGATIVE_INFINITY
    } else if (event.key === "g") goSince = event.timeStamp
    else if (event.key === "u") set({ zone: preferences.value.zone === "utc" ? "local" : "utc" })
    else if (event.key === "?") show("keys")
    else if (onList(event.key)) event.preventDefault()
    else if (event.key === "/") {
      const filter = document.querySelector<HTMLInputElement>("input[data-filter]")
      if (filter === null) return
      event.preventDefault()
      filter.select()
    }
  })
}
