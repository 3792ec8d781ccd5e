/** How much is waived: totals, the last 30 days, waivers with nothing to waive, and those that were extended often. */
import type * as Route from "@attestry/web/Route"
import type { PageProps } from "../pages.js"
import { callOf } from "../shared/Api.js"
import type { WaiverDebt } from "../shared/Contract.js"
import { Countdown } from "../shared/Countdown.js"
import * as Navigation from "../shared/Navigation.js"
import { Page } from "../shared/Page.js"
import { preferences } from "../shared/Preferences.js"
import { cache, useQuery } from "../shared/Query.js"
import { QueryView } from "../shared/QueryView.js"
import { RevealedText } from "../shared/RevealedText.js"
import * as Shorten from "../shared/Shorten.js"
import { type Column, VirtualTable } from "../shared/VirtualTable.js"
import { DebtTrend } from "./DebtTrend.js"
import { EnvironmentLink, PolicyLink, RequestButton, WaiverTabs } from "./WaiverParts.js"
import { ORPHANS } from "./WaiverText.js"

type Owed = WaiverDebt["waivers"][number]

const Figures = ({ debt }: { readonly debt: WaiverDebt }) => {
  const figures: ReadonlyArray<readonly [string, number, string]> = [
    ["active", debt.active, debt.active === 1 ? "waiver" : "waivers"],
    ["requested", debt.requested, "to decide"],
    ["end within a week", debt.expiring_7d, debt.expiring_7d === 1 ? "waiver" : "waivers"],
    ["waived now", debt.rows_waived, debt.rows_waived === 1 ? "result" : "results"],
    ["waived in 30 days", Math.round(debt.waived_row_hours_30d), "row hours"],
    ["oldest", debt.oldest_days, debt.oldest_days === 1 ? "day" : "days"]
  ]
  return (
    <dl class="figures">
      {figures.map(([name, value, unit]) => (
        <div key={name} class="figure">
          <dt>{name}</dt>
          <dd>
            <strong>{Shorten.count(value)}</strong> {unit}
          </dd>
        </div>
      ))}
    </dl>
  )
}

const rowsOf = ({ in_use }: Owed): number => in_use.reduce((sum, { rows }) => sum + rows, 0)

const columnsOf = (org: string): ReadonlyArray<Column<Owed>> => [
  {
    name: "number",
    title: "Waiver",
    isHeader: true,
    cell: ({ number }) => (
      <a href={Navigation.href("Waiver", { org, number: String(number) })}>waiver {number}</a>
    )
  },
  { name: "state", title: "State", cell: ({ state }) => state },
  {
    name: "end",
    title: "End",
    cell: ({ expires_at }) => <Countdown seconds={expires_at} event="ends" />
  },
  {
    name: "policy",
    title: "Policy",
    isFlexible: true,
    cell: ({ policy_name }) => <PolicyLink org={org} policy={policy_name} />
  },
  {
    name: "environment",
    title: "Environment",
    isFlexible: true,
    cell: ({ environment }) => <EnvironmentLink org={org} environment={environment} />
  },
  { name: "owner", title: "Owner", cell: ({ owner }) => <RevealedText text={owner} /> },
  { name: "rows", title: "Rows", isNumber: true, cell: (owed) => Shorten.count(rowsOf(owed)) }
]

/** Waivers that need a decision of their owners, each with its reason. */
const Remarked = ({
  org,
  title,
  waivers,
  remark
}: {
  readonly org: string
  readonly title: string
  readonly waivers: ReadonlyArray<Owed>
  readonly remark: (owed: Owed) => string
}) =>
  waivers.length === 0 ? null : (
    <section class="block">
      <h2>{title}</h2>
      <ul class="links">
        {waivers.map((owed) => (
          <li key={owed.number}>
            <a href={Navigation.href("Waiver", { org, number: String(owed.number) })}>
              waiver {owed.number}
            </a>{" "}
            of <RevealedText text={owed.owner} />: {remark(owed)}
          </li>
        ))}
      </ul>
    </section>
  )

const Debt = ({ org, debt }: { readonly org: string; readonly debt: WaiverDebt }) => (
  <>
    <Figures debt={debt} />
    <DebtTrend trend={debt.trend} />
    <Remarked
      org={org}
      title={`Nothing to waive: ${debt.orphans}`}
      waivers={debt.waivers.filter(({ orphan }) => orphan !== null)}
      remark={({ orphan }) => (orphan === null ? "" : ORPHANS[orphan])}
    />
    <Remarked
      org={org}
      title={`Extended three times or more: ${debt.extended_3_times}`}
      waivers={debt.waivers.filter(({ extensions }) => extensions >= 3)}
      remark={({ policy_name }) => `an exception in ${policy_name} may say it better`}
    />
    <section class="block">
      <h2>In force</h2>
      {debt.waivers.length === 0 ? (
        <p class="quiet">No waiver is in force.</p>
      ) : (
        <VirtualTable
          caption="Waivers in force"
          columns={columnsOf(org)}
          rows={debt.waivers}
          keyOf={({ number }) => String(number)}
          rowHeight={preferences.value.density === "compact" ? 28 : 36}
        />
      )}
    </section>
  </>
)

export const WaiverDebtPage = ({ route }: PageProps<Route.RouteOf<"WaiverDebt">>) => {
  const { org } = route.params
  const state = useQuery("waiver.debt", { org })
  return (
    <Page name="Waiver debt" org={org} aside={<RequestButton org={org} />}>
      <WaiverTabs org={org} current="WaiverDebt" />
      <QueryView
        state={state}
        retry={() => void cache.refresh(callOf("waiver.debt", { org }).path)}
      >
        {(debt) => <Debt org={org} debt={debt} />}
      </QueryView>
    </Page>
  )
}
