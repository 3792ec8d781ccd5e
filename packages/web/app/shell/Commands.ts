/** The commands of the palette, besides opening records. */
import * as Route from "@attestry/web/Route"
import type { SearchResult } from "../search/SearchResult.js"
import * as Session from "../session/Session.js"
import { preferences, set } from "../shared/Preferences.js"
import { MAY_APPROVE, MAY_REQUEST } from "../waiver/WaiverPermission.js"
import { show } from "./Overlay.js"
import { PLACES } from "./Places.js"

const doing = (name: string, run: () => void): SearchResult => ({
  kind: "command",
  key: `command ${name}`,
  name,
  run
})

const going = (name: string, to: Route.Route): SearchResult => ({
  kind: "command",
  key: `command ${name}`,
  name,
  to
})

/** Pages below the entries of the sidebar. */
const MORE = [
  { tag: "Repos", name: "Repositories", permission: "org.read" },
  { tag: "ReleaseEvidence", name: "Release evidence", permission: "org.read" },
  { tag: "WhereItRan", name: "Where it ran", permission: "org.read" },
  { tag: "Components", name: "Components", permission: "org.read" },
  { tag: "Attestations", name: "Attestations", permission: "org.read" },
  { tag: "Evidence", name: "Evidence", permission: "org.read" },
  { tag: "Decaying", name: "Decays next", permission: "org.read" },
  { tag: "NewWaiver", name: "Request a waiver", permission: MAY_REQUEST },
  { tag: "WaiverInbox", name: "Waivers to decide", permission: MAY_APPROVE },
  { tag: "WaiverDebt", name: "Waiver debt", permission: "org.read" },
  { tag: "Protections", name: "Protections", permission: "protection.write" },
  { tag: "AllowLists", name: "Allowed artifacts", permission: "org.read" },
  { tag: "TrustPolicy", name: "Trust policy", permission: "org.read" },
  { tag: "FailedDeliveries", name: "Failed deliveries", permission: "notification-config.write" },
  { tag: "Teams", name: "Teams", permission: "org.read" },
  { tag: "Spaces", name: "Spaces", permission: "org.read" },
  { tag: "MoveThings", name: "Move things", permission: "placement.write" },
  { tag: "PlacementRules", name: "Placement rules", permission: "placement.write" },
  { tag: "AccessWho", name: "Who may do what", permission: "org.read" },
  { tag: "ServiceAccounts", name: "Service accounts", permission: "service-account.create" },
  { tag: "ApiKeys", name: "API keys", permission: "api-key.read" },
  { tag: "Erasures", name: "Erasures", permission: "erasure.write" }
] as const

/** The commands that the person may use in an org. */
export const commandsOf = (org: string): ReadonlyArray<SearchResult> => [
  ...PLACES.flat()
    .filter(({ permission }) => Session.may(org, permission))
    .map(({ tag, name }) => going(`Go to ${name}`, Route.parse(Route.to("", tag, { org })))),
  ...MORE.filter(({ permission }) => Session.may(org, permission)).map(({ tag, name }) =>
    going(`Go to ${name}`, Route.parse(Route.to("", tag, { org })))
  ),
  going("Go to preferences", Route.parse(Route.to("", "Preferences", {}))),
  doing("Use the dark theme", () => set({ theme: "dark" })),
  doing("Use the light theme", () => set({ theme: "light" })),
  doing("Use the theme of the system", () => set({ theme: "system" })),
  doing(preferences.value.zone === "utc" ? "Show local times" : "Show times in UTC", () =>
    set({ zone: preferences.value.zone === "utc" ? "local" : "utc" })
  ),
  doing("Show the keys", () => show("keys")),
  doing("Sign out", () => void Session.close())
]
