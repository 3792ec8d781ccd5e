/** One subscription: its triggers, its targets, its deliveries, and the form to change it. */
import * as Route from "@attestry/web/Route"
import { useSignal } from "@preact/signals"
import type { PageProps } from "../pages.js"
import * as Session from "../session/Session.js"
import { callOf } from "../shared/Api.js"
import type { Action } from "../shared/Contract.js"
import { Facts } from "../shared/Facts.js"
import * as Navigation from "../shared/Navigation.js"
import { Page } from "../shared/Page.js"
import { cache, useQuery } from "../shared/Query.js"
import { QueryView } from "../shared/QueryView.js"
import { RevealedText } from "../shared/RevealedText.js"
import { Timestamp } from "../shared/Timestamp.js"
import { Arrival, TargetArrival } from "./Arrival.js"
import { targetText, triggerText } from "./NotificationText.js"
import { DeleteSubscription, SubscriptionForm } from "./SubscriptionForm.js"
import { TestMessage } from "./TestMessage.js"

const Watched = ({ org, action }: { readonly org: string; readonly action: Action }) => (
  <ul class="inline-list">
    {(action.environments ?? []).map((environment) => (
      <li key={environment}>
        <a href={Navigation.href("Environment", { org, environment })}>{environment}</a>
      </li>
    ))}
    {(action.flows ?? []).map((flow) => (
      <li key={flow}>
        <a href={Navigation.href("Flow", { org, flow })}>{flow}</a>
      </li>
    ))}
  </ul>
)

const Details = ({ org, action }: { readonly org: string; readonly action: Action }) => (
  <>
    <Facts
      facts={[
        [
          action.type === "env" ? "Environments" : "Flows",
          <Watched key="w" {...{ org, action }} />
        ],
        ...(action.team === undefined
          ? []
          : [["Team", action.team ?? "deleted: nothing is sent"] as const]),
        ["When", action.triggers.map(triggerText).join(", ")],
        [
          "Deliveries",
          <span key="a" class="row-actions">
            <Arrival action={action} />
            {action.is_failing && Session.may(org, "notification-config.write") ? (
              <a href={Navigation.href("FailedDeliveries", { org })}>Failed deliveries</a>
            ) : null}
          </span>
        ],
        [
          "Created",
          <span key="c">
            <Timestamp seconds={action.created_at} /> by <RevealedText text={action.created_by} />
          </span>
        ],
        ["Changed", <Timestamp key="m" seconds={action.last_modified_at} />]
      ]}
    />
    <section class="block">
      <h2>Where to</h2>
      <ul class="targets">
        {action.targets.map((target) => (
          <li key={targetText(target)}>
            <RevealedText text={targetText(target)} />
            <TargetArrival target={target} />
          </li>
        ))}
      </ul>
      {Session.may(org, "environment-notification.write") ? (
        <TestMessage org={org} number={String(action.number)} />
      ) : null}
    </section>
  </>
)

/** Goes to the list. WHY only the list is read: this page still shows the subscription, which is deleted. */
const leave = (org: string): void => {
  Navigation.go(Route.make("Notifications", { org }))
  void cache.refresh(callOf("action.list", { org }).path)
}

export const NotificationPage = ({ route }: PageProps<Route.RouteOf<"Notification">>) => {
  const { org, number } = route.params
  const params = { org, action_number: number }
  const state = useQuery("action.get", params)
  const open = useSignal<"nothing" | "change" | "delete">("nothing")
  const known = state._tag === "Ready" ? state.value : undefined
  const show = (next: typeof open.value) => () => {
    open.value = next
  }
  const mayWrite = Session.may(org, "environment-notification.write")
  return (
    <Page
      name={known?.name ?? `Notification ${number}`}
      org={org}
      heading={<RevealedText text={known?.name ?? `Notification ${number}`} />}
      aside={
        known === undefined || !mayWrite ? null : (
          <span class="row-actions">
            <button type="button" class="button" onClick={show("change")}>
              Change…
            </button>
            <button type="button" class="button" onClick={show("delete")}>
              Delete…
            </button>
          </span>
        )
      }
    >
      <QueryView state={state} retry={() => void cache.refresh(callOf("action.get", params).path)}>
        {(action) => (
          <>
            <Details org={org} action={action} />
            {open.value === "change" ? (
              <SubscriptionForm
                org={org}
                action={action}
                onClose={show("nothing")}
                onDone={() => {
                  if (action.type === "flow") leave(org)
                  else cache.invalidate(callOf("action.list", { org }).path)
                  open.value = "nothing"
                }}
              />
            ) : null}
            {open.value === "delete" ? (
              <DeleteSubscription
                org={org}
                action={action}
                onClose={show("nothing")}
                onDone={() => leave(org)}
              />
            ) : null}
          </>
        )}
      </QueryView>
    </Page>
  )
}
