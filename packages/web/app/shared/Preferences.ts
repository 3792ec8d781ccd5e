/** A person's display preferences, stored in this browser only. */
import { signal } from "@preact/signals"
import type { Zone } from "./TimeText.js"

export interface Preferences {
  readonly theme: "system" | "light" | "dark"
  readonly density: "comfortable" | "compact"
  readonly zone: Zone
  readonly shortcuts: "on" | "off"
}

/** The values of each preference; the first is the default. */
export const CHOICES: { readonly [Name in keyof Preferences]: ReadonlyArray<Preferences[Name]> } = {
  theme: ["system", "light", "dark"],
  density: ["comfortable", "compact"],
  zone: ["local", "utc"],
  shortcuts: ["on", "off"]
}

export const defaults: Preferences = {
  theme: "system",
  density: "comfortable",
  zone: "local",
  shortcuts: "on"
}

const pick = <A extends string>(choices: ReadonlyArray<A>, value: unknown, fallback: A): A =>
  choices.find((choice) => choice === value) ?? fallback

/** Parses stored preferences; an unknown value becomes the default. */
export const parse = (text: string | null): Preferences => {
  let stored: unknown
  try {
    stored = JSON.parse(text ?? "{}")
  } catch {
    return defaults
  }
  const values = new Map<string, unknown>(
    typeof stored === "object" && stored !== null ? Object.entries(stored) : []
  )
  return {
    theme: pick(CHOICES.theme, values.get("theme"), defaults.theme),
    density: pick(CHOICES.density, values.get("density"), defaults.density),
    zone: pick(CHOICES.zone, values.get("zone"), defaults.zone),
    shortcuts: pick(CHOICES.shortcuts, values.get("shortcuts"), defaults.shortcuts)
  }
}

const KEY = "attestry.preferences"

export const preferences = signal<Preferences>(defaults)

const apply = ({ theme, density }: Preferences): void => {
  const root = document.documentElement
  root.dataset.theme = theme
  root.dataset.density = density
}

/** Loads the stored preferences, and follows changes in other tabs. */
export const start = (): void => {
  const load = () => {
    preferences.value = parse(localStorage.getItem(KEY))
    apply(preferences.value)
  }
  load()
  addEventListener("storage", ({ key }) => {
    if (key === KEY) load()
  })
}

export const set = (change: Partial<Preferences>): void => {
  preferences.value = { ...preferences.value, ...change }
  localStorage.setItem(KEY, JSON.stringify(preferences.value))
  apply(preferences.value)
}
