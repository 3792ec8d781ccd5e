/** Every accepted write of an org, newest first: actor, change, time, content and digest. */

import * as Route from "@attestry/web/Route"
import type { PageProps } from "../pages.js"
import * as Session from "../session/Session.js"
import { callOf } from "../shared/Api.js"
import type { Journal, JournalEntry } from "../shared/Contract.js"
import * as Damaged from "../shared/Damaged.js"
import { DamagedNote } from "../shared/DamagedNote.js"
import { DayFilter, isFiltered, NothingFits, TextFilter } from "../shared/Filters.js"
import * as Navigation from "../shared/Navigation.js"
import { Page } from "../shared/Page.js"
import { preferences } from "../shared/Preferences.js"
import { cache, useQuery } from "../shared/Query.js"
import { QueryView } from "../shared/QueryView.js"
import * as Reveal from "../shared/Reveal.js"
import { RevealedText } from "../shared/RevealedText.js"
import * as Shorten from "../shared/Shorten.js"
import { Timestamp } from "../shared/Timestamp.js"
import * as TimeWindow from "../shared/TimeWindow.js"
import { type Column, VirtualTable } from "../shared/VirtualTable.js"
import { AuditTabs, NotForYou } from "./AuditTabs.js"
import { JournalEntryPanel } from "./JournalEntryPanel.js"
import { JournalExport } from "./JournalExport.js"
import { detailOf, kindText, namesIn, nextBefore, subjectName } from "./JournalText.js"

const FILTERS = ["actor", "kind", "subject", "from", "to"]

const paramsOf = (route: Route.RouteOf<"AuditLog">) => {
  const value = (name: string) => Route.parameter(route, name)
  return {
    org: route.params.org,
    query: {
      before: /^[1-9][0-9]{0,14}$/.test(value("before") ?? "") ? value("before") : undefined,
      kind: value("kind"),
      actor: value("actor"),
      subject_type: value("subject"),
      ...TimeWindow.windowOf(route),
      include: "names"
    }
  }
}

/** The subject of an entry, with its id in the tooltip. */
const Subject = ({
  entry,
  names
}: {
  readonly entry: JournalEntry
  readonly names: ReadonlyMap<string, string>
}) => {
  const detail = detailOf(entry)
  return (
    <span title={Reveal.plain(entry.subject.id)}>
      <span class="quiet">{entry.subject.type}</span>{" "}
      <RevealedText
        text={Shorten.middle(subjectName(entry, names), detail === undefined ? 40 : 24)}
      />
      {detail === undefined ? null : (
        <>
          {" › "}
          <RevealedText text={Shorten.middle(detail, 32)} />
        </>
      )}
    </span>
  )
}

const columnsOf = (names: ReadonlyMap<string, string>): ReadonlyArray<Column<JournalEntry>> => [
  {
    name: "at",
    title: "When",
    cell: ({ at }) => <Timestamp seconds={at} always="absolute" />
  },
  {
    name: "actor",
    title: "Who",
    cell: ({ actor }) => (
      <button
        type="button"
        class="button-text"
        title={`Only changes by ${Reveal.plain(actor.name)}`}
        onClick={() => Navigation.setQuery({ actor: actor.name, before: undefined })}
      >
        <RevealedText text={Shorten.middle(actor.name, 32)} />
      </button>
    )
  },
  {
    name: "kind",
    title: "Change",
    isHeader: true,
    cell: (entry) => (
      <a
        href={Navigation.hrefOf(
          Route.withQuery(Navigation.route.value, { entry: String(entry.sequence) })
        )}
      >
        {kindText(entry.kind)}
      </a>
    )
  },
  {
    name: "subject",
    title: "Of",
    cell: (entry) => <Subject entry={entry} names={names} />
  },
  {
    name: "digest",
    title: "SHA-256",
    cell: ({ digest }) => <code title={digest}>{Shorten.fingerprint(digest)}…</code>
  }
]

const Filters = ({ route }: { readonly route: Route.RouteOf<"AuditLog"> }) => (
  <search class="filters filters-many">
    <TextFilter route={route} name="actor" label="Who (name or id)" isMain />
    <TextFilter route={route} name="kind" label="Change, as flow_created" />
    <TextFilter route={route} name="subject" label="Of, as policy" />
    <DayFilter route={route} name="from" label="From (UTC)" />
    <DayFilter route={route} name="to" label="to" />
  </search>
)

const Older = ({
  route,
  journal
}: {
  readonly route: Route.RouteOf<"AuditLog">
  readonly journal: Journal
}) => {
  const before = nextBefore(journal._links.next?.href)
  const isFirst = Route.parameter(route, "before") === undefined
  const to = (value: string | undefined) =>
    Navigation.hrefOf(Route.withQuery<Route.Route>(route, { before: value, entry: undefined }))
  if (isFirst && before === undefined) return null
  return (
    <nav class="pager" aria-label="Pages of changes">
      {isFirst ? null : <a href={to(undefined)}>‹ Newest</a>}
      {before === undefined ? (
        <span class="quiet">no older changes</span>
      ) : (
        <a href={to(before)}>Older ›</a>
      )}
    </nav>
  )
}

const Entries = ({
  route,
  journal
}: {
  readonly route: Route.RouteOf<"AuditLog">
  readonly journal: Journal
}) => {
  const { items, damaged } = Damaged.readable(journal.entries)
  const names = namesIn(items, journal.names)
  const opened = items.find(({ sequence }) => String(sequence) === Route.parameter(route, "entry"))
  const isMore = journal._links.next !== undefined
  const open = (entry: string | undefined) => Navigation.setQuery({ entry })
  return (
    <>
      <DamagedNote count={damaged} />
      {items.length === 0 && damaged === 0 ? (
        isMore ? (
          <p class="quiet">None of the 10,000 changes that were looked at fits the filters.</p>
        ) : isFiltered(route, FILTERS) ? (
          <NothingFits what="change" names={[...FILTERS, "before"]} />
        ) : (
          <p class="quiet">Nothing was changed yet.</p>
        )
      ) : (
        <VirtualTable
          caption="Changes"
          columns={columnsOf(names)}
          rows={items}
          keyOf={({ sequence }) => String(sequence)}
          rowHeight={preferences.value.density === "compact" ? 28 : 36}
          selected={Route.parameter(route, "entry")}
          onOpen={({ sequence }) => open(String(sequence))}
        />
      )}
      <Older route={route} journal={journal} />
      {opened === undefined ? null : (
        <JournalEntryPanel
          key={opened.sequence}
          entry={opened}
          name={subjectName(opened, names)}
          onClose={() => open(undefined)}
        />
      )}
    </>
  )
}

const Log = ({ route }: { readonly route: Route.RouteOf<"AuditLog"> }) => {
  const params = paramsOf(route)
  const state = useQuery("journal.list", params)
  return (
    <>
      <Filters route={route} />
      <QueryView
        state={state}
        retry={() => void cache.refresh(callOf("journal.list", params).path)}
      >
        {(journal) => <Entries route={route} journal={journal} />}
      </QueryView>
    </>
  )
}

export const JournalPage = ({ route }: PageProps<Route.RouteOf<"AuditLog">>) => {
  const { org } = route.params
  const isAllowed = Session.may(org, "journal.read")
  return (
    <Page
      name="Audit log"
      org={org}
      aside={isAllowed ? <JournalExport params={paramsOf(route)} /> : null}
    >
      {isAllowed ? (
        <>
          <AuditTabs org={org} current="AuditLog" />
          <Log route={route} />
        </>
      ) : (
        <NotForYou />
      )}
    </Page>
  )
}
