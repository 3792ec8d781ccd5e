/** The tabs of the access pages: people, invitations, teams, spaces, accounts, keys, and sign-in. */
import * as Route from "@attestry/web/Route"
import * as Session from "../session/Session.js"
import * as Navigation from "../shared/Navigation.js"
import { Tabs } from "../shared/Tabs.js"

type Current =
  | "Members"
  | "Invitations"
  | "Teams"
  | "Spaces"
  | "AccessWho"
  | "ServiceAccounts"
  | "ApiKeys"
  | "SignInSettings"

/** The tabs for people are shown only to those who may list them, and that for accounts to those who manage them. */
export const AccessTabs = ({
  org,
  current
}: {
  readonly org: string
  readonly current: Current
}) => {
  const tabs: ReadonlyArray<
    readonly [name: Current, title: string, href: string, isShown: boolean]
  > = [
    [
      "Members",
      "Members",
      Navigation.href("Members", { org }),
      Session.may(org, "membership.read")
    ],
    [
      "Invitations",
      "Invitations",
      Navigation.hrefOf(Route.make("Members", { org }, { list: "invitations" })),
      Session.may(org, "membership.read")
    ],
    ["Teams", "Teams", Navigation.href("Teams", { org }), true],
    ["Spaces", "Spaces", Navigation.href("Spaces", { org }), true],
    ["AccessWho", "Who may", Navigation.href("AccessWho", { org }), true],
    [
      "ServiceAccounts",
      "Service accounts",
      Navigation.href("ServiceAccounts", { org }),
      Session.may(org, "service-account.manage")
    ],
    ["ApiKeys", "API keys", Navigation.href("ApiKeys", { org }), Session.may(org, "api-key.read")],
    // The permission exists where the deployment has providers.
    [
      "SignInSettings",
      "Sign-in",
      Navigation.href("SignInSettings", { org }),
      Session.may(org, "sign-in.write")
    ]
  ]
  return (
    <Tabs
      label="Access"
      tabs={tabs
        .filter(([, , , isShown]) => isShown)
        .map(([name, title, href]) => ({ title, href, isCurrent: current === name }))}
    />
  )
}
