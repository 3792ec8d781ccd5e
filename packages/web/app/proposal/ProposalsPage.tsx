/** The proposals of an org: those that wait for the reader and for others, and all of them. */
import * as Route from "@attestry/web/Route"
import type { PageProps } from "../pages.js"
import { callOf } from "../shared/Api.js"
import type { ListedProposal } from "../shared/Contract.js"
import { Countdown } from "../shared/Countdown.js"
import * as Damaged from "../shared/Damaged.js"
import { DamagedNote } from "../shared/DamagedNote.js"
import { ChoiceFilter, isFiltered, NothingFits } from "../shared/Filters.js"
import * as Navigation from "../shared/Navigation.js"
import { Page } from "../shared/Page.js"
import { Pager, pageOf } from "../shared/Pager.js"
import { preferences } from "../shared/Preferences.js"
import { cache, useQuery } from "../shared/Query.js"
import { QueryView } from "../shared/QueryView.js"
import * as Reveal from "../shared/Reveal.js"
import { RevealedText } from "../shared/RevealedText.js"
import { Timestamp } from "../shared/Timestamp.js"
import { type Column, VirtualTable } from "../shared/VirtualTable.js"
import { ProposalLink, ProposalTabs, Subjects, useOpenProposals } from "./ProposalParts.js"
import { approvalsText, isOpen, STANDING_TEXTS, STATES, type Standing } from "./ProposalText.js"

const PER_PAGE = 50

const Card = ({
  org,
  proposal,
  standing
}: {
  readonly org: string
  readonly proposal: ListedProposal
  readonly standing: Standing
}) => (
  <li class="rule-card">
    <p>
      <strong>
        <ProposalLink org={org} proposal={proposal} />
      </strong>{" "}
      changes <Subjects proposal={proposal} />
    </p>
    <p>
      <q>
        <RevealedText text={proposal.reason} />
      </q>
    </p>
    <p class="quiet">
      proposed by <RevealedText text={proposal.proposed_by} />{" "}
      <Timestamp seconds={proposal.made_at} />, {approvalsText(proposal)},{" "}
      <Countdown seconds={proposal.expires_at} event="ends" />
    </p>
    {standing === "may" ? (
      <div class="row-actions">
        <a
          class="button button-main"
          href={Navigation.href("Proposal", { org, number: String(proposal.number) })}
        >
          Look at the difference
          <span class="visually-hidden"> of proposal {proposal.number}</span>
        </a>
      </div>
    ) : (
      <p class="quiet">{STANDING_TEXTS[standing]}</p>
    )}
  </li>
)

const Part = ({
  org,
  title,
  proposals
}: {
  readonly org: string
  readonly title: string
  readonly proposals: ReturnType<typeof useOpenProposals>["proposals"]
}) =>
  proposals.length === 0 ? null : (
    <section class="block">
      <h2>{title}</h2>
      <ul class="rule-cards">
        {proposals.map(({ proposal, standing }) => (
          <Card key={proposal.number} org={org} proposal={proposal} standing={standing} />
        ))}
      </ul>
    </section>
  )

const Inbox = ({ org }: { readonly org: string }) => {
  const { params, proposals, state } = useOpenProposals(org)
  const mine = proposals.filter(({ standing }) => standing === "may")
  return (
    <QueryView state={state} retry={() => void cache.refresh(callOf("proposal.list", params).path)}>
      {({ total_count }) => (
        <>
          {mine.length === 0 ? <p role="status">Nothing waits for your decision.</p> : null}
          <Part org={org} title="Waits for you" proposals={mine} />
          <Part
            org={org}
            title="Waits for others"
            proposals={proposals.filter(({ standing }) => standing !== "may")}
          />
          {total_count > proposals.length ? (
            <p class="quiet">
              The newest {proposals.length} of {total_count} proposals.
            </p>
          ) : null}
        </>
      )}
    </QueryView>
  )
}

const columnsOf = (org: string): ReadonlyArray<Column<ListedProposal>> => [
  {
    name: "number",
    title: "Proposal",
    isHeader: true,
    cell: (proposal) => (
      <span title={Reveal.plain(proposal.reason)}>
        <ProposalLink org={org} proposal={proposal} />
      </span>
    )
  },
  {
    name: "state",
    title: "State",
    cell: (proposal) =>
      isOpen(proposal.state) ? `${proposal.state}, ${approvalsText(proposal)}` : proposal.state
  },
  {
    name: "changes",
    title: "Changes",
    isFlexible: true,
    cell: (proposal) => <Subjects proposal={proposal} />
  },
  {
    name: "by",
    title: "Proposed by",
    cell: ({ proposed_by }) => <RevealedText text={proposed_by} />
  },
  { name: "made", title: "Proposed", cell: ({ made_at }) => <Timestamp seconds={made_at} /> },
  {
    name: "end",
    title: "End",
    cell: ({ ended, expires_at }) =>
      ended === null ? (
        <Countdown seconds={expires_at} event="ends" />
      ) : (
        <Timestamp seconds={ended.at} />
      )
  }
]

const NoProposals = ({ route }: { readonly route: Route.RouteOf<"Proposals"> }) =>
  isFiltered(route, ["state"]) ? (
    <NothingFits what="proposal" names={["state"]} />
  ) : (
    <div class="note">
      <strong>No proposals yet</strong>
      <p>
        A change that a protection of the org covers is proposed, and made once other people have
        approved it. Propose one from the page where the change was held, or with{" "}
        <code>attestry propose</code>.
      </p>
    </div>
  )

const All = ({ route }: { readonly route: Route.RouteOf<"Proposals"> }) => {
  const { org } = route.params
  const params = {
    org,
    query: { state: Route.parameter(route, "state"), page: pageOf(route), per_page: PER_PAGE }
  }
  const state = useQuery("proposal.list", params)
  return (
    <>
      <search class="filters">
        <ChoiceFilter
          route={route}
          name="state"
          label="State"
          any="any state"
          options={STATES.map((each) => [each, each])}
        />
      </search>
      <QueryView
        state={state}
        retry={() => void cache.refresh(callOf("proposal.list", params).path)}
      >
        {({ proposals, total_count }) => {
          const { items, damaged } = Damaged.readable(proposals)
          return total_count === 0 ? (
            <NoProposals route={route} />
          ) : (
            <>
              <DamagedNote count={damaged} />
              <VirtualTable
                caption="Proposals"
                columns={columnsOf(org)}
                rows={items}
                keyOf={({ number }) => String(number)}
                rowHeight={preferences.value.density === "compact" ? 28 : 36}
              />
              <Pager route={route} perPage={PER_PAGE} total={total_count} what="proposals" />
            </>
          )
        }}
      </QueryView>
    </>
  )
}

export const ProposalsPage = ({ route }: PageProps<Route.RouteOf<"Proposals">>) => {
  const { org } = route.params
  const isAll = Route.parameter(route, "list") === "all"
  return (
    <Page name={isAll ? "Proposals" : "Proposals to decide"} org={org}>
      <ProposalTabs org={org} current={isAll ? "All" : "Inbox"} />
      {isAll ? <All route={route} /> : <Inbox org={org} />}
    </Page>
  )
}
