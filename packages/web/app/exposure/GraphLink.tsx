/** A link from a thing to what it is connected with. */
import * as Route from "@attestry/web/Route"
import * as Navigation from "../shared/Navigation.js"

/** The link. `root` is the thing as the API names it: `environment:prod`. */
export const GraphLink = ({ org, root }: { readonly org: string; readonly root: string }) => (
  <a
    class="where-link"
    href={Navigation.hrefOf(Route.make("Graph", { org }, { root }))}
    aria-label={`Graph of this ${root.slice(0, root.indexOf(":"))}`}
  >
    Graph
  </a>
)
