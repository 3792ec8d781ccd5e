/** The components that bills of materials list and scans name: those of an org, or those of an artifact. */
import * as Route from "@attestry/web/Route"
import type { PageProps } from "../pages.js"
import { TextFilter } from "../shared/Filters.js"
import * as Navigation from "../shared/Navigation.js"
import { Page } from "../shared/Page.js"
import { NoSbom } from "./ArtifactComponents.js"
import { ComponentList } from "./ComponentList.js"

const PER_PAGE = 50

const None = () => (
  <div class="note">
    <strong>No components yet</strong>
    <p>
      Components are what bills of materials list and what scans name. A pipeline sends a bill of
      materials of what it builds with <code>attestry attest sbom FILE</code>.
    </p>
  </div>
)

export const ComponentsPage = ({ route }: PageProps<Route.RouteOf<"Components">>) => {
  const { org } = route.params
  const typed = Route.parameter(route, "fingerprint")?.trim().toLowerCase() ?? ""
  const fingerprint = typed === "" ? undefined : typed.replace(/^sha256:/, "")
  return (
    <Page
      name="Components"
      org={org}
      aside={
        <ul class="line">
          <li>
            <a href={Navigation.href("WhereItRan", { org })}>Where it ran</a>
          </li>
          <li>
            <a href={Navigation.href("Evidence", { org })}>Evidence</a>
          </li>
        </ul>
      }
    >
      <ComponentList
        org={org}
        route={route}
        fingerprint={fingerprint}
        perPage={PER_PAGE}
        isMain
        problem={
          fingerprint === undefined || /^[0-9a-f]{64}$/.test(fingerprint)
            ? undefined
            : "Give a whole fingerprint: 64 digits and letters from a to f."
        }
        filters={<TextFilter route={route} name="fingerprint" label="Whole fingerprint" />}
        none={fingerprint === undefined ? <None /> : <NoSbom org={org} fingerprint={fingerprint} />}
      />
    </Page>
  )
}
