/** Dead letters: deliveries that were given up, with a button to retry them. */

import type * as Route from "@attestry/web/Route"
import { useSignal } from "@preact/signals"
import type { PageProps } from "../pages.js"
import * as Session from "../session/Session.js"
import { useWrite } from "../session/Writing.js"
import { callOf } from "../shared/Api.js"
import type { ApiProblem } from "../shared/ApiProblem.js"
import type { FailedDelivery } from "../shared/Contract.js"
import * as Damaged from "../shared/Damaged.js"
import { DamagedNote } from "../shared/DamagedNote.js"
import * as Navigation from "../shared/Navigation.js"
import { Page } from "../shared/Page.js"
import { Pager, pageOf } from "../shared/Pager.js"
import { preferences } from "../shared/Preferences.js"
import { ProblemNote } from "../shared/ProblemNote.js"
import { cache, useQuery } from "../shared/Query.js"
import { QueryView } from "../shared/QueryView.js"
import * as Reveal from "../shared/Reveal.js"
import { RevealedText } from "../shared/RevealedText.js"
import * as Shorten from "../shared/Shorten.js"
import { Timestamp } from "../shared/Timestamp.js"
import * as TimeText from "../shared/TimeText.js"
import { type Column, VirtualTable } from "../shared/VirtualTable.js"
import { NotificationTabs } from "./NotificationTabs.js"
import { errorText, eventText, TARGET_TEXTS } from "./NotificationText.js"

const PER_PAGE = 50

/** The deliveries to retry. */
type Replayed = ReadonlyArray<string> | "all"

type Replay = (ids: Replayed) => void

/** A replay that failed; its button retries the same deliveries. */
interface Refused {
  readonly ids: Replayed
  readonly problem: ApiProblem
}

const RefusedReplay = ({
  refused: { ids, problem },
  replay
}: {
  readonly refused: Refused
  readonly replay: Replay
}) => <ProblemNote problem={problem} retry={() => replay(ids)} />

const columnsOf = (org: string, replay: Replay): ReadonlyArray<Column<FailedDelivery>> => [
  { name: "failed", title: "Failed", cell: ({ failed_at }) => <Timestamp seconds={failed_at} /> },
  {
    name: "event",
    title: "What",
    isHeader: true,
    cell: ({ event_type, description }) => (
      <span title={Reveal.plain(description)}>
        <strong>{eventText(event_type)}</strong>{" "}
        <span class="quiet">
          <RevealedText text={Shorten.middle(description, 48)} />
        </span>
      </span>
    )
  },
  {
    name: "notification",
    title: "Subscription",
    cell: ({ notification }) =>
      notification === null ? (
        <a href={Navigation.href("KeyExpiry", { org })}>key expiry</a>
      ) : (
        <a href={Navigation.href("Notification", { org, number: String(notification.number) })}>
          <RevealedText text={Shorten.middle(notification.name, 32)} />
        </a>
      )
  },
  { name: "target", title: "To", cell: ({ target_type }) => TARGET_TEXTS[target_type] },
  {
    name: "error",
    title: "Why",
    cell: ({ error, attempts, created_at, failed_at }) =>
      `${errorText(error)}, ${attempts} ${attempts === 1 ? "attempt" : "attempts"} over ${TimeText.duration(
        (failed_at - created_at) * 1_000
      )}`
  },
  {
    name: "replay",
    title: <span class="visually-hidden">Actions</span>,
    cell: ({ id, description }) => (
      <button
        type="button"
        class="button-plain"
        aria-label={`Replay ${Reveal.plain(description)}`}
        onClick={() => replay([id])}
      >
        Replay
      </button>
    )
  }
]

const NothingFailed = () => (
  <div class="note">
    <strong>Nothing failed</strong>
    <p>
      A delivery is here after its last attempt failed. It can be tried again when its receiver
      works again.
    </p>
  </div>
)

const Failed = ({ route }: { readonly route: Route.RouteOf<"FailedDeliveries"> }) => {
  const { org } = route.params
  const write = useWrite()
  const params = { org, query: { page: pageOf(route), per_page: PER_PAGE } }
  const state = useQuery("delivery.failed", params)
  const said = useSignal("")
  const refused = useSignal<Refused | undefined>(undefined)
  const replay = async (ids: Replayed) => {
    const written = await write("delivery.replay", { org }, { ids })
    refused.value = written._tag === "Refused" ? { ids, problem: written.problem } : undefined
    if (written._tag === "Refused") return
    const { length } = written.value.replayed
    said.value = `${Shorten.count(length)} ${length === 1 ? "delivery is" : "deliveries are"} tried again.`
    cache.invalidate(callOf("delivery.failed", { org }).path)
  }
  return (
    <>
      <p role="status" class="said">
        {said.value}
      </p>
      {refused.value === undefined ? null : (
        <RefusedReplay refused={refused.value} replay={replay} />
      )}
      <QueryView
        state={state}
        retry={() => void cache.refresh(callOf("delivery.failed", params).path)}
      >
        {({ deliveries, total_count }) => {
          const { items, damaged } = Damaged.readable(deliveries)
          if (deliveries.length === 0) return <NothingFailed />
          return (
            <>
              <DamagedNote count={damaged} />
              <VirtualTable
                caption="Failed deliveries"
                columns={columnsOf(org, replay)}
                rows={items}
                keyOf={({ id }) => id}
                rowHeight={preferences.value.density === "compact" ? 28 : 36}
              />
              <Pager route={route} perPage={PER_PAGE} total={total_count} what="deliveries" />
              <p class="below">
                <button type="button" class="button" onClick={() => void replay("all")}>
                  Replay all {Shorten.count(total_count)}
                </button>
              </p>
            </>
          )
        }}
      </QueryView>
    </>
  )
}

export const FailedDeliveriesPage = ({ route }: PageProps<Route.RouteOf<"FailedDeliveries">>) => {
  const { org } = route.params
  return (
    <Page name="Failed deliveries" org={org}>
      <NotificationTabs org={org} current="FailedDeliveries" />
      {Session.may(org, "notification-config.write") ? (
        <Failed route={route} />
      ) : (
        <p>Failed deliveries are for administrators of the org.</p>
      )}
    </Page>
  )
}
