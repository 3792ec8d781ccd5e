/** The entries of the log, newest first, a page at a time. Contents that a person may not see are left out. */
import * as Route from "@attestry/web/Route"
import { kindText, namesOf, subjectName } from "../journal/JournalText.js"
import { callOf } from "../shared/Api.js"
import { Command } from "../shared/Command.js"
import type { Log, LogEvent } from "../shared/Contract.js"
import * as Navigation from "../shared/Navigation.js"
import { base } from "../shared/Navigation.js"
import { preferences } from "../shared/Preferences.js"
import { cache, useQuery } from "../shared/Query.js"
import { QueryView } from "../shared/QueryView.js"
import { RevealedText } from "../shared/RevealedText.js"
import * as Shorten from "../shared/Shorten.js"
import { Timestamp } from "../shared/Timestamp.js"
import { type Column, VirtualTable } from "../shared/VirtualTable.js"
import { attestryLine } from "../shell/AttestryLine.js"
import * as LogText from "./LogText.js"

const columnsOf = (names: ReadonlyMap<string, string>): ReadonlyArray<Column<LogEvent>> => [
  { name: "index", title: "Index", isNumber: true, cell: ({ index }) => index },
  { name: "at", title: "When", cell: ({ at }) => <Timestamp seconds={at} /> },
  { name: "kind", title: "Change", isHeader: true, cell: ({ kind }) => kindText(kind) },
  {
    name: "subject",
    title: "Of",
    isFlexible: true,
    cell: (event) => (
      <>
        <span class="quiet">{event.subject.type}</span>{" "}
        <RevealedText text={Shorten.middle(subjectName(event, names), 40)} />
      </>
    )
  },
  {
    name: "actor",
    title: "Who",
    isFlexible: true,
    cell: ({ actor }) => <RevealedText text={Shorten.middle(actor.name, 32)} />
  },
  { name: "entry", title: "Entry", cell: ({ entry }) => <code>{entry}</code> }
]

const Pages = ({
  route,
  page
}: {
  readonly route: Route.RouteOf<"Log">
  readonly page: LogText.EntryPage
}) => {
  const to = (before: number | undefined) =>
    Navigation.hrefOf(
      Route.withQuery<Route.Route>(route, {
        before: before === undefined ? undefined : String(before)
      })
    )
  if (page.isNewest && page.first === 0) return null
  return (
    <nav class="pager" aria-label="Pages of entries">
      {page.isNewest ? null : <a href={to(undefined)}>‹ Newest</a>}
      {page.first === 0 ? (
        <span class="quiet">no older entries</span>
      ) : (
        <a href={to(page.first)}>Older ›</a>
      )}
    </nav>
  )
}

export const LogEntries = ({
  org,
  log,
  route
}: {
  readonly org: string
  readonly log: Log
  readonly route: Route.RouteOf<"Log">
}) => {
  const page = LogText.entryPage(log.checkpoint?.size ?? 0, Route.parameter(route, "before"))
  const params = { org, query: { after: page.first - 1, limit: page.count } }
  const state = useQuery("log.events", params, { skip: page.count === 0 })
  return (
    <section class="block">
      <h2>Entries</h2>
      {page.count === 0 ? (
        <p class="quiet">No signed entries yet.</p>
      ) : (
        <QueryView
          state={state}
          retry={() => void cache.refresh(callOf("log.events", params).path)}
        >
          {({ events }) => (
            <VirtualTable
              caption="Entries"
              columns={columnsOf(namesOf(events))}
              rows={[...events].reverse()}
              keyOf={({ index }) => String(index)}
              rowHeight={preferences.value.density === "compact" ? 28 : 36}
            />
          )}
        </QueryView>
      )}
      <Pages route={route} page={page} />
      <details class="below">
        <summary>Follow them in a terminal</summary>
        <Command
          text={attestryLine(["attestry", "events", "--follow"], {
            url: `${location.origin}${base}`,
            org
          })}
        />
      </details>
    </section>
  )
}
