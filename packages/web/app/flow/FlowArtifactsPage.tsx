/** The artifacts of a flow. */
import type * as Route from "@attestry/web/Route"
import { ArtifactPages } from "../artifact/ArtifactPages.js"
import type { PageProps } from "../pages.js"
import { FlowFrame } from "./FlowFrame.js"

export const FlowArtifactsPage = ({ route }: PageProps<Route.RouteOf<"FlowArtifacts">>) => (
  <FlowFrame route={route}>
    {() => (
      <ArtifactPages org={route.params.org} route={route} of={{ flow_name: route.params.flow }} />
    )}
  </FlowFrame>
)
