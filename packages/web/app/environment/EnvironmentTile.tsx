/** One environment on the board. */
import type { Environment } from "../shared/Contract.js"
import * as Navigation from "../shared/Navigation.js"
import * as ProductName from "../shared/ProductName.js"
import { RevealedText } from "../shared/RevealedText.js"
import { fromState } from "../shared/Verdict.js"
import { VerdictMark } from "../shared/VerdictMark.js"
import { DaySparkline } from "./DaySparkline.js"
import { NextChange } from "./DecaysNext.js"
import { PendingRemark, Policies, Reported, StaleRemark } from "./EnvironmentRemarks.js"
import { CountBar, RowCounts } from "./RowCounts.js"

const Head = ({ org, environment }: TileProps) => {
  const { name, type, state, latest_snapshot } = environment
  return (
    <h3 class="tile-head">
      <VerdictMark verdict={fromState(state)} />
      <a class="tile-name" href={Navigation.href("Environment", { org, environment: name })}>
        <RevealedText text={name} />
      </a>
      <span class="tile-kind">
        {ProductName.ofKind(type)}
        {latest_snapshot ? ` #${latest_snapshot.index}` : ""}
      </span>
    </h3>
  )
}

interface TileProps {
  readonly org: string
  readonly environment: Environment
}

export const EnvironmentTile = ({ org, environment }: TileProps) => {
  const { name, latest_snapshot: latest, day } = environment
  return (
    <li class={`tile tile-${fromState(environment.state)}`}>
      <Head org={org} environment={environment} />
      {latest ? (
        <>
          <CountBar counts={latest.counts} />
          <RowCounts org={org} environment={name} latest={latest} />
          <DaySparkline day={day ?? []} />
        </>
      ) : (
        <p class="quiet">
          No snapshot yet.{" "}
          <a href={Navigation.href("Environment", { org, environment: name })}>How to report</a>
        </p>
      )}
      <p class="tile-foot">
        <Policies org={org} environment={environment} />
        {" · "}
        {environment.type === "logical" || environment.last_reported_at === null ? "" : "reported "}
        <Reported environment={environment} />
      </p>
      <NextChange environment={environment} />
      <PendingRemark environment={environment} />
      <StaleRemark environment={environment} />
    </li>
  )
}
