/** The tabs of the access pages: people, invitations and service accounts. */
import * as Route from "@attestry/web/Route"
import * as Session from "../session/Session.js"
import * as Navigation from "../shared/Navigation.js"
import { Tabs } from "../shared/Tabs.js"

/** The tabs for people are shown only to those who may list them. */
export const AccessTabs = ({
  org,
  current
}: {
  readonly org: string
  readonly current: "Members" | "Invitations" | "ServiceAccounts"
}) =>
  Session.may(org, "membership.read") ? (
    <Tabs
      label="Access"
      tabs={[
        {
          title: "Members",
          href: Navigation.href("Members", { org }),
          isCurrent: current === "Members"
        },
        {
          title: "Invitations",
          href: Navigation.hrefOf(Route.make("Members", { org }, { list: "invitations" })),
          isCurrent: current === "Invitations"
        },
        {
          title: "Service accounts",
          href: Navigation.href("ServiceAccounts", { org }),
          isCurrent: current === "ServiceAccounts"
        }
      ]}
    />
  ) : null
