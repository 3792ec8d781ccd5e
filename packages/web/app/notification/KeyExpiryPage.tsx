/** Who is notified before a service account's key expires. */
import type * as Route from "@attestry/web/Route"
import { useSignal } from "@preact/signals"
import type { PageProps } from "../pages.js"
import * as Session from "../session/Session.js"
import { useWrite } from "../session/Writing.js"
import { callOf } from "../shared/Api.js"
import type { NotificationConfig } from "../shared/Contract.js"
import { Facts } from "../shared/Facts.js"
import { Page } from "../shared/Page.js"
import { cache, useQuery } from "../shared/Query.js"
import { QueryView } from "../shared/QueryView.js"
import { RevealedText } from "../shared/RevealedText.js"
import { SettingsForm } from "../shared/SettingsForm.js"
import { Timestamp } from "../shared/Timestamp.js"
import { VerdictMark } from "../shared/VerdictMark.js"
import { NotificationTabs } from "./NotificationTabs.js"
import { linesOf, targetsOf, targetText } from "./NotificationText.js"
import { TargetsField } from "./TargetsField.js"

const TYPE = "api_key_expiry"

const Recipients = ({ config }: { readonly config: NotificationConfig }) =>
  config.targets.length === 0 ? (
    <span>the people who created the accounts, and the administrators of the org</span>
  ) : (
    <ul class="targets">
      {config.targets.map((target) => (
        <li key={targetText(target)}>
          <RevealedText text={targetText(target)} />
        </li>
      ))}
    </ul>
  )

const Change = ({ org, config }: { readonly org: string; readonly config: NotificationConfig }) => {
  const write = useWrite()
  const targets = useSignal(linesOf(config.targets))
  const params = { org, notification_type: TYPE }
  const save = async () => {
    const inputs = targetsOf(targets.value)
    const written =
      inputs.length === 0
        ? await write("notificationConfig.delete", params)
        : await write("notificationConfig.put", params, { targets: inputs })
    if (written._tag === "Done") cache.invalidate(callOf("notificationConfig.get", params).path)
    return written
  }
  return (
    <SettingsForm
      title="Targets"
      about="Without any, the creator of an account and the administrators get a mail."
      fields={["targets"]}
      action="Save targets"
      write={save}
    >
      {(problemOf) => (
        <TargetsField
          value={targets.value}
          problem={problemOf("targets")}
          onInput={(value) => {
            targets.value = value
          }}
        />
      )}
    </SettingsForm>
  )
}

export const KeyExpiryPage = ({ route }: PageProps<Route.RouteOf<"KeyExpiry">>) => {
  const { org } = route.params
  const params = { org, notification_type: TYPE }
  const state = useQuery("notificationConfig.get", params)
  return (
    <Page name="Key expiry" org={org}>
      <NotificationTabs org={org} current="KeyExpiry" />
      <QueryView
        state={state}
        retry={() => void cache.refresh(callOf("notificationConfig.get", params).path)}
      >
        {(config) => (
          <>
            <p class="lead">
              Before a key of a service account ends, these are notified, and once more when it has
              ended.
            </p>
            <Facts
              facts={[
                ["Notified", <Recipients key="r" config={config} />],
                [
                  "Last notice",
                  config.last_notified_at === null ? (
                    <span class="quiet">never yet</span>
                  ) : (
                    <Timestamp seconds={config.last_notified_at} />
                  )
                ],
                [
                  "Last failure",
                  config.last_failure === null ? null : (
                    <span class="arrival">
                      <VerdictMark verdict="non-compliant" word label={config.last_failure.error} />{" "}
                      <Timestamp seconds={config.last_failure.failed_at} />
                    </span>
                  )
                ]
              ]}
            />
            {Session.may(org, "notification-config.write") ? (
              <Change key={linesOf(config.targets)} org={org} config={config} />
            ) : null}
          </>
        )}
      </QueryView>
    </Page>
  )
}
