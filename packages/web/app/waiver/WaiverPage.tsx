/** One waiver: what it waives, its state, its approvals and history, where it is in use, and decisions. */
import * as Route from "@attestry/web/Route"
import type { PageProps } from "../pages.js"
import * as Session from "../session/Session.js"
import { callOf } from "../shared/Api.js"
import type { Waiver, WaiverDetails } from "../shared/Contract.js"
import { ExternalLink } from "../shared/ExternalLink.js"
import { Facts } from "../shared/Facts.js"
import * as Navigation from "../shared/Navigation.js"
import { Page } from "../shared/Page.js"
import { cache, useQuery } from "../shared/Query.js"
import { knownOf } from "../shared/QueryCache.js"
import { QueryView } from "../shared/QueryView.js"
import { RevealedText } from "../shared/RevealedText.js"
import { Timestamp } from "../shared/Timestamp.js"
import { type Decision, Decisions } from "./WaiverActions.js"
import { EnvironmentLink, PolicyLink, WaiverEnd, WaiverLink } from "./WaiverParts.js"
import { MAY_REQUEST } from "./WaiverPermission.js"
import { ruleText } from "./WaiverRule.js"
import {
  approvalsText,
  historyOf,
  isOpen,
  mayRevoke,
  ORPHANS,
  readerOf,
  standingOf,
  standingText
} from "./WaiverText.js"

const POLL_MS = 15_000

interface Shown {
  readonly org: string
  readonly waiver: WaiverDetails
}

const Times = ({ waiver }: { readonly waiver: Waiver }) => (
  <>
    <Timestamp seconds={waiver.starts_at} always="absolute" /> to{" "}
    <Timestamp seconds={waiver.expires_at} always="absolute" />{" "}
    {isOpen(waiver.state) ? <WaiverEnd waiver={waiver} /> : null}
  </>
)

const Terms = ({ org, waiver }: Shown) => (
  <Facts
    facts={[
      [
        "Waives",
        <span key="w">
          <RevealedText text={ruleText(waiver.rule)} /> of{" "}
          <PolicyLink org={org} policy={waiver.policy_name} />
        </span>
      ],
      ["In", <EnvironmentLink key="e" org={org} environment={waiver.environment} />],
      [
        "Only if",
        waiver.if === null ? null : (
          <code key="i">
            <RevealedText text={waiver.if} />
          </code>
        )
      ],
      ["Reason", <RevealedText key="r" text={waiver.reason} />],
      ["Owner", <RevealedText key="o" text={waiver.owner} />],
      [
        "Ticket",
        waiver.ticket_url === null ? null : <ExternalLink key="t" address={waiver.ticket_url} />
      ],
      ["Time", <Times key="d" waiver={waiver} />],
      ["Approvals", approvalsText(waiver)],
      [
        "Extends",
        waiver.extends === null ? null : <WaiverLink key="x" org={org} number={waiver.extends} />
      ]
    ]}
  />
)

const InUse = ({ org, waiver: { in_use, number, orphan, state } }: Shown) => (
  <section class="block">
    <h2>Where it is in use</h2>
    {in_use.length === 0 ? (
      <p class="quiet">
        {state === "active" ? "It waives nothing now." : "Only a waiver that is active is in use."}
      </p>
    ) : (
      <ul class="inline-list">
        {in_use.map(({ environment, rows }) => (
          <li key={environment}>
            <EnvironmentLink org={org} environment={environment} />{" "}
            {rows === 1 ? "1 row" : `${rows} rows`}
          </li>
        ))}
      </ul>
    )}
    {orphan === null ? null : (
      <p class="note note-below">
        Waiver {number} has nothing to waive: {ORPHANS[orphan]}.
      </p>
    )}
  </section>
)

const History = ({ org, waiver }: Shown) => (
  <section class="block">
    <h2>History</h2>
    <ol class="part-list">
      {historyOf(waiver).map(({ at, by, comment, what }) => (
        <li key={`${at} ${what} ${by ?? ""}`}>
          <Timestamp seconds={at} always="absolute" /> {what}
          {by === undefined ? null : (
            <>
              {" by "}
              <RevealedText text={by} />
            </>
          )}
          {comment === undefined || comment === "" ? null : (
            <>
              {" "}
              <q>
                <RevealedText text={comment} />
              </q>
            </>
          )}
        </li>
      ))}
    </ol>
    {Session.may(org, "journal.read") ? (
      <p class="below">
        <a
          href={Navigation.hrefOf(
            Route.make(
              "AuditLog",
              { org },
              {
                subject: "waiver",
                from: new Date(waiver.requested_at * 1_000).toISOString().slice(0, 10)
              }
            )
          )}
        >
          Entries of waivers in the audit log
        </a>
      </p>
    ) : null}
  </section>
)

const Actions = ({ org, waiver }: Shown) => {
  const settings = knownOf(useQuery("waiver.settings", { org }))?.value
  const reader = readerOf(Session.current(), org)
  const standing = standingOf(waiver, reader, { self_approval: settings?.self_approval === true })
  const mayRequest = Session.may(org, MAY_REQUEST)
  const decisions: ReadonlyArray<Decision> = [
    ...(standing === "may" ? (["approve", "reject"] as const) : []),
    ...(mayRequest && mayRevoke(waiver, reader) ? (["revoke"] as const) : [])
  ]
  const text = standingText(standing, waiver)
  return (
    <>
      <div class="row-actions below">
        <Decisions org={org} waiver={waiver} decisions={decisions} />
        {mayRequest && waiver.state !== "requested" ? (
          <a
            class="button"
            href={Navigation.hrefOf(
              Route.make("NewWaiver", { org }, { extends: String(waiver.number) })
            )}
          >
            Extend…
          </a>
        ) : null}
      </div>
      {text === "" ? null : <p class="quiet">{text}</p>}
    </>
  )
}

export const WaiverPage = ({ route }: PageProps<Route.RouteOf<"Waiver">>) => {
  const { org, number } = route.params
  const params = { org, number }
  const state = useQuery("waiver.get", params, { poll: POLL_MS })
  const known = knownOf(state)?.value
  return (
    <Page
      name={`Waiver ${number}`}
      org={org}
      heading={
        <>
          Waiver {number}{" "}
          {known === undefined ? null : <span class="heading-word">{known.state}</span>}
        </>
      }
    >
      <QueryView state={state} retry={() => void cache.refresh(callOf("waiver.get", params).path)}>
        {(waiver) => (
          <>
            <Terms org={org} waiver={waiver} />
            <Actions org={org} waiver={waiver} />
            <InUse org={org} waiver={waiver} />
            <History org={org} waiver={waiver} />
          </>
        )}
      </QueryView>
    </Page>
  )
}
