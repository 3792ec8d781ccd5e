/** The breadcrumbs, and the controls for time zone and theme. */

import { Icon } from "../shared/Icon.js"
import * as Navigation from "../shared/Navigation.js"
import { CHOICES, preferences, set } from "../shared/Preferences.js"
import { RevealedText } from "../shared/RevealedText.js"
import { crumbsOf } from "./Crumbs.js"
import { show } from "./Overlay.js"

const THEME_ICONS = { system: "system", light: "sun", dark: "moon" } as const

const ZONE_WORDS = { local: "Local time", utc: "UTC" } as const

const Crumbs = () => (
  <nav aria-label="Breadcrumb" class="crumbs">
    <ol>
      {crumbsOf(Navigation.route.value).map(({ text, to }, index, all) => (
        <li key={text}>
          {to === undefined || index === all.length - 1 ? (
            <span aria-current="page">
              <RevealedText text={text} />
            </span>
          ) : (
            <a href={Navigation.hrefOf(to)}>
              <RevealedText text={text} />
            </a>
          )}
        </li>
      ))}
    </ol>
  </nav>
)

const nextOf = <A,>(choices: ReadonlyArray<A>, value: A): A =>
  choices[(choices.indexOf(value) + 1) % choices.length] ?? value

export const Header = ({ org }: { readonly org: string | undefined }) => {
  const { zone, theme } = preferences.value
  return (
    <header class="header">
      <Crumbs />
      <div class="header-tools">
        {org === undefined ? null : (
          <button
            type="button"
            class="header-search"
            aria-keyshortcuts="Meta+K Control+K"
            onClick={() => show("palette")}
          >
            <Icon name="search" />
            <span class="header-search-text">Search or jump</span>
            <kbd>⌘K</kbd>
          </button>
        )}
        <button
          type="button"
          class="button-plain"
          aria-label={`${ZONE_WORDS[zone]}: change the time zone`}
          title="Time zone (u)"
          onClick={() => set({ zone: nextOf(CHOICES.zone, zone) })}
        >
          {zone === "utc" ? (
            "UTC"
          ) : (
            <>
              Local<span class="zone-more">&nbsp;time</span>
            </>
          )}
        </button>
        <button
          type="button"
          class="button-icon"
          aria-label={`Theme: ${theme}. Change`}
          title={`Theme: ${theme}`}
          onClick={() => set({ theme: nextOf(CHOICES.theme, theme) })}
        >
          <Icon name={THEME_ICONS[theme]} />
        </button>
      </div>
    </header>
  )
}
