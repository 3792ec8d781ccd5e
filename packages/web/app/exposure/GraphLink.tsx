/** A link from a resource to its graph. */
import * as Route from "@attestry/web/Route"
import * as Navigation from "../shared/Navigation.js"

/** `root` names the resource as in the API: `environment:prod`. */
export const GraphLink = ({ org, root }: { readonly org: string; readonly root: string }) => (
  <a
    class="where-link"
    href={Navigation.hrefOf(Route.make("Graph", { org }, { root }))}
    aria-label={`Graph of this ${root.slice(0, root.indexOf(":"))}`}
  >
    Graph
  </a>
)
