/** Parts of the pages of waivers: tabs, the state with its countdown, and links. */
import * as Session from "../session/Session.js"
import type { Waiver } from "../shared/Contract.js"
import { Countdown } from "../shared/Countdown.js"
import * as Navigation from "../shared/Navigation.js"
import { useQuery } from "../shared/Query.js"
import { knownOf } from "../shared/QueryCache.js"
import { RevealedText } from "../shared/RevealedText.js"
import { Tabs } from "../shared/Tabs.js"
import { MAY_APPROVE, MAY_REQUEST } from "./WaiverPermission.js"
import { readerOf, type Standing, standingOf } from "./WaiverText.js"

type Current = "Waivers" | "WaiverInbox" | "WaiverDebt" | "WaiverSettings"

/** The most requests that the inbox reads. */
const REQUESTS_MAX = 100

/** The requests without a decision, newest first, each with the standing of the reader. */
export const useRequests = (org: string) => {
  const params = { org, query: { state: "requested", per_page: REQUESTS_MAX } }
  const state = useQuery("waiver.list", params, { poll: 15_000 })
  const settings = knownOf(useQuery("waiver.settings", { org }))?.value
  const reader = readerOf(Session.current(), org)
  const requests = (knownOf(state)?.value.waivers ?? []).map(
    (waiver): { readonly waiver: Waiver; readonly standing: Standing } => ({
      waiver,
      standing: standingOf(waiver, reader, { self_approval: settings?.self_approval === true })
    })
  )
  return { params, state, requests }
}

/** How many requests wait for the reader; renders nothing without one. */
const WaitingCount = ({ org }: { readonly org: string }) => {
  const count = useRequests(org).requests.filter(({ standing }) => standing === "may").length
  return count === 0 ? null : (
    <span class="tag">
      {count}
      <span class="visually-hidden"> to decide</span>
    </span>
  )
}

export const WaiverTabs = ({
  org,
  current
}: {
  readonly org: string
  readonly current: Current
}) => {
  const tab = (tag: Current, title: string) => ({
    title:
      tag === "WaiverInbox" ? (
        <>
          {title}
          <WaitingCount org={org} />
        </>
      ) : (
        title
      ),
    href: Navigation.href(tag, { org }),
    isCurrent: current === tag
  })
  return (
    <Tabs
      label="Waivers"
      tabs={[
        tab("Waivers", "All waivers"),
        ...(Session.may(org, MAY_APPROVE) ? [tab("WaiverInbox", "Inbox")] : []),
        tab("WaiverDebt", "Debt"),
        tab("WaiverSettings", "Settings")
      ]}
    />
  )
}

/** The link that opens the form; absent for people who may not request. */
export const RequestButton = ({ org }: { readonly org: string }) =>
  Session.may(org, MAY_REQUEST) ? (
    <a class="button" href={Navigation.href("NewWaiver", { org })}>
      Request a waiver…
    </a>
  ) : null

export const WaiverLink = ({ org, number }: { readonly org: string; readonly number: number }) => (
  <a href={Navigation.href("Waiver", { org, number: String(number) })}>waiver {number}</a>
)

export const EnvironmentLink = ({
  org,
  environment
}: {
  readonly org: string
  /** Null for every environment. */
  readonly environment: string | null
}) =>
  environment === null ? (
    <span>every environment</span>
  ) : (
    <a href={Navigation.href("Environment", { org, environment })}>
      <RevealedText text={environment} />
    </a>
  )

export const PolicyLink = ({ org, policy }: { readonly org: string; readonly policy: string }) => (
  <a href={Navigation.href("Policy", { org, policy })}>
    <RevealedText text={policy} />
  </a>
)

/** The next instant of an open waiver: its start, or its end. */
export const WaiverEnd = ({
  waiver: { expires_at, starts_at, state }
}: {
  readonly waiver: Pick<Waiver, "expires_at" | "starts_at" | "state">
}) =>
  state === "scheduled" ? (
    <Countdown seconds={starts_at} event="starts" />
  ) : (
    <Countdown seconds={expires_at} event="ends" />
  )
