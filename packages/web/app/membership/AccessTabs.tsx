/** The two pages of access: people, and accounts of machines. */
import * as Session from "../session/Session.js"
import * as Navigation from "../shared/Navigation.js"
import { Tabs } from "../shared/Tabs.js"

/** The tabs; people are listed for those who may see them. */
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
