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
  Control: () => import("./control/ControlPage.js").then(({ ControlPage }) => ControlPage),
  ControlCoverage: () =>
    import("./control/ControlPage.js").then(({ ControlCoveragePage }) => ControlCoveragePage),
  ControlDecisions: () =>
    import("./control/ControlPage.js").then(({ ControlDecisionsPage }) => ControlDecisionsPage),
  ControlVersions: () =>
    import("./control/ControlPage.js").then(({ ControlVersionsPage }) => ControlVersionsPage),
  Controls: () => import("./control/ControlsPage.js").then(({ ControlsPage }) => ControlsPage),
  NewPolicy: () =>
    import("./policy/PolicyEditorPage.js").then(({ NewPolicyPage }) => NewPolicyPage),
  Overview: () => import("./environment/OverviewPage.js").then(({ OverviewPage }) => OverviewPage),
  Policies: () => import("./policy/PoliciesPage.js").then(({ PoliciesPage }) => PoliciesPage),
  Policy: () => import("./policy/PolicyPage.js").then(({ PolicyPage }) => PolicyPage),
  PolicyEditor: () =>
    import("./policy/PolicyEditorPage.js").then(({ PolicyEditorPage }) => PolicyEditorPage),
  PolicyVersion: () =>
    import("./policy/PolicyVersionPage.js").then(({ PolicyVersionPage }) => PolicyVersionPage),
  Preferences: () =>
    import("./preferences/PreferencesPage.js").then(({ PreferencesPage }) => PreferencesPage)
}
