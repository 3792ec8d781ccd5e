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
  Diff: () => import("./snapshot/DiffPage.js").then(({ DiffPage }) => DiffPage),
  Environment: () => import("./snapshot/SnapshotPage.js").then(({ SnapshotPage }) => SnapshotPage),
  EnvironmentSettings: () =>
    import("./environment/EnvironmentSettingsPage.js").then(
      ({ EnvironmentSettingsPage }) => EnvironmentSettingsPage
    ),
  Events: () => import("./environment/EventsPage.js").then(({ EventsPage }) => EventsPage),
  Overview: () => import("./environment/OverviewPage.js").then(({ OverviewPage }) => OverviewPage),
  Preferences: () =>
    import("./preferences/PreferencesPage.js").then(({ PreferencesPage }) => PreferencesPage),
  Snapshot: () => import("./snapshot/SnapshotPage.js").then(({ SnapshotPage }) => SnapshotPage),
  Start: () => import("./start/StartPage.js").then(({ StartPage }) => StartPage)
}
