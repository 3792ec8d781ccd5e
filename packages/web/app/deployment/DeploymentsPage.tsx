/** The deployments of an org, newest first. */
import type * as Route from "@attestry/web/Route"
import type { PageProps } from "../pages.js"
import * as Navigation from "../shared/Navigation.js"
import { Page } from "../shared/Page.js"
import { DeploymentPages } from "./DeploymentPages.js"

export const DeploymentsPage = ({ route }: PageProps<Route.RouteOf<"Deployments">>) => (
  <Page name="Deployments" org={route.params.org}>
    <p>
      <a href={Navigation.href("ReleaseEvidence", { org: route.params.org })}>Release evidence</a>:
      which releases of a period had their tests, review and scan
    </p>
    <DeploymentPages org={route.params.org} route={route} of={{}} />
  </Page>
)
