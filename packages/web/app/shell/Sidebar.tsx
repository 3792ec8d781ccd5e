/** The sidebar: the pages of an org, the org selector, and the signed-in person. */
import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import * as Session from "../session/Session.js"
import { Icon } from "../shared/Icon.js"
import * as Navigation from "../shared/Navigation.js"
import { RevealedText } from "../shared/RevealedText.js"
import { isIn, PLACES } from "./Places.js"

const OrgChoice = ({ org }: { readonly org: string }) => {
  const orgs = Session.current()?.orgs ?? []
  if (orgs.length < 2) return <span class="sidebar-org">{org}</span>
  return (
    <select
      class="sidebar-org"
      aria-label="Org"
      value={org}
      onChange={({ currentTarget }) =>
        Navigation.go({ _tag: "Overview", params: { org: currentTarget.value }, query: [] })
      }
    >
      {orgs.map(({ name }) => (
        <option key={name}>{name}</option>
      ))}
    </select>
  )
}

const DocsLink = () => (
  <ul>
    <li>
      <a href={`${Navigation.base}/docs/`} target="_self" title="Documentation">
        <Icon name="scroll" />
        <span class="sidebar-name">Documentation</span>
      </a>
    </li>
  </ul>
)

const SignOut = () => (
  <button
    type="button"
    class="button-icon"
    aria-label="Sign out"
    title="Sign out"
    onClick={Session.close}
  >
    <Icon name="signOut" />
  </button>
)

export const Sidebar = ({ org }: { readonly org: string }) => {
  const session = Session.current()
  const isOpen = useSignal(false)
  const visit = Navigation.visits.value
  useEffect(() => {
    if (visit > 0) isOpen.value = false
  }, [visit, isOpen])
  return (
    <aside class={isOpen.value ? "sidebar sidebar-open" : "sidebar"}>
      <div class="sidebar-head">
        <span class="sidebar-mark" aria-hidden="true" />
        <OrgChoice org={org} />
        <button
          type="button"
          class="button-icon sidebar-toggle"
          aria-label="Menu"
          aria-expanded={isOpen.value}
          onClick={() => {
            isOpen.value = !isOpen.value
          }}
        >
          <Icon name={isOpen.value ? "close" : "menu"} />
        </button>
      </div>
      <nav class="sidebar-places" aria-label="Places">
        {PLACES.map((group, index) => (
          <ul key={index}>
            {group
              .filter(({ permission }) => Session.may(org, permission))
              .map((place) => (
                <li key={place.tag}>
                  <a
                    href={Navigation.href(place.tag, { org })}
                    title={place.name}
                    aria-current={isIn(Navigation.route.value, place) ? "page" : undefined}
                  >
                    <Icon name={place.icon} />
                    <span class="sidebar-name">{place.name}</span>
                  </a>
                </li>
              ))}
          </ul>
        ))}
        <DocsLink />
      </nav>
      <div class="sidebar-foot">
        <a href={Navigation.href("Preferences", {})} title="Preferences">
          <Icon name="settings" />
          <span class="sidebar-name">
            <RevealedText text={session?.actor.name ?? ""} />
          </span>
        </a>
        <SignOut />
      </div>
    </aside>
  )
}
