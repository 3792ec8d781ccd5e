/** The tabs of the two access pages: people and service accounts. */
import * as Session from "../session/Session.js"
import * as Navigation from "../shared/Navigation.js"
import { Tabs } from "../shared/Tabs.js"

/** The tab for people is shown only to those who may list them. */
export const AccessTabs = ({
  org,
  current
}: {
  readonly org: string
  readonly current: "Members" | "ServiceAccounts"
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
          title: "Service accounts",
          href: Navigation.href("ServiceAccounts", { org }),
          isCurrent: current === "ServiceAccounts"
        }
      ]}
    />
  ) : null
