/** The rules of an org for waivers: how long they last, and who approves them. Admins change them. */
import type * as Route from "@attestry/web/Route"
import { useSignal } from "@preact/signals"
import type { PageProps } from "../pages.js"
import * as Session from "../session/Session.js"
import { useWrite } from "../session/Writing.js"
import { callOf } from "../shared/Api.js"
import type { WaiverSettings } from "../shared/Contract.js"
import { Facts } from "../shared/Facts.js"
import { Page } from "../shared/Page.js"
import { cache, useQuery } from "../shared/Query.js"
import { QueryView } from "../shared/QueryView.js"
import { Field, SettingsForm } from "../shared/SettingsForm.js"
import { WaiverTabs } from "./WaiverParts.js"
import { MAY_SET } from "./WaiverPermission.js"

const ABOUT = "They bind requests that are made afterwards."

const Shown = ({ settings }: { readonly settings: WaiverSettings }) => (
  <>
    <Facts
      facts={[
        ["At most", `${settings.max_days} days`],
        ["Approvals", String(settings.approvals_required)],
        ["Approvers", settings.approver_role === "admin" ? "admins" : "members and admins"],
        ["Own requests", settings.self_approval ? "may be approved" : "are approved by others"]
      ]}
    />
    <p class="quiet">Admins of the org change these settings.</p>
  </>
)

const NumberField = ({
  label,
  problem,
  range: [min, max],
  value,
  onInput
}: {
  readonly label: string
  readonly problem: string | undefined
  readonly range: readonly [min: number, max: number]
  readonly value: number
  readonly onInput: (value: number) => void
}) => (
  <Field
    label={label}
    problem={problem}
    hint={`From ${min} to ${max}.`}
    control={(attributes) => (
      <input
        {...attributes}
        type="number"
        min={min}
        max={max}
        value={value}
        onInput={({ currentTarget }) => onInput(currentTarget.valueAsNumber)}
      />
    )}
  />
)

const ApproverFields = ({
  draft,
  problem,
  set
}: {
  readonly draft: WaiverSettings
  readonly problem: string | undefined
  readonly set: (change: Partial<WaiverSettings>) => void
}) => (
  <>
    <Field
      label="Who approves"
      problem={problem}
      control={(attributes) => (
        <select
          {...attributes}
          value={draft.approver_role}
          onChange={({ currentTarget }) =>
            set({ approver_role: currentTarget.value === "member" ? "member" : "admin" })
          }
        >
          <option value="admin">admins</option>
          <option value="member">members and admins</option>
        </select>
      )}
    />
    <label class="setting-check">
      <input
        type="checkbox"
        checked={draft.self_approval}
        onChange={({ currentTarget }) => set({ self_approval: currentTarget.checked })}
      />
      People may approve their own requests
    </label>
  </>
)

const Change = ({ org, settings }: { readonly org: string; readonly settings: WaiverSettings }) => {
  const write = useWrite()
  const draft = useSignal(settings)
  const set = (change: Partial<WaiverSettings>) => {
    draft.value = { ...draft.value, ...change }
  }
  const save = async () => {
    const written = await write("waiver.putSettings", { org }, draft.value)
    if (written._tag === "Done") cache.invalidate(callOf("waiver.settings", { org }).path)
    return written
  }
  return (
    <div class="flow-settings">
      <SettingsForm
        title="Rules for waivers"
        about={ABOUT}
        fields={["max_days", "approvals_required", "approver_role", "self_approval"]}
        action="Save settings"
        write={save}
      >
        {(problemOf) => (
          <>
            <NumberField
              label="Days that a waiver lasts at most"
              problem={problemOf("max_days")}
              range={[1, 365]}
              value={draft.value.max_days}
              onInput={(max_days) => set({ max_days })}
            />
            <NumberField
              label="Approvals that a waiver needs"
              problem={problemOf("approvals_required")}
              range={[0, 5]}
              value={draft.value.approvals_required}
              onInput={(approvals_required) => set({ approvals_required })}
            />
            <ApproverFields draft={draft.value} problem={problemOf("approver_role")} set={set} />
          </>
        )}
      </SettingsForm>
    </div>
  )
}

export const WaiverSettingsPage = ({ route }: PageProps<Route.RouteOf<"WaiverSettings">>) => {
  const { org } = route.params
  const state = useQuery("waiver.settings", { org })
  return (
    <Page name="Settings of waivers" org={org}>
      <WaiverTabs org={org} current="WaiverSettings" />
      <QueryView
        state={state}
        retry={() => void cache.refresh(callOf("waiver.settings", { org }).path)}
      >
        {(settings) =>
          Session.may(org, MAY_SET) ? (
            <Change org={org} settings={settings} />
          ) : (
            <Shown settings={settings} />
          )
        }
      </QueryView>
    </Page>
  )
}
