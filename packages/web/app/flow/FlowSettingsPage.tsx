/** The settings of a flow: template, description, visibility, tags, renaming and archiving. */
import * as Route from "@attestry/web/Route"
import type { PageProps } from "../pages.js"
import * as Session from "../session/Session.js"
import * as Navigation from "../shared/Navigation.js"
import { cache } from "../shared/Query.js"
import { TagsForm } from "../tag/TagsForm.js"
import { FlowFrame } from "./FlowFrame.js"
import { ArchiveFlow, RenameFlow } from "./FlowLifecycle.js"
import { FlowTemplateForm } from "./FlowTemplateForm.js"

export const FlowSettingsPage = ({ route }: PageProps<Route.RouteOf<"FlowSettings">>) => {
  const { org } = route.params
  return (
    <FlowFrame route={route}>
      {(flow) =>
        Session.may(org, "flow.write") ? (
          <div class="flow-settings">
            <p>
              {Session.may(org, "placement.write") ? (
                // WHY not the link of other pages: it would be one script more of this page.
                <a
                  href={Navigation.hrefOf(
                    Route.make("MoveThings", { org }, { type: "flow", name: flow.name })
                  )}
                >
                  Move to another space
                </a>
              ) : null}
            </p>
            <FlowTemplateForm key={flow.id} org={org} flow={flow} />
            <TagsForm
              tagged={{ org, type: "flow", id: flow.name, tags: flow.tags }}
              about="Conditions of policies can ask for them."
              onChanged={() => cache.invalidate(`/api/v2/flows/${encodeURIComponent(org)}`)}
            />
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
