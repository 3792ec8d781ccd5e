/** A repository: its running artifacts, how often it is built and deployed, and its artifacts. */
import type * as Route from "@attestry/web/Route"
import { ArtifactPages } from "../artifact/ArtifactPages.js"
import { WhereLink } from "../exposure/WhereLink.js"
import type { PageProps } from "../pages.js"
import { ArtifactLink, SnapshotLink } from "../shared/AddressLinks.js"
import { callOf } from "../shared/Api.js"
import type { Repo } from "../shared/Contract.js"
import { ExternalLink } from "../shared/ExternalLink.js"
import { Facts } from "../shared/Facts.js"
import { Fold } from "../shared/Fold.js"
import { JsonTree } from "../shared/JsonTree.js"
import { isFilled } from "../shared/JsonValue.js"
import { Page } from "../shared/Page.js"
import * as ProductName from "../shared/ProductName.js"
import { cache, useQuery } from "../shared/Query.js"
import { QueryView } from "../shared/QueryView.js"
import { RevealedText } from "../shared/RevealedText.js"
import { Timestamp } from "../shared/Timestamp.js"
import { fromStatus } from "../shared/Verdict.js"
import { VerdictMark } from "../shared/VerdictMark.js"
import { RepoStatistics } from "./RepoStatistics.js"

const About = ({ repo }: { readonly repo: Repo }) => (
  <>
    {isFilled(repo.description) ? (
      <p class="lead">
        <RevealedText text={repo.description ?? ""} />
      </p>
    ) : null}
    <Facts
      facts={[
        ["Address", <ExternalLink key="address" address={repo.url} />],
        ["Provider", <RevealedText key="provider" text={ProductName.ofProvider(repo.provider)} />],
        [
          "Tags",
          isFilled(repo.tags)
            ? Object.entries(repo.tags).map(([key, value]) => (
                <span key={key} class="tag tag-first">
                  <RevealedText text={`${key}: ${value}`} />
                </span>
              ))
            : undefined
        ],
        ["Activity", <Timestamp key="activity" seconds={repo.latest_activity_at} />]
      ]}
    />
    {isFilled(repo.additional_info) ? (
      <Fold title="More about it">{() => <JsonTree value={repo.additional_info} />}</Fold>
    ) : null}
  </>
)

const Running = ({ org, name }: { readonly org: string; readonly name: string }) => {
  const params = { org, repo_name: name, query: { include: "verdict" } }
  const state = useQuery("deployment.liveArtifacts", params)
  return (
    <section class="block">
      <h2>Running now</h2>
      <QueryView
        state={state}
        retry={() => void cache.refresh(callOf("deployment.liveArtifacts", params).path)}
      >
        {({ live_artifacts }) =>
          live_artifacts.length === 0 ? (
            <p class="quiet">Nothing of this repository runs.</p>
          ) : (
            <ul class="links">
              {live_artifacts.map((live) => (
                <li key={`${live.environment_name} ${live.fingerprint}`} class="match">
                  <VerdictMark verdict={fromStatus(live.verdict)} />
                  <SnapshotLink
                    org={org}
                    environment={live.environment_name}
                    index={live.snapshot_index}
                  />
                  <ArtifactLink
                    org={org}
                    flow={live.flow_name}
                    fingerprint={live.fingerprint}
                    name={live.artifact_name}
                  />
                  {live.started_at === null ? null : (
                    <span class="quiet">
                      since <Timestamp seconds={live.started_at} />
                    </span>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </section>
  )
}

export const RepoPage = ({ route }: PageProps<Route.RouteOf<"Repo">>) => {
  const { org, repo: name } = route.params
  const params = { org, repo_name: name }
  const state = useQuery("repo.get", params)
  return (
    <Page
      name={name}
      org={org}
      heading={<RevealedText text={name} />}
      aside={<WhereLink org={org} subject={{ name: "repo_name", value: name }} />}
    >
      <QueryView state={state} retry={() => void cache.refresh(callOf("repo.get", params).path)}>
        {(repo) => (
          <>
            <About repo={repo} />
            <Running org={org} name={name} />
            <RepoStatistics org={org} repo={repo} route={route} />
            <section class="block">
              <h2>Artifacts</h2>
              <ArtifactPages org={org} route={route} of={{ repo_name: name }} />
            </section>
          </>
        )}
      </QueryView>
    </Page>
  )
}
