/** Parts of the pages of proposals and protections: tabs, and links. */
import * as Route from "@attestry/web/Route"
import * as Session from "../session/Session.js"
import { callOf } from "../shared/Api.js"
import type { ListedProposal } from "../shared/Contract.js"
import * as Navigation from "../shared/Navigation.js"
import { cache, useQuery } from "../shared/Query.js"
import { knownOf } from "../shared/QueryCache.js"
import { RevealedText } from "../shared/RevealedText.js"
import { Tabs } from "../shared/Tabs.js"
import { OPEN, type Standing, standingOf, subjectsText } from "./ProposalText.js"

export const MAY_PROTECT = "protection.write"

/** The most proposals that the inbox reads. */
const INBOX_MAX = 100

/** The open proposals that the reader sees, newest first, each with the standing of the reader. */
export const useOpenProposals = (org: string) => {
  const params = { org, query: { state: OPEN.join(), per_page: INBOX_MAX } }
  const state = useQuery("proposal.list", params, { poll: 15_000 })
  const proposals = (knownOf(state)?.value.proposals ?? []).map(
    (proposal): { readonly proposal: ListedProposal; readonly standing: Standing } => ({
      proposal,
      standing: standingOf(proposal, Session.current())
    })
  )
  return { params, state, proposals }
}

/** Reads proposals again, and what they may have changed. */
export const renewProposals = (org: string): void => {
  cache.invalidate(callOf("proposal.list", { org }).path)
  for (const part of ["policies", "controls", "environments", "snapshots", "allowlists"])
    cache.invalidate(`/api/v2/${part}/${org}`)
}

/** How many proposals wait for the reader; renders nothing without one. */
const WaitingCount = ({ org }: { readonly org: string }) => {
  const count = useOpenProposals(org).proposals.filter(({ standing }) => standing === "may").length
  return count === 0 ? null : (
    <span class="tag">
      {count}
      <span class="visually-hidden"> to decide</span>
    </span>
  )
}

export const ProposalTabs = ({
  org,
  current
}: {
  readonly org: string
  readonly current: "Inbox" | "All" | "Protections" | "Break-glass"
}) => (
  <Tabs
    label="Proposals"
    tabs={[
      {
        title: (
          <>
            Inbox
            <WaitingCount org={org} />
          </>
        ),
        href: Navigation.href("Proposals", { org }),
        isCurrent: current === "Inbox"
      },
      {
        title: "All proposals",
        href: Navigation.hrefOf(Route.make("Proposals", { org }, { list: "all" })),
        isCurrent: current === "All"
      },
      {
        title: "Break-glass",
        href: Navigation.href("BreakGlass", { org }),
        isCurrent: current === "Break-glass"
      },
      ...(Session.may(org, MAY_PROTECT)
        ? [
            {
              title: "Protections",
              href: Navigation.href("Protections", { org }),
              isCurrent: current === "Protections"
            }
          ]
        : [])
    ]}
  />
)

export const ProposalLink = ({
  org,
  proposal
}: {
  readonly org: string
  readonly proposal: Pick<ListedProposal, "number" | "reason">
}) => (
  <a href={Navigation.href("Proposal", { org, number: String(proposal.number) })}>
    proposal {proposal.number}
  </a>
)

/** What a proposal changes. */
export const Subjects = ({ proposal }: { readonly proposal: ListedProposal }) => (
  <RevealedText text={subjectsText(proposal)} />
)
