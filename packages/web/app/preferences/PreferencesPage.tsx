/** A person's preferences: the default org, identities, how pages look, and the person's API keys. */
import { useSignal } from "@preact/signals"
import * as Session from "../session/Session.js"
import { useWrite } from "../session/Writing.js"
import type * as Contract from "../shared/Contract.js"
import { Page } from "../shared/Page.js"
import { CHOICES, type Preferences, preferences, set } from "../shared/Preferences.js"
import { OwnIdentities } from "./OwnIdentities.js"
import { OwnKeys } from "./OwnKeys.js"

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

/** The org that opens first. WHY not for one org: it opens anyway. */
const DefaultOrg = ({ session }: { readonly session: Contract.Session }) => {
  const write = useWrite()
  const problem = useSignal("")
  const choose = async (org: string) => {
    const written = await write("user.setDefaultOrg", { org })
    problem.value = written._tag === "Refused" ? written.problem.message : ""
    if (written._tag === "Done") await Session.load()
  }
  if (session.orgs.length < 2) return null
  return (
    <fieldset class="choice">
      <legend>Org that opens first</legend>
      <p class="field-hint">It is kept on the server, for every browser.</p>
      {session.orgs.map(({ name }) => (
        <label key={name}>
          <input
            type="radio"
            name="default-org"
            value={name}
            checked={session.default_org === name}
            onChange={() => void choose(name)}
          />
          {name}
        </label>
      ))}
      <p class="field-problem" role="alert">
        {problem.value}
      </p>
    </fieldset>
  )
}

export const PreferencesPage = () => {
  const session = Session.current()
  return (
    <Page name="Preferences">
      <p class="quiet">They are kept in this browser alone, unless noted.</p>
      <div class="choices">
        {session === undefined ? null : <DefaultOrg session={session} />}
        {session === undefined ? null : <OwnIdentities />}
        {NAMES.map((name) => (
          <Choices key={name} name={name} />
        ))}
      </div>
      {session === undefined ? null : <OwnKeys />}
    </Page>
  )
}
