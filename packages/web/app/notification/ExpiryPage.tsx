/** Who is notified before a service account's key expires, and before a waiver does. */
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

/** The texts of a type of notices. */
interface Notices {
  readonly type: NotificationConfig["notification_type"]
  readonly page: "KeyExpiry" | "WaiverExpiry"
  readonly name: string
  readonly lead: string
  /** The recipients where no target is set. */
  readonly derived: string
  readonly about: string
}

const KEYS: Notices = {
  type: "api_key_expiry",
  page: "KeyExpiry",
  name: "Key expiry",
  lead: "Before a key of a service account ends, these are notified, and once more when it has ended.",
  derived: "the people who created the accounts, and the administrators of the org",
  about: "Without any, the creator of an account and the administrators get a mail."
}

const WAIVERS: Notices = {
  type: "waiver_expiry",
  page: "WaiverExpiry",
  name: "Waiver expiry",
  lead: "Before a waiver ends, these are notified, and once more when it has ended.",
  derived: "the owners of the waivers, else their requesters, else the administrators of the org",
  about:
    "Without any, the owner of a waiver gets a mail, else its requester, else the administrators."
}

interface Configured {
  readonly notices: Notices
  readonly config: NotificationConfig
}

const Recipients = ({ config, notices }: Configured) =>
  config.targets.length === 0 ? (
    <span>{notices.derived}</span>
  ) : (
    <ul class="targets">
      {config.targets.map((target) => (
        <li key={targetText(target)}>
          <RevealedText text={targetText(target)} />
        </li>
      ))}
    </ul>
  )

const Change = ({ org, config, notices }: Configured & { readonly org: string }) => {
  const write = useWrite()
  const targets = useSignal(linesOf(config.targets))
  const params = { org, notification_type: notices.type }
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
      about={notices.about}
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

const ExpiryNotices = ({ org, notices }: { readonly org: string; readonly notices: Notices }) => {
  const params = { org, notification_type: notices.type }
  const state = useQuery("notificationConfig.get", params)
  return (
    <Page name={notices.name} org={org}>
      <NotificationTabs org={org} current={notices.page} />
      <QueryView
        state={state}
        retry={() => void cache.refresh(callOf("notificationConfig.get", params).path)}
      >
        {(config) => (
          <>
            <p class="lead">{notices.lead}</p>
            <Facts
              facts={[
                ["Notified", <Recipients key="r" config={config} notices={notices} />],
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
              <Change key={linesOf(config.targets)} org={org} config={config} notices={notices} />
            ) : null}
          </>
        )}
      </QueryView>
    </Page>
  )
}

export const KeyExpiryPage = ({ route }: PageProps<Route.RouteOf<"KeyExpiry">>) => (
  <ExpiryNotices org={route.params.org} notices={KEYS} />
)

export const WaiverExpiryPage = ({ route }: PageProps<Route.RouteOf<"WaiverExpiry">>) => (
  <ExpiryNotices org={route.params.org} notices={WAIVERS} />
)
