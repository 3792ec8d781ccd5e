/** The rules of sign-in as rows: who becomes a member, and which teams follow a group. */

import { RowsEditor } from "../shared/RowsEditor.js"
import { ChoiceField, RowField } from "../shared/SettingsForm.js"
import * as SettingsDraft from "./SettingsDraft.js"

/** A part of the form. */
export interface PartOfSettings {
  readonly draft: SettingsDraft.SettingsDraft
  readonly problemOf: (field: string) => string | undefined
  readonly set: (change: Partial<SettingsDraft.SettingsDraft>) => void
}

interface RulesProps extends PartOfSettings {
  /** The providers that the operator offers. */
  readonly offered: ReadonlyArray<string>
}

const PROVISION_ROLES = ["none", "reader", "member", "snapshotter"] as const

const ROLES = [...PROVISION_ROLES, "admin"] as const

const optionsOf = (values: ReadonlyArray<string>) => values.map((each) => [each, each] as const)

const BY_OPTIONS = optionsOf(["group", "domain"])

/** The offered providers, and the one of a rule that is offered no longer. */
const providersOf = (offered: ReadonlyArray<string>, own: string) =>
  optionsOf([...new Set([...offered, own])])

export const JoinRules = ({ draft, offered, problemOf, set }: RulesProps) => (
  <fieldset class="choice">
    <legend>Who becomes a member by signing in</legend>
    <p class="field-hint">
      The first rule that fits gives the role. A domain is that of an address which the provider has
      verified, and gives no admin.
    </p>
    <RowsEditor
      name="Rule"
      rows={draft.join}
      set={(join) => set({ join })}
      blank={() => SettingsDraft.blankJoin(offered[0] ?? "")}
      empty="Signing in alone makes nobody a member."
      isOrdered
    >
      {(row, at, change) => {
        const problem = (part: string) => problemOf(`join.${at}${part}`)
        return (
          <>
            <ChoiceField
              label="Provider"
              value={row.provider}
              set={(provider) => change({ ...row, provider })}
              options={providersOf(offered, row.provider)}
              problem={problem(".provider") ?? problem("")}
            />
            <ChoiceField
              label="People of a"
              value={row.by}
              set={(by) => change({ ...row, by: by === "domain" ? "domain" : "group" })}
              options={BY_OPTIONS}
            />
            <RowField
              label={row.by === "group" ? "Group" : "Domain"}
              value={row.value}
              set={(value) => change({ ...row, value })}
              problem={problem(".group") ?? problem(".domain")}
            />
            <ChoiceField
              label="Role"
              value={row.role}
              set={(role) =>
                change({ ...row, role: ROLES.find((each) => each === role) ?? "none" })
              }
              options={optionsOf(ROLES)}
              problem={problem(".role")}
            />
            <RowField
              label="Teams (optional)"
              value={row.teams}
              set={(teams) => change({ ...row, teams })}
              problem={problem(".teams")}
              hint="Separated by commas."
            />
          </>
        )
      }}
    </RowsEditor>
    <p class="field-problem" role="alert">
      {problemOf("join")}
    </p>
  </fieldset>
)

export const GroupTeams = ({ draft, offered, problemOf, set }: RulesProps) => (
  <fieldset class="choice">
    <legend>Teams that follow a group</legend>
    <p class="field-hint">
      Each sign-in sets such a team to what the provider says; admins do not change it by hand.
    </p>
    <RowsEditor
      name="Team"
      rows={draft.groupTeams}
      set={(groupTeams) => set({ groupTeams })}
      blank={() => SettingsDraft.blankGroupTeam(offered[0] ?? "")}
      empty="No team follows a group."
      isOrdered={false}
    >
      {(row, at, change) => {
        const problem = (part: string) => problemOf(`group_teams.${at}${part}`)
        return (
          <>
            <ChoiceField
              label="Provider"
              value={row.provider}
              set={(provider) => change({ ...row, provider })}
              options={providersOf(offered, row.provider)}
              problem={problem(".provider") ?? problem("")}
            />
            <RowField
              label="Group"
              value={row.group}
              set={(group) => change({ ...row, group })}
              problem={problem(".group")}
            />
            <RowField
              label="Team"
              value={row.team}
              set={(team) => change({ ...row, team })}
              problem={problem(".team")}
            />
          </>
        )
      }}
    </RowsEditor>
    <p class="field-problem" role="alert">
      {problemOf("group_teams")}
    </p>
  </fieldset>
)

export const ProvisionRole = ({ draft, problemOf, set }: PartOfSettings) => (
  <ChoiceField
    label="Role of people whom SCIM makes"
    value={draft.provisionRole}
    set={(role) => set({ provisionRole: PROVISION_ROLES.find((each) => each === role) ?? "none" })}
    options={optionsOf(PROVISION_ROLES)}
    problem={problemOf("provision_role")}
  />
)
