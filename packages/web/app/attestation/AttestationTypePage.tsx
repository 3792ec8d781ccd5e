/** A custom attestation type: the rules for its data, by version. */
import * as Route from "@attestry/web/Route"
import type { PageProps } from "../pages.js"
import { callOf } from "../shared/Api.js"
import type { AttestationType } from "../shared/Contract.js"
import { JsonTree } from "../shared/JsonTree.js"
import { isFilled } from "../shared/JsonValue.js"
import * as Navigation from "../shared/Navigation.js"
import { Page } from "../shared/Page.js"
import { cache, useQuery } from "../shared/Query.js"
import { QueryView } from "../shared/QueryView.js"
import { RevealedText } from "../shared/RevealedText.js"
import { Timestamp } from "../shared/Timestamp.js"

type Version = AttestationType["versions"][number]

const rulesOf = ({ evaluator }: Version): ReadonlyArray<string> =>
  evaluator.content_type === "jq" ? evaluator.rules : []

const VersionView = ({
  version,
  isLatest
}: {
  readonly version: Version
  readonly isLatest: boolean
}) => (
  <section class="block">
    <h2>
      Version {version.version}
      {isLatest ? <span class="tag">new attestations use this one</span> : null}
    </h2>
    <p class="quiet">
      by <RevealedText text={version.created_by} />, <Timestamp seconds={version.timestamp} />
    </p>
    <h3>Rules</h3>
    {rulesOf(version).length === 0 ? (
      <p class="quiet">None: data that pass the schema are compliant.</p>
    ) : (
      <ol class="rules">
        {rulesOf(version).map((rule) => (
          <li key={rule}>
            <code>
              <RevealedText text={rule} />
            </code>
          </li>
        ))}
      </ol>
    )}
    <h3>Schema</h3>
    {isFilled(version.type_schema) ? (
      <JsonTree value={version.type_schema} />
    ) : (
      <p class="quiet">None: any JSON value.</p>
    )}
  </section>
)

export const AttestationTypePage = ({ route }: PageProps<Route.RouteOf<"AttestationType">>) => {
  const { org, type: name } = route.params
  const params = { org, type_name: name }
  const state = useQuery("attestationType.get", params)
  return (
    <Page
      name={name}
      org={org}
      heading={<RevealedText text={name} />}
      aside={
        <a
          href={Navigation.hrefOf(Route.make("Attestations", { org }, { type: `custom:${name}` }))}
        >
          Attestations of this type
        </a>
      }
    >
      <QueryView
        state={state}
        retry={() => void cache.refresh(callOf("attestationType.get", params).path)}
      >
        {({ archived, description, versions }) => (
          <>
            {archived ? (
              <p class="note note-wide">Archived: new attestations of this type are refused.</p>
            ) : null}
            {isFilled(description) ? (
              <p class="lead">
                <RevealedText text={description ?? ""} />
              </p>
            ) : null}
            {versions.map((version, index) => (
              <VersionView key={version.version} version={version} isLatest={index === 0} />
            ))}
          </>
        )}
      </QueryView>
    </Page>
  )
}
