/** The two pages of the audit log: every accepted write, and changes of memberships. */
import * as Navigation from "../shared/Navigation.js"
import { Tabs } from "../shared/Tabs.js"

/** The tabs. */
export const AuditTabs = ({
  org,
  current
}: {
  readonly org: string
  readonly current: "AuditLog" | "MembershipHistory"
}) => (
  <Tabs
    label="Audit log"
    tabs={[
      {
        title: "All changes",
        href: Navigation.href("AuditLog", { org }),
        isCurrent: current === "AuditLog"
      },
      {
        title: "Memberships",
        href: Navigation.href("MembershipHistory", { org }),
        isCurrent: current === "MembershipHistory"
      }
    ]}
  />
)

/** What those see who may not read the log. */
export const NotForYou = () => (
  <div class="note">
    <strong>The audit log is for administrators</strong>
    <p>
      It shows every change of the org, also addresses of receivers and who may do what. An
      administrator of the org can look something up for you.
    </p>
  </div>
)
