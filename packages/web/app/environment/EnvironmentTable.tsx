/** Environments as a table. */
import { now } from "../shared/Clock.js"
import type { Environment } from "../shared/Contract.js"
import * as Navigation from "../shared/Navigation.js"
import { preferences } from "../shared/Preferences.js"
import { RevealedText } from "../shared/RevealedText.js"
import { Timestamp } from "../shared/Timestamp.js"
import { fromState } from "../shared/Verdict.js"
import { VerdictMark } from "../shared/VerdictMark.js"
import { type Column, VirtualTable } from "../shared/VirtualTable.js"
import { isQuiet } from "./EnvironmentOrder.js"

const policiesOf = ({ policies, type }: Environment): string => {
  if (type === "logical") return "of its members"
  if (policies.length === 0) return "none attached"
  return policies.length === 1 ? (policies[0] ?? "") : `${policies.length} policies`
}

const Reported = ({ environment }: { readonly environment: Environment }) => {
  const { type, last_reported_at } = environment
  if (type === "logical") return <span class="quiet">of its members</span>
  if (last_reported_at === null) return <span class="quiet">no report yet</span>
  return (
    <>
      <Timestamp seconds={last_reported_at} />
      {isQuiet(environment, now.value) ? <span class="tag">quiet</span> : null}
    </>
  )
}

const columnsOf = (org: string): ReadonlyArray<Column<Environment>> => [
  {
    name: "verdict",
    title: "Verdict",
    cell: ({ state }) => <VerdictMark verdict={fromState(state)} word />
  },
  {
    name: "name",
    title: "Environment",
    isHeader: true,
    cell: ({ name }) => (
      <a href={Navigation.href("Environment", { org, environment: name })}>
        <RevealedText text={name} />
      </a>
    )
  },
  { name: "kind", title: "Kind", cell: ({ type }) => type },
  {
    name: "policies",
    title: "Policies",
    cell: (environment) => (
      <span
        class={environment.policies.length === 0 ? "quiet" : ""}
        title={environment.policies.join(", ")}
      >
        <RevealedText text={policiesOf(environment)} />
      </span>
    )
  },
  {
    name: "reported",
    title: "Last report",
    cell: (environment) => <Reported environment={environment} />
  },
  {
    name: "changed",
    title: "Last change",
    cell: ({ last_changed_at }) =>
      last_changed_at === null ? (
        <span class="quiet">–</span>
      ) : (
        <Timestamp seconds={last_changed_at} />
      )
  }
]

/** The table. */
export const EnvironmentTable = ({
  org,
  environments
}: {
  readonly org: string
  readonly environments: ReadonlyArray<Environment>
}) => (
  <VirtualTable
    caption="Environments"
    columns={columnsOf(org)}
    rows={environments}
    keyOf={({ name }) => name}
    rowHeight={preferences.value.density === "compact" ? 28 : 36}
    onOpen={({ name }) =>
      Navigation.go({ _tag: "Environment", params: { org, environment: name }, query: [] })
    }
  />
)
