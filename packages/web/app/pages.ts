/** Which page shows a route. Pages are loaded when they are opened; routes that have none yet say so. */
import type * as Route from "@attestry/web/Route"
import type { ComponentType } from "preact"

/** What a page is given: its route. */
export interface PageProps<R extends Route.Route = Route.Route> {
  readonly route: R
}

type Loader<T extends Route.Tag> = () => Promise<
  ComponentType<PageProps<Route.RouteOf<T> & Route.Route>>
>

/** The pages by their routes. Home and sign-in are drawn by the application itself. */
export const PAGES: { readonly [T in Route.Tag]?: Loader<T> } = {
  Artifact: () => import("./artifact/ArtifactPage.js").then(({ ArtifactPage }) => ArtifactPage),
  Artifacts: () => import("./artifact/ArtifactsPage.js").then(({ ArtifactsPage }) => ArtifactsPage),
  AttestationType: () =>
    import("./attestation/AttestationTypePage.js").then(
      ({ AttestationTypePage }) => AttestationTypePage
    ),
  AttestationTypes: () =>
    import("./attestation/AttestationTypesPage.js").then(
      ({ AttestationTypesPage }) => AttestationTypesPage
    ),
  Attestations: () =>
    import("./attestation/AttestationsPage.js").then(({ AttestationsPage }) => AttestationsPage),
  Deployments: () =>
    import("./deployment/DeploymentsPage.js").then(({ DeploymentsPage }) => DeploymentsPage),
  Flow: () => import("./flow/FlowPage.js").then(({ FlowPage }) => FlowPage),
  FlowArtifact: () =>
    import("./artifact/FlowArtifactPage.js").then(({ FlowArtifactPage }) => FlowArtifactPage),
  FlowArtifacts: () =>
    import("./flow/FlowArtifactsPage.js").then(({ FlowArtifactsPage }) => FlowArtifactsPage),
  FlowDeployments: () =>
    import("./flow/FlowDeploymentsPage.js").then(({ FlowDeploymentsPage }) => FlowDeploymentsPage),
  FlowSettings: () =>
    import("./flow/FlowSettingsPage.js").then(({ FlowSettingsPage }) => FlowSettingsPage),
  Flows: () => import("./flow/FlowsPage.js").then(({ FlowsPage }) => FlowsPage),
  Overview: () => import("./environment/OverviewPage.js").then(({ OverviewPage }) => OverviewPage),
  Preferences: () =>
    import("./preferences/PreferencesPage.js").then(({ PreferencesPage }) => PreferencesPage),
  Repo: () => import("./repo/RepoPage.js").then(({ RepoPage }) => RepoPage),
  Repos: () => import("./repo/ReposPage.js").then(({ ReposPage }) => ReposPage),
  Trail: () => import("./trail/TrailPage.js").then(({ TrailPage }) => TrailPage)
}
