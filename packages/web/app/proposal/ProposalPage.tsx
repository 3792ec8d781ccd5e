/** One proposal: who asks for what and why, the difference that it would make, its decisions and its history. */
import * as Route from "@attestry/web/Route"
import type { PageProps } from "../pages.js"
import * as Session from "../session/Session.js"
import { callOf } from "../shared/Api.js"
import type { Proposal } from "../shared/Contract.js"
import { Countdown } from "../shared/Countdown.js"
import { Facts } from "../shared/Facts.js"
import * as Navigation from "../shared/Navigation.js"
import { Page } from "../shared/Page.js"
import { cache, useQuery } from "../shared/Query.js"
import { knownOf } from "../shared/QueryCache.js"
import { QueryView } from "../shared/QueryView.js"
import { RevealedText } from "../shared/RevealedText.js"
import { TextDiffView } from "../shared/TextDiffView.js"
import { Timestamp } from "../shared/Timestamp.js"
import { type Decision, Decisions } from "./ProposalActions.js"
import { Subjects } from "./ProposalParts.js"
import {
  approvalsText,
  historyOf,
  isOpen,
  KINDS,
  STANDING_TEXTS,
  standingOf
} from "./ProposalText.js"
import * as ProposedText from "./ProposedText.js"

const POLL_MS = 15_000

interface Shown {
  readonly org: string
  readonly proposal: Proposal
}

const Terms = ({ proposal }: Shown) => (
  <Facts
    facts={[
      ["Changes", <Subjects key="s" proposal={proposal} />],
      ["Protected as", proposal.kinds.map((kind) => KINDS[kind]).join(", ")],
      ["Reason", <RevealedText key="r" text={proposal.reason} />],
      [
        "Proposed by",
        <span key="p">
          <RevealedText text={proposal.proposed_by} />
          {proposal.proposer_kind === "service-account" ? " (service account)" : ""}{" "}
          <Timestamp seconds={proposal.made_at} />
        </span>
      ],
      ["Approvals", approvalsText(proposal)],
      [
        "Waits",
        isOpen(proposal.state) ? (
          <Countdown key="e" seconds={proposal.expires_at} event="ends" />
        ) : null
      ]
    ]}
  />
)

const Differences = ({ proposal: { changes } }: Shown) => (
  <section class="block">
    <h2>What it changes</h2>
    {changes.map(({ after, before, name, type }, at) => (
      <section key={`${at} ${type} ${name}`} class="below">
        <h3 class="part-title">
          <RevealedText text={`${type.replaceAll("_", " ")} ${name}`} />
          {before === null ? <span class="quiet"> new</span> : null}
        </h3>
        <TextDiffView
          diff={ProposedText.diffOf(before, after)}
          caption={`${type} ${name}: what was there when it was proposed, and what is proposed`}
        />
      </section>
    ))}
  </section>
)

const Actions = ({ org, proposal }: Shown) => {
  const reader = Session.current()
  const standing = standingOf(proposal, reader)
  const mayWithdraw =
    isOpen(proposal.state) && (standing === "own" || Session.may(org, "proposal.approve"))
  const decisions: ReadonlyArray<Decision> = [
    ...(standing === "may" ? (["approve", "reject"] as const) : []),
    ...(mayWithdraw ? (["withdraw"] as const) : [])
  ]
  return (
    <>
      {decisions.length === 0 ? null : (
        <div class="row-actions below">
          <Decisions org={org} proposal={proposal} decisions={decisions} />
        </div>
      )}
      {STANDING_TEXTS[standing] === "" ? null : <p class="quiet">{STANDING_TEXTS[standing]}</p>}
    </>
  )
}

const History = ({ org, proposal }: Shown) => (
  <section class="block">
    <h2>History</h2>
    <ol class="part-list">
      {historyOf(proposal).map(({ at, by, comment, what }) => (
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
                subject: "proposal",
                from: new Date(proposal.made_at * 1_000).toISOString().slice(0, 10)
              }
            )
          )}
        >
          Entries of proposals in the audit log
        </a>
      </p>
    ) : null}
  </section>
)

export const ProposalPage = ({ route }: PageProps<Route.RouteOf<"Proposal">>) => {
  const { org, number } = route.params
  const params = { org, number }
  const state = useQuery("proposal.get", params, { poll: POLL_MS })
  const known = knownOf(state)?.value
  return (
    <Page
      name={`Proposal ${number}`}
      org={org}
      heading={
        <>
          Proposal {number}{" "}
          {known === undefined ? null : <span class="heading-word">{known.state}</span>}
        </>
      }
    >
      <QueryView
        state={state}
        retry={() => void cache.refresh(callOf("proposal.get", params).path)}
      >
        {(proposal) => (
          <>
            <Terms org={org} proposal={proposal} />
            <Differences org={org} proposal={proposal} />
            <Actions org={org} proposal={proposal} />
            <History org={org} proposal={proposal} />
          </>
        )}
      </QueryView>
    </Page>
  )
}
