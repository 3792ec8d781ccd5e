/** Lists the environments that need attention, each with its reason and how long it has lasted. */
import * as Route from "@attestry/web/Route"
import { callOf } from "../shared/Api.js"
import { now } from "../shared/Clock.js"
import { Icon } from "../shared/Icon.js"
import * as Navigation from "../shared/Navigation.js"
import { cache, useQuery } from "../shared/Query.js"
import { knownOf } from "../shared/QueryCache.js"
import { RevealedText } from "../shared/RevealedText.js"
import * as TimeText from "../shared/TimeText.js"
import { VerdictMark } from "../shared/VerdictMark.js"
import { groupsOf } from "../snapshot/ReasonGroups.js"
import type { Attention } from "./Attention.js"
import { textOf } from "./settings/CadenceField.js"

/** At most this many reasons fit in a line; the environment's page has the others. */
const REASONS_MAX = 3

type Silent = Extract<Attention, { readonly _tag: "Silent" }>
type Failing = Extract<Attention, { readonly _tag: "Failing" }>

/** The rules that the newest snapshot fails. A snapshot never changes. */
const Reasons = ({ org, line }: { readonly org: string; readonly line: Failing }) => {
  const { name, latest_snapshot } = line.environment
  const params = {
    org,
    env_name: name,
    snapshot_expression: String(latest_snapshot?.index ?? 0),
    query: { per_page: 0 }
  }
  const state = useQuery("snapshot.rows", params, { immutable: true })
  const known = knownOf(state)
  if (state._tag === "Failed")
    return (
      <span class="quiet">
        reasons cannot be read{" "}
        <button
          type="button"
          class="button-plain"
          onClick={() => void cache.refresh(callOf("snapshot.rows", params).path)}
        >
          Try again
        </button>
      </span>
    )
  if (known === undefined) return <span class="quiet">…</span>
  const groups = groupsOf(known.value.rules)
  return (
    <ul class="attention-reasons">
      {groups.slice(0, REASONS_MAX).map(({ key, text, rows }) => (
        <li key={key}>
          <a
            href={Navigation.hrefOf(
              Route.make("Environment", { org, environment: name }, { rule: key })
            )}
          >
            <RevealedText text={text.replaceAll("`", "")} /> ×{rows}
          </a>
        </li>
      ))}
      {groups.length > REASONS_MAX ? (
        <li class="quiet">and {groups.length - REASONS_MAX} more</li>
      ) : null}
    </ul>
  )
}

const FailingText = ({ line }: { readonly line: Failing }) => (
  <>
    {line.rows} of {line.running} not compliant for {TimeText.duration(now.value - line.sinceMs)}
  </>
)

/** By its own cadence, or by a guess, which it says. */
const SilentText = ({ line }: { readonly line: Silent }) => {
  const since = TimeText.duration(now.value - line.sinceMs)
  if (line.isGuess) return <>no report for {since}; it has no cadence, so this may be fine</>
  const { report_every, when_silent } = line.environment
  return (
    <>
      silent for {since}
      {report_every === null ? "" : `, must report every ${textOf(report_every)}`}
      {when_silent === "non_compliant" ? "; not compliant" : ""}
    </>
  )
}

const Line = ({ org, line }: { readonly org: string; readonly line: Attention }) => {
  const { name } = line.environment
  return (
    <li class="attention-line">
      {line._tag === "Failing" ? (
        <VerdictMark verdict="non-compliant" />
      ) : (
        <span class="attention-quiet">
          <Icon name="clock" />
          <span class="visually-hidden">silent</span>
        </span>
      )}
      <a class="attention-name" href={Navigation.href("Environment", { org, environment: name })}>
        <RevealedText text={name} />
      </a>
      <span>
        {line._tag === "Failing" ? <FailingText line={line} /> : <SilentText line={line} />}
      </span>
      {line._tag === "Failing" && line.isExplained ? <Reasons org={org} line={line} /> : <span />}
    </li>
  )
}

/** The lines; renders nothing if no environment needs attention. */
export const AttentionList = ({
  org,
  lines
}: {
  readonly org: string
  readonly lines: ReadonlyArray<Attention>
}) =>
  lines.length === 0 ? null : (
    <section class="attention" aria-labelledby="attention">
      <h2 id="attention" class="part-title">
        Needs attention
      </h2>
      <ul>
        {lines.map((line) => (
          <Line key={`${line._tag} ${line.environment.name}`} org={org} line={line} />
        ))}
      </ul>
    </section>
  )
