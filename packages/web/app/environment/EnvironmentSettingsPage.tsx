/** The settings of an environment: its policies, its allow-list, its cadence, its name and its tags. */
import type * as Route from "@attestry/web/Route"
import type { PageProps } from "../pages.js"
import * as Session from "../session/Session.js"
import { callOf } from "../shared/Api.js"
import * as Navigation from "../shared/Navigation.js"
import { Page } from "../shared/Page.js"
import { cache, useQuery } from "../shared/Query.js"
import { QueryView } from "../shared/QueryView.js"
import { RevealedText } from "../shared/RevealedText.js"
import { MoveLink } from "../space/MoveLink.js"
import { AllowList } from "./settings/AllowList.js"
import { CadenceSettings } from "./settings/CadenceSettings.js"
import { GeneralSettings, MemberSettings } from "./settings/GeneralSettings.js"
import { ArchiveSettings, RenameSettings } from "./settings/LifeSettings.js"
import { PolicySettings } from "./settings/PolicySettings.js"
import { TagSettings } from "./settings/TagSettings.js"

export const EnvironmentSettingsPage = ({
  route
}: PageProps<Route.RouteOf<"EnvironmentSettings">>) => {
  const { org, environment } = route.params
  const params = { org, env_name: environment, query: { include: "latest_snapshot" } }
  const state = useQuery("environment.get", params)
  const target = { org, environment }
  const mayWrite = Session.may(org, "environment.write")
  return (
    <Page
      name={`Settings of ${environment}`}
      org={org}
      heading={
        <>
          Settings of <RevealedText text={environment} />
        </>
      }
      aside={
        <>
          <a href={Navigation.href("Environment", { org, environment })}>Open the environment</a>
          <MoveLink org={org} type="environment" name={environment} />
        </>
      }
    >
      <QueryView
        state={state}
        retry={() => void cache.refresh(callOf("environment.get", params).path)}
      >
        {(value) => (
          <div class="settings" key={environment}>
            <PolicySettings target={target} value={value} />
            {value.type === "logical" ? (
              <MemberSettings target={target} value={value} />
            ) : (
              <AllowList target={target} />
            )}
            {value.type === "logical" ? null : <CadenceSettings target={target} value={value} />}
            <GeneralSettings target={target} value={value} />
            <TagSettings target={target} value={value} />
            {mayWrite ? <RenameSettings target={target} /> : null}
            {mayWrite ? <ArchiveSettings target={target} /> : null}
          </div>
        )}
      </QueryView>
    </Page>
  )
}
