/** The tabs of the audit pages: accepted writes, changes of memberships, and erasures. */
import * as Navigation from "../shared/Navigation.js"
import { Tabs } from "../shared/Tabs.js"

export const AuditTabs = ({
  org,
  current
}: {
  readonly org: string
  readonly current: "AuditLog" | "MembershipHistory" | "Erasures"
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
      },
      {
        title: "Erasures",
        href: Navigation.href("Erasures", { org }),
        isCurrent: current === "Erasures"
      }
    ]}
  />
)

/** Shown to people who may not read the journal. */
export const NotForYou = () => (
  <div class="note">
    <strong>The audit log is for administrators</strong>
    <p>
      It shows every change of the org, also addresses of receivers and who may do what. An
      administrator of the org can look something up for you.
    </p>
  </div>
)
