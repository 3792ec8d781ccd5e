/** How people sign in to an org, and who did: admins choose providers, ages and who joins by signing in. */
import type * as Route from "@attestry/web/Route"
import { useSignal } from "@preact/signals"
import { AccessTabs } from "../membership/AccessTabs.js"
import type { PageProps } from "../pages.js"
import { useWrite } from "../session/Writing.js"
import { callOf } from "../shared/Api.js"
import type { SignInAttempt, SignInSettings } from "../shared/Contract.js"
import * as Damaged from "../shared/Damaged.js"
import { DamagedNote } from "../shared/DamagedNote.js"
import * as OrderedRows from "../shared/OrderedRows.js"
import { Page } from "../shared/Page.js"
import { Pager, pageOf } from "../shared/Pager.js"
import { preferences } from "../shared/Preferences.js"
import { cache, useQuery } from "../shared/Query.js"
import { QueryView } from "../shared/QueryView.js"
import { RevealedText } from "../shared/RevealedText.js"
import { Field, SettingsForm } from "../shared/SettingsForm.js"
import * as Shorten from "../shared/Shorten.js"
import { Timestamp } from "../shared/Timestamp.js"
import { type Column, VirtualTable } from "../shared/VirtualTable.js"
import { GroupTeams, JoinRules, type PartOfSettings, ProvisionRole } from "./RuleRows.js"
import * as SettingsDraft from "./SettingsDraft.js"

const PER_PAGE = 50

const Providers = ({
  draft,
  offered,
  set
}: {
  readonly draft: SettingsDraft.SettingsDraft
  readonly offered: ReadonlyArray<string>
  readonly set: (change: Partial<SettingsDraft.SettingsDraft>) => void
}) => (
  <fieldset class="choice">
    <legend>Providers that this org accepts</legend>
    <label>
      <input
        type="checkbox"
        checked={draft.providers === null}
        onChange={({ currentTarget }) =>
          set({ providers: currentTarget.checked ? null : [...offered] })
        }
      />
      Every provider that is offered
    </label>
    {offered.map((id) => (
      <label key={id}>
        <input
          type="checkbox"
          disabled={draft.providers === null}
          checked={draft.providers === null || draft.providers.includes(id)}
          onChange={({ currentTarget }) =>
            set({ providers: SettingsDraft.withProvider(draft, id, currentTarget.checked) })
          }
        />
        {id}
      </label>
    ))}
    <label>
      <input
        type="checkbox"
        checked={draft.only}
        onChange={({ currentTarget }) => set({ only: currentTarget.checked })}
      />
      Only these: sessions that an API key opened do not count here
    </label>
  </fieldset>
)

const Ages = ({ draft, problemOf, set }: PartOfSettings) => (
  <>
    <Field
      label="Hours that a sign-in counts"
      problem={problemOf("session_hours")}
      hint="From 1 to 24."
      control={(attributes) => (
        <input
          {...attributes}
          type="number"
          min={1}
          max={24}
          value={draft.sessionHours}
          onInput={({ currentTarget }) => set({ sessionHours: currentTarget.value })}
        />
      )}
    />
    <Field
      label="Minutes that sensitive changes are open after a sign-in"
      problem={problemOf("fresh_minutes")}
      hint="From 5 to 60; empty asks nobody again. Roles, new keys and these settings are sensitive."
      control={(attributes) => (
        <input
          {...attributes}
          type="number"
          min={5}
          max={60}
          value={draft.freshMinutes}
          onInput={({ currentTarget }) => set({ freshMinutes: currentTarget.value })}
        />
      )}
    />
  </>
)

const KeysOfPeople = ({ draft, problemOf, set }: PartOfSettings) => (
  <>
    <label class="radio">
      <input
        type="checkbox"
        checked={draft.personalKeys === "emergency"}
        onChange={({ currentTarget }) =>
          set({ personalKeys: currentTarget.checked ? "emergency" : "all" })
        }
      />
      Of the keys of people only those for emergencies count: two at most, of admins, whose uses are
      told
    </label>
    <Field
      label="Days after which new keys of people end"
      problem={problemOf("key_max_days")}
      hint="From 1 to 3650; empty lets them go on."
      control={(attributes) => (
        <input
          {...attributes}
          type="number"
          min={1}
          max={3650}
          value={draft.keyMaxDays}
          onInput={({ currentTarget }) => set({ keyMaxDays: currentTarget.value })}
        />
      )}
    />
  </>
)

const Change = ({ org, settings }: { readonly org: string; readonly settings: SignInSettings }) => {
  const write = useWrite()
  const draft = useSignal(SettingsDraft.make(settings))
  const set = (change: Partial<SettingsDraft.SettingsDraft>) => {
    draft.value = { ...draft.value, ...change }
  }
  const rules = { draft: draft.value, set, offered: settings.offered }
  const save = () => {
    return write("signIn.put", { org }, SettingsDraft.bodyOf(draft.value)).then((written) => {
      if (written._tag === "Done") cache.invalidate(callOf("signIn.get", { org }).path)
      return written
    })
  }
  return (
    <SettingsForm
      title="How people sign in"
      about="The settings hold within a second, also for sessions that are open."
      fields={[
        "providers",
        "only",
        "session_hours",
        "fresh_minutes",
        "personal_keys",
        "key_max_days",
        "join",
        "group_teams",
        "provision_role",
        ...SettingsDraft.fieldsOf(draft.value)
      ]}
      action="Save settings"
      rows={OrderedRows.orderOf([...draft.value.join, ...draft.value.groupTeams])}
      write={save}
    >
      {(problemOf) => (
        <>
          <Providers draft={draft.value} offered={settings.offered} set={set} />
          <Ages draft={draft.value} problemOf={problemOf} set={set} />
          <KeysOfPeople draft={draft.value} problemOf={problemOf} set={set} />
          <JoinRules {...rules} problemOf={problemOf} />
          <GroupTeams {...rules} problemOf={problemOf} />
          <ProvisionRole draft={draft.value} problemOf={problemOf} set={set} />
        </>
      )}
    </SettingsForm>
  )
}

const columns: ReadonlyArray<Column<SignInAttempt>> = [
  {
    name: "who",
    title: "Who",
    isHeader: true,
    cell: ({ login, subject }) => (
      <RevealedText text={Shorten.middle(login ?? subject ?? "unknown", 48)} />
    )
  },
  { name: "provider", title: "Provider", cell: ({ provider }) => provider },
  { name: "outcome", title: "Outcome", cell: ({ outcome }) => outcome },
  { name: "when", title: "When", cell: ({ at }) => <Timestamp seconds={at} /> }
]

const Attempts = ({ route }: { readonly route: Route.RouteOf<"SignInSettings"> }) => {
  const { org } = route.params
  const params = { org, query: { page: pageOf(route), per_page: PER_PAGE } }
  const state = useQuery("signIn.attempts", params)
  return (
    <section class="block">
      <h2>Recent sign-ins</h2>
      <p class="quiet">
        Of members, and of people whom nobody here is known to be, for 90 days. Who was refused is
        let in by a rule above, or by{" "}
        <code>attestry-server user link LOGIN --provider … --subject …</code>
      </p>
      <QueryView
        state={state}
        retry={() => void cache.refresh(callOf("signIn.attempts", params).path)}
      >
        {({ sign_ins, total_count }) => {
          const { items, damaged } = Damaged.readable(sign_ins)
          return total_count === 0 ? (
            <p>Nobody has signed in with a provider yet.</p>
          ) : (
            <>
              <DamagedNote count={damaged} />
              <VirtualTable
                caption="Recent sign-ins"
                columns={columns}
                rows={items}
                keyOf={({ at, provider, outcome, login, subject }) =>
                  `${at} ${provider} ${outcome} ${login} ${subject}`
                }
                rowHeight={preferences.value.density === "compact" ? 28 : 36}
              />
              <Pager route={route} perPage={PER_PAGE} total={total_count} what="sign-ins" />
            </>
          )
        }}
      </QueryView>
    </section>
  )
}

export const SignInSettingsPage = ({ route }: PageProps<Route.RouteOf<"SignInSettings">>) => {
  const { org } = route.params
  const state = useQuery("signIn.get", { org })
  return (
    <Page name="Sign-in" org={org}>
      <AccessTabs org={org} current="SignInSettings" />
      <QueryView state={state} retry={() => void cache.refresh(callOf("signIn.get", { org }).path)}>
        {(settings) => <Change org={org} settings={settings} />}
      </QueryView>
      <Attempts route={route} />
    </Page>
  )
}
