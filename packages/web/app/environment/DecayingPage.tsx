/** Every environment whose verdicts time alone will change, soonest first. */
import type * as Route from "@attestry/web/Route"
import type { PageProps } from "../pages.js"
import { Countdown } from "../shared/Countdown.js"
import * as Navigation from "../shared/Navigation.js"
import { Page } from "../shared/Page.js"
import { preferences } from "../shared/Preferences.js"
import { QueryView } from "../shared/QueryView.js"
import { RevealedText } from "../shared/RevealedText.js"
import { Timestamp } from "../shared/Timestamp.js"
import { fromState } from "../shared/Verdict.js"
import { VerdictMark } from "../shared/VerdictMark.js"
import { type Column, VirtualTable } from "../shared/VirtualTable.js"
import { type Decay, decaysOf } from "./Decay.js"
import { FirstRows } from "./DecaysNext.js"
import { Policies } from "./EnvironmentRemarks.js"
import { useEnvironments } from "./Environments.js"

const POLL_MS = 5_000

const columnsOf = (org: string): ReadonlyArray<Column<Decay>> => [
  {
    name: "verdict",
    title: "Verdict",
    cell: ({ environment }) => <VerdictMark verdict={fromState(environment.state)} word />
  },
  {
    name: "name",
    title: "Environment",
    isHeader: true,
    cell: ({ environment: { name } }) => (
      <a href={Navigation.href("Environment", { org, environment: name })}>
        <RevealedText text={name} />
      </a>
    )
  },
  {
    name: "due",
    title: "Next change",
    cell: ({ dueAt }) => <Countdown seconds={dueAt} event="next change" />
  },
  {
    name: "at",
    title: "At",
    cell: ({ dueAt }) => <Timestamp seconds={dueAt} always="absolute" />
  },
  {
    name: "policies",
    title: "Policies",
    isFlexible: true,
    cell: ({ environment }) => <Policies org={org} environment={environment} />
  },
  {
    name: "rows",
    title: "Rows",
    cell: ({ environment }) => <FirstRows org={org} environment={environment.name} />
  }
]

const Nothing = () => (
  <div class="note">
    <strong>No verdict ends by time alone</strong>
    <p>
      An environment is listed here when a rule of its policies has <code>max_age</code>, when a
      waiver starts or ends there, or when an allowed artifact ends.
    </p>
  </div>
)

export const DecayingPage = ({ route }: PageProps<Route.RouteOf<"Decaying">>) => {
  const { org } = route.params
  const { state, environments, retry } = useEnvironments(org, POLL_MS)
  const decays = decaysOf(environments)
  return (
    <Page name="Decays next" org={org}>
      <QueryView state={state} retry={retry}>
        {() =>
          decays.length === 0 ? (
            <Nothing />
          ) : (
            <VirtualTable
              caption="Environments by their next change"
              columns={columnsOf(org)}
              rows={decays}
              keyOf={({ environment }) => environment.name}
              rowHeight={preferences.value.density === "compact" ? 28 : 36}
            />
          )
        }
      </QueryView>
    </Page>
  )
}
