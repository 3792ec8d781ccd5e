/** The subscriptions of an org: triggers, targets, and whether deliveries succeed. */
import * as Route from "@attestry/web/Route"
import { useSignal } from "@preact/signals"
import type { PageProps } from "../pages.js"
import * as Session from "../session/Session.js"
import { callOf } from "../shared/Api.js"
import type { Action } from "../shared/Contract.js"
import * as Damaged from "../shared/Damaged.js"
import { DamagedNote } from "../shared/DamagedNote.js"
import * as Navigation from "../shared/Navigation.js"
import { Page } from "../shared/Page.js"
import { preferences } from "../shared/Preferences.js"
import { cache, useQuery } from "../shared/Query.js"
import { QueryView } from "../shared/QueryView.js"
import { RevealedText } from "../shared/RevealedText.js"
import * as Shorten from "../shared/Shorten.js"
import { type Column, VirtualTable } from "../shared/VirtualTable.js"
import { Arrival } from "./Arrival.js"
import { NotificationTabs } from "./NotificationTabs.js"
import { targetText, triggerText } from "./NotificationText.js"
import { SubscriptionForm } from "./SubscriptionForm.js"

/** WHY a maximum: the column of deliveries must stay visible. */
const LIST_LENGTH_MAX = 28

const listText = (names: ReadonlyArray<string>): string => {
  const [first = "", ...others] = names
  const whole = names.join(", ")
  return others.length === 0 || whole.length <= LIST_LENGTH_MAX
    ? whole
    : `${first} and ${others.length} more`
}

const columnsOf = (org: string): ReadonlyArray<Column<Action>> => [
  { name: "number", title: "No.", isNumber: true, cell: ({ number }) => number },
  {
    name: "name",
    title: "Subscription",
    isHeader: true,
    cell: ({ name, number }) => (
      <a href={Navigation.href("Notification", { org, number: String(number) })}>
        <RevealedText text={Shorten.middle(name, 40)} />
      </a>
    )
  },
  {
    name: "watched",
    title: "Of",
    cell: ({ environments, flows }) => (
      <span title={(environments ?? flows ?? []).join(", ")}>
        <RevealedText text={listText(environments ?? flows ?? [])} />
      </span>
    )
  },
  {
    name: "triggers",
    title: "When",
    cell: ({ triggers }) => {
      const texts = triggers.map(triggerText)
      return <span title={texts.join(", ")}>{listText(texts)}</span>
    }
  },
  {
    name: "targets",
    title: "Where to",
    cell: ({ targets }) => (
      <span title={targets.map(targetText).join(", ")}>
        <RevealedText text={listText(targets.map(targetText))} />
      </span>
    )
  },
  { name: "arrival", title: "Last delivery", cell: (action) => <Arrival action={action} /> }
]

const NoSubscriptions = () => (
  <div class="note">
    <strong>No subscriptions yet</strong>
    <p>
      A subscription tells people or programs when an environment becomes non-compliant, when
      something starts or stops there, or when a flow reports something.
    </p>
  </div>
)

export const NotificationsPage = ({ route }: PageProps<Route.RouteOf<"Notifications">>) => {
  const { org } = route.params
  const state = useQuery("action.list", { org })
  const isCreating = useSignal(false)
  return (
    <Page
      name="Notifications"
      org={org}
      aside={
        Session.may(org, "environment-notification.write") ? (
          <button
            type="button"
            class="button"
            onClick={() => {
              isCreating.value = true
            }}
          >
            New subscription…
          </button>
        ) : null
      }
    >
      <NotificationTabs org={org} current="Notifications" />
      <QueryView
        state={state}
        retry={() => void cache.refresh(callOf("action.list", { org }).path)}
      >
        {(actions) => {
          const { items, damaged } = Damaged.readable(actions)
          if (actions.length === 0) return <NoSubscriptions />
          return (
            <>
              <DamagedNote count={damaged} />
              <VirtualTable
                caption="Subscriptions"
                columns={columnsOf(org)}
                rows={items}
                keyOf={({ number }) => String(number)}
                rowHeight={preferences.value.density === "compact" ? 28 : 36}
                onOpen={({ number }) =>
                  Navigation.go(Route.make("Notification", { org, number: String(number) }))
                }
              />
            </>
          )
        }}
      </QueryView>
      {isCreating.value ? (
        <SubscriptionForm
          org={org}
          onClose={() => {
            isCreating.value = false
          }}
          onDone={() => {
            isCreating.value = false
            cache.invalidate(callOf("action.list", { org }).path)
          }}
        />
      ) : null}
    </Page>
  )
}
