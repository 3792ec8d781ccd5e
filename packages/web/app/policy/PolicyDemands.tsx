/** The rules of a policy in words, and the author of a version. */
import type { PolicyVersion } from "../shared/Contract.js"
import * as Navigation from "../shared/Navigation.js"
import { Skeleton } from "../shared/QueryView.js"
import { RevealedText } from "../shared/RevealedText.js"
import { Timestamp } from "../shared/Timestamp.js"
import type { Reading, RuleLine } from "./PolicyWorkerMessages.js"

/** A rule in words; its control is a link. */
const RuleWords = ({ org, rule }: { readonly org: string; readonly rule: RuleLine }) => {
  const { control, text } = rule
  const at = control === null ? -1 : text.indexOf(`for ${control}`)
  if (control === null || at < 0) return <RevealedText text={text} />
  return (
    <>
      <RevealedText text={text.slice(0, at)} />
      {"for "}
      <a href={Navigation.href("Control", { org, identifier: control })}>
        <RevealedText text={control} />
      </a>
      <RevealedText text={text.slice(at + 4 + control.length)} />
    </>
  )
}

const Rule = ({ org, rule }: { readonly org: string; readonly rule: RuleLine }) => (
  <li>
    <span class="rule-mark">rule {rule.number}</span> <RuleWords org={org} rule={rule} />
  </li>
)

/** The rules of the policy, in words. */
export const Demands = ({
  org,
  reading
}: {
  readonly org: string
  readonly reading: Reading | undefined
}) => {
  if (reading === undefined) return <Skeleton />
  if (reading.problems.length > 0)
    return <p>This text cannot be read as a policy: everything is evaluated as not compliant.</p>
  const demanded = reading.rules.filter(({ isDemanded }) => isDemanded)
  return demanded.length === 0 ? (
    <p>Nothing: every artifact passes.</p>
  ) : (
    <ul class="rule-list">
      {demanded.map((rule) => (
        <Rule key={rule.index} org={org} rule={rule} />
      ))}
    </ul>
  )
}

/** The author, the time and the comment of a version. */
export const VersionLine = ({
  version
}: {
  readonly version: Pick<PolicyVersion, "version" | "created_by" | "timestamp" | "comment">
}) => (
  <>
    version {version.version} by <RevealedText text={version.created_by} />,{" "}
    <Timestamp seconds={version.timestamp} />
    {version.comment === "" ? null : (
      <>
        {" "}
        <q>
          <RevealedText text={version.comment} />
        </q>
      </>
    )}
  </>
)
