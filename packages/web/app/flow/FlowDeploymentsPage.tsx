/** The deployments of a flow. */
import type * as Route from "@attestry/web/Route"
import { DeploymentPages } from "../deployment/DeploymentPages.js"
import type { PageProps } from "../pages.js"
import { FlowFrame } from "./FlowFrame.js"

export const FlowDeploymentsPage = ({ route }: PageProps<Route.RouteOf<"FlowDeployments">>) => (
  <FlowFrame route={route}>
    {() => (
      <DeploymentPages org={route.params.org} route={route} of={{ flow: route.params.flow }} />
    )}
  </FlowFrame>
)
