/** The settings of a flow: its template, description, visibility, tags, name, and its end. */
import type * as Route from "@attestry/web/Route"
import type { PageProps } from "../pages.js"
import * as Session from "../session/Session.js"
import { FlowFrame } from "./FlowFrame.js"
import { ArchiveFlow, RenameFlow } from "./FlowLifecycle.js"
import { FlowTags } from "./FlowTags.js"
import { FlowTemplateForm } from "./FlowTemplateForm.js"

/** The page. */
export const FlowSettingsPage = ({ route }: PageProps<Route.RouteOf<"FlowSettings">>) => {
  const { org } = route.params
  return (
    <FlowFrame route={route}>
      {(flow) =>
        Session.may(org, "flow.write") ? (
          <div class="flow-settings">
            <FlowTemplateForm key={flow.id} org={org} flow={flow} />
            <FlowTags org={org} flow={flow} />
            <RenameFlow org={org} flow={flow} />
            <ArchiveFlow org={org} flow={flow} />
          </div>
        ) : (
          <p>Your role may not change this flow.</p>
        )
      }
    </FlowFrame>
  )
}
