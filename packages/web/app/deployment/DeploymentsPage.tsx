/** The deployments of an org, newest first. */
import type * as Route from "@attestry/web/Route"
import type { PageProps } from "../pages.js"
import { Page } from "../shared/Page.js"
import { DeploymentPages } from "./DeploymentPages.js"

export const DeploymentsPage = ({ route }: PageProps<Route.RouteOf<"Deployments">>) => (
  <Page name="Deployments" org={route.params.org}>
    <DeploymentPages org={route.params.org} route={route} of={{}} />
  </Page>
)
