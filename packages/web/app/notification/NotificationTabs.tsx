/** The tabs of the notification pages: subscriptions, failed deliveries, key expiry, and the signing secret. */
import type { ComponentChildren } from "preact"
import * as Session from "../session/Session.js"
import * as Navigation from "../shared/Navigation.js"
import { useQuery } from "../shared/Query.js"
import { Tabs } from "../shared/Tabs.js"

type Current = "Notifications" | "FailedDeliveries" | "KeyExpiry" | "WaiverExpiry" | "SigningSecret"

/** The number of failed deliveries; renders nothing while it loads. */
const FailedCount = ({ org }: { readonly org: string }) => {
  const state = useQuery("delivery.failed", { org, query: { page: 1, per_page: 1 } })
  const count = state._tag === "Ready" ? state.value.total_count : 0
  return count === 0 ? null : <span class="tag">{count}</span>
}

/** Only admins see all tabs; those who save actions see which deliveries of their teams failed. */
export const NotificationTabs = ({
  org,
  current
}: {
  readonly org: string
  readonly current: Current
}) => {
  const isAdmin = Session.may(org, "notification-config.write")
  const hasActions = Session.may(org, "environment-notification.write")
  const tab = (tag: Current, title: ComponentChildren) => ({
    title,
    href: Navigation.href(tag, { org }),
    isCurrent: current === tag
  })
  return (
    <Tabs
      label="Notifications"
      tabs={[
        tab("Notifications", "Subscriptions"),
        ...(isAdmin || hasActions
          ? [
              tab(
                "FailedDeliveries",
                <>
                  Failed deliveries
                  <FailedCount org={org} />
                </>
              )
            ]
          : []),
        tab("KeyExpiry", "Key expiry"),
        tab("WaiverExpiry", "Waiver expiry"),
        ...(isAdmin ? [tab("SigningSecret", "Signing secret")] : [])
      ]}
    />
  )
}
