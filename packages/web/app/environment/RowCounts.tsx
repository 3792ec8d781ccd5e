/** The number of running rows by verdict: a bar, and numbers that link to the rows. */
import * as Route from "@attestry/web/Route"
import type { Environment } from "../shared/Contract.js"
import * as Navigation from "../shared/Navigation.js"
import * as Shorten from "../shared/Shorten.js"
import { WORDS } from "../shared/Verdict.js"
import { VerdictMark } from "../shared/VerdictMark.js"

type Latest = NonNullable<Environment["latest_snapshot"]>

const VERDICTS = [
  ["compliant", "true"],
  ["non-compliant", "false"],
  ["unknown", "null"]
] as const

/** The bar. It is decorative: the numbers carry the information. */
export const CountBar = ({ counts }: Pick<Latest, "counts">) => (
  <span class="count-bar" aria-hidden="true">
    {VERDICTS.map(([verdict, key]) =>
      counts[key] === 0 ? null : (
        <span key={verdict} class={`count-${verdict}`} style={{ flexGrow: counts[key] }} />
      )
    )}
  </span>
)

/** The numbers; each links to the rows that it counts. */
export const RowCounts = ({
  org,
  environment,
  latest
}: {
  readonly org: string
  readonly environment: string
  readonly latest: Latest
}) => {
  const present = VERDICTS.filter(([, key]) => latest.counts[key] > 0)
  return present.length === 0 ? (
    <span class="quiet">nothing runs here</span>
  ) : (
    <ul class="row-counts">
      {present.map(([verdict, key]) => (
        <li key={verdict}>
          <a
            href={Navigation.hrefOf(Route.make("Environment", { org, environment }, { verdict }))}
            aria-label={`${latest.counts[key]} ${WORDS[verdict]} in ${environment}`}
          >
            {Shorten.count(latest.counts[key])} <VerdictMark verdict={verdict} />
          </a>
        </li>
      ))}
    </ul>
  )
}
