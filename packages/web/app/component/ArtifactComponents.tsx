/** The components that the bills of materials about an artifact list. */
import * as Route from "@attestry/web/Route"
import { callOf } from "../shared/Api.js"
import { Command } from "../shared/Command.js"
import * as Navigation from "../shared/Navigation.js"
import { cache, useQuery } from "../shared/Query.js"
import { QueryView } from "../shared/QueryView.js"
import { attestryLine } from "../shell/AttestryLine.js"
import { ComponentList } from "./ComponentList.js"

const PER_PAGE = 20

/** The evidence files that are bills of materials about an artifact. */
const sbomsOf = (org: string, fingerprint: string): string =>
  Navigation.hrefOf(Route.make("Evidence", { org }, { kind: "sbom", fingerprint }))

const commandFor = (org: string, fingerprint: string): string =>
  attestryLine(["attestry", "attest", "sbom", "FILE", "--fingerprint", fingerprint], {
    url: `${location.origin}${Navigation.base}`,
    org
  })

/** Why an artifact has no components: no bill of materials is about it, or none lists a component. */
export const NoSbom = ({
  org,
  fingerprint
}: {
  readonly org: string
  readonly fingerprint: string
}) => {
  const params = { org, query: { kind: "sbom", fingerprint, page: 1, per_page: 1 } }
  const state = useQuery("evidence.list", params)
  return (
    <QueryView state={state} retry={() => void cache.refresh(callOf("evidence.list", params).path)}>
      {({ total_count }) =>
        total_count > 0 ? (
          <p class="quiet">
            Its <a href={sbomsOf(org, fingerprint)}>bills of materials</a> list no component with a
            package URL.
          </p>
        ) : (
          <div class="note">
            <strong>No bill of materials</strong>
            <p>
              What this artifact contains is not known. Send a bill of materials, in a format of
              CycloneDX or SPDX:
            </p>
            <Command text={commandFor(org, fingerprint)} />
          </div>
        )
      }
    </QueryView>
  )
}

export const ArtifactComponents = ({
  org,
  route,
  fingerprint
}: {
  readonly org: string
  readonly route: Route.Route
  readonly fingerprint: string
}) => (
  <section class="block">
    <h2>Components</h2>
    <ComponentList
      org={org}
      route={route}
      fingerprint={fingerprint}
      perPage={PER_PAGE}
      lead={
        <p class="quiet">
          What its <a href={sbomsOf(org, fingerprint)}>bills of materials</a> list.
        </p>
      }
      none={<NoSbom org={org} fingerprint={fingerprint} />}
    />
  </section>
)
