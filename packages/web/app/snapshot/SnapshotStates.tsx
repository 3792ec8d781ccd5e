/** The states of a snapshot's page without rows. */

import { Command } from "../shared/Command.js"
import type { Environment } from "../shared/Contract.js"
import * as Navigation from "../shared/Navigation.js"
import { Page } from "../shared/Page.js"
import { useQuery } from "../shared/Query.js"
import { knownOf } from "../shared/QueryCache.js"
import { RevealedText } from "../shared/RevealedText.js"
import { commandOf } from "./ReportCommand.js"
import { hrefOf } from "./SnapshotHeader.js"
import type { Place } from "./SnapshotReads.js"

/** Nothing runs, which may be correct. */
export const NothingRuns = ({ exited }: { readonly exited: number }) => (
  <div class="note">
    <strong>Nothing runs here</strong>
    <p>
      The last report listed no artifacts
      {exited === 0 ? "." : `, and ${exited} stopped in this snapshot.`}
    </p>
  </div>
)

/** The environment has no report yet. */
export const NoSnapshot = ({
  org,
  environment
}: {
  readonly org: string
  readonly environment: string
}) => {
  const known = knownOf<Environment>(useQuery("environment.get", { org, env_name: environment }))
  const type = known?.value.type
  const url = `${location.origin}${Navigation.base}`
  const command = type === undefined ? undefined : commandOf({ url, org, environment, type })
  return (
    <Page name={environment} org={org} heading={<RevealedText text={environment} />}>
      <div class="note">
        <strong>No snapshot yet</strong>
        {type === "logical" ? (
          <p>
            A logical environment shows what runs in its members, once a member has a snapshot.{" "}
            <a href={Navigation.href("EnvironmentSettings", { org, environment })}>
              Choose members
            </a>
          </p>
        ) : (
          <>
            <p>The first report of what runs here makes snapshot 1. This page notices by itself.</p>
            {command === undefined ? null : <Command text={command} />}
          </>
        )}
      </div>
    </Page>
  )
}

const FORMS: ReadonlyArray<readonly [form: string, example: string, meaning: string]> = [
  ["N", "12", "the snapshot with this number"],
  ["-N", "-1", "from the newest, which is -1"],
  ["~N", "~1", "N snapshots before the newest"],
  ["@{time}", "@{2026-11-16T03:00:00}", "at a moment, in UTC"],
  ["@{N.unit.ago}", "@{2.days.ago}", "hours, days, weeks or months ago"],
  ["@{now}", "@{now}", "the newest"]
]

const Forms = ({ place }: { readonly place: Place }) => (
  <table class="forms">
    <caption class="visually-hidden">Ways to name a snapshot</caption>
    <thead>
      <tr>
        <th scope="col">Form</th>
        <th scope="col">Example</th>
        <th scope="col">Means</th>
      </tr>
    </thead>
    <tbody>
      {FORMS.map(([form, example, meaning]) => (
        <tr key={form}>
          <td>
            <code>{form}</code>
          </td>
          <td>
            <a
              href={Navigation.href("Snapshot", {
                org: place.org,
                environment: place.environment,
                expression: example
              })}
            >
              <code>{example}</code>
            </a>
          </td>
          <td>{meaning}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

/** The expression is malformed, or beyond the existing snapshots. */
export const MissingSnapshot = ({
  place,
  latest,
  isMalformed
}: {
  readonly place: Place
  readonly latest: number
  readonly isMalformed: boolean
}) => {
  const { org, environment, expression = "" } = place
  return (
    <Page name={environment} org={org} heading={<RevealedText text={environment} />}>
      <div class="note">
        {isMalformed ? (
          <>
            <strong>
              <RevealedText text={expression} /> is no snapshot expression
            </strong>
            <Forms place={place} />
          </>
        ) : (
          <>
            <strong>
              There is no snapshot <RevealedText text={expression} />
            </strong>
            {latest === 0 ? (
              <p>
                <RevealedText text={environment} /> has no snapshot yet.
              </p>
            ) : (
              <p>
                Snapshots <a href={hrefOf(place, 1)}>1</a> to{" "}
                <a href={hrefOf(place, latest)}>{latest}</a> exist.
              </p>
            )}
          </>
        )}
        <p>
          <a href={Navigation.href("Environment", { org, environment })}>Latest snapshot</a>
        </p>
      </div>
    </Page>
  )
}
