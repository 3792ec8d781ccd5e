/** Environments as tiles, grouped. */
import type { Environment } from "../shared/Contract.js"
import * as Navigation from "../shared/Navigation.js"
import { RevealedText } from "../shared/RevealedText.js"
import { fromState } from "../shared/Verdict.js"
import { VerdictMark } from "../shared/VerdictMark.js"
import type { EnvironmentGroup } from "./EnvironmentGroups.js"
import { EnvironmentTile } from "./EnvironmentTile.js"

const LogicalTitle = ({
  org,
  logical
}: {
  readonly org: string
  readonly logical: Environment
}) => (
  <>
    <VerdictMark verdict={fromState(logical.state)} />
    <a href={Navigation.href("Environment", { org, environment: logical.name })}>
      <RevealedText text={logical.name} />
    </a>
    <span class="quiet">logical</span>
  </>
)

const Group = ({ org, group }: { readonly org: string; readonly group: EnvironmentGroup }) => (
  <section class="board-group">
    {group.title === undefined ? (
      <h2 class="visually-hidden">Environments</h2>
    ) : (
      <h2 class="part-title">
        {group.logical === undefined ? (
          <RevealedText text={group.title} />
        ) : (
          <LogicalTitle org={org} logical={group.logical} />
        )}
      </h2>
    )}
    {group.members.length === 0 ? (
      <p class="quiet">It has no members.</p>
    ) : (
      <ul class="tiles">
        {group.members.map((environment) => (
          <EnvironmentTile key={environment.name} org={org} environment={environment} />
        ))}
      </ul>
    )}
  </section>
)

export const EnvironmentBoard = ({
  org,
  groups
}: {
  readonly org: string
  readonly groups: ReadonlyArray<EnvironmentGroup>
}) => (
  <>
    {groups.map((group) => (
      <Group
        key={`${group.logical === undefined ? "" : "logical "}${group.key}`}
        org={org}
        group={group}
      />
    ))}
  </>
)
