/** A person's display preferences. */
import { Page } from "../shared/Page.js"
import { CHOICES, type Preferences, preferences, set } from "../shared/Preferences.js"

interface Choice {
  readonly title: string
  readonly hint: string
  readonly words: { readonly [value: string]: string }
}

const TEXTS: { readonly [Name in keyof Preferences]: Choice } = {
  theme: {
    title: "Theme",
    hint: "The system's, unless you choose one.",
    words: { system: "As the system", light: "Light", dark: "Dark" }
  },
  density: {
    title: "Density of tables",
    hint: "Rows of 36 or of 28 pixels.",
    words: { comfortable: "Comfortable", compact: "Compact" }
  },
  zone: {
    title: "Time zone",
    hint: "Times older than two days are absolute, with their zone. The key u changes it anywhere.",
    words: { local: "Local time", utc: "UTC" }
  },
  shortcuts: {
    title: "Shortcuts of a single key",
    hint: "Switch them off where they get in the way of speech input.",
    words: { on: "On", off: "Off" }
  }
}

const NAMES: ReadonlyArray<keyof Preferences> = ["theme", "density", "zone", "shortcuts"]

const Choices = ({ name }: { readonly name: keyof Preferences }) => {
  const { title, hint, words } = TEXTS[name]
  return (
    <fieldset class="choice">
      <legend>{title}</legend>
      <p class="field-hint">{hint}</p>
      {CHOICES[name].map((value) => (
        <label key={value}>
          <input
            type="radio"
            name={name}
            value={value}
            checked={preferences.value[name] === value}
            onChange={() => set({ [name]: value })}
          />
          {words[value]}
        </label>
      ))}
    </fieldset>
  )
}

export const PreferencesPage = () => (
  <Page name="Preferences">
    <p class="quiet">They are kept in this browser alone.</p>
    <div class="choices">
      {NAMES.map((name) => (
        <Choices key={name} name={name} />
      ))}
    </div>
  </Page>
)
