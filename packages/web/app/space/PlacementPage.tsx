/** Placement rules: to which space a new thing goes by its name. The first rule that fits reserves the name. */
import * as Route from "@attestry/web/Route"
import { useSignal } from "@preact/signals"
import { AccessTabs } from "../membership/AccessTabs.js"
import type { PageProps } from "../pages.js"
import * as Session from "../session/Session.js"
import { useWrite } from "../session/Writing.js"
import { type Answer, callOf } from "../shared/Api.js"
import * as Damaged from "../shared/Damaged.js"
import * as Navigation from "../shared/Navigation.js"
import * as OrderedRows from "../shared/OrderedRows.js"
import { Page } from "../shared/Page.js"
import { cache, useQuery } from "../shared/Query.js"
import { QueryView } from "../shared/QueryView.js"
import { RowsEditor } from "../shared/RowsEditor.js"
import { ChoiceField, RowField, SettingsForm } from "../shared/SettingsForm.js"
import * as MoveDraft from "./MoveDraft.js"
import { spaceOptions } from "./MovePage.js"
import { ROOT } from "./SpaceTree.js"

interface RuleRow extends OrderedRows.Row {
  readonly type: MoveDraft.Kind
  readonly name: string
  readonly space: string
}

type Rules = Answer<"placementRule.get">["rules"]

const rowOf = (rule: Omit<RuleRow, "key">): RuleRow => ({ ...rule, key: OrderedRows.newKey() })

const fieldsOf = (rows: ReadonlyArray<RuleRow>) =>
  rows.flatMap((_, at) => ["", ".type", ".name", ".space"].map((part) => `rules.${at}${part}`))

/** Asks which things that exist a rule would reserve and that are elsewhere. */
const Existing = ({ org, row }: { readonly org: string; readonly row: RuleRow }) => {
  const write = useWrite()
  const answer = useSignal("")
  const ask = async () => {
    const { name, space, type } = row
    const body = { ...MoveDraft.bodyOf({ type, name, tags: "", to: space }), preview: true }
    const written = await write("space.move", { org }, body)
    if (written._tag === "Refused") {
      answer.value = [written.problem.message, ...written.problem.errors.values()].join(" ")
      return
    }
    const names = written.value.moved.map((each) => each.name)
    answer.value =
      names.length === 0 ? "Nothing that fits is elsewhere." : `Elsewhere: ${names.join(", ")}`
  }
  const { name, space: to, type } = row
  return (
    <div class="row-wide">
      <p class="row-actions">
        <button type="button" class="button" onClick={() => void ask()}>
          What exists that fits?
        </button>
        {answer.value.startsWith("Elsewhere") ? (
          <a href={Navigation.hrefOf(Route.make("MoveThings", { org }, { type, name, to }))}>
            Move it
          </a>
        ) : null}
      </p>
      <p role="status">{answer.value}</p>
    </div>
  )
}

const RuleFields = ({
  org,
  row,
  spaces,
  change,
  problem
}: {
  readonly org: string
  readonly row: RuleRow
  readonly spaces: ReadonlyArray<string>
  readonly change: (next: RuleRow) => void
  readonly problem: (part: string) => string | undefined
}) => (
  <>
    <ChoiceField
      label="New"
      value={row.type}
      set={(type) => change({ ...row, type: MoveDraft.kindOf(type) })}
      options={MoveDraft.KINDS}
      problem={problem(".type") ?? problem("")}
    />
    <RowField
      label="Named like"
      value={row.name}
      set={(name) => change({ ...row, name })}
      problem={problem(".name")}
    />
    <ChoiceField
      label="Go to"
      value={row.space}
      set={(space) => change({ ...row, space })}
      options={spaceOptions(
        spaces.includes(row.space) || row.space === ROOT ? spaces : [...spaces, row.space]
      )}
      problem={problem(".space")}
    />
    <Existing org={org} row={row} />
  </>
)

const Change = ({
  org,
  rules,
  spaces
}: {
  readonly org: string
  readonly rules: Rules
  readonly spaces: ReadonlyArray<string>
}) => {
  const write = useWrite()
  const rows = useSignal<ReadonlyArray<RuleRow>>(rules.map(rowOf))
  const save = async () => {
    const body = { rules: rows.value.map(({ name, space, type }) => ({ type, name, space })) }
    const written = await write("placementRule.put", { org }, body)
    if (written._tag === "Done") cache.invalidate(callOf("placementRule.get", { org }).path)
    return written
  }
  return (
    <SettingsForm
      title="Where new things go by their names"
      about="The first rule that fits a new name reserves it for its space. What exists stays where it is."
      fields={[...fieldsOf(rows.value), "rules"]}
      action="Save rules"
      rows={OrderedRows.orderOf(rows.value)}
      write={save}
    >
      {(problemOf) => (
        <>
          <RowsEditor
            name="Rule"
            rows={rows.value}
            set={(next) => {
              rows.value = next
            }}
            blank={() => rowOf({ type: "flow", name: "", space: spaces[0] ?? ROOT })}
            empty="No name is reserved for a space."
            isOrdered
          >
            {(row, at, change) => (
              <RuleFields
                org={org}
                row={row}
                spaces={spaces}
                change={change}
                problem={(part) => problemOf(`rules.${at}${part}`)}
              />
            )}
          </RowsEditor>
          <p class="field-problem" role="alert">
            {problemOf("rules")}
          </p>
        </>
      )}
    </SettingsForm>
  )
}

export const PlacementPage = ({ route }: PageProps<Route.RouteOf<"PlacementRules">>) => {
  const { org } = route.params
  return (
    <Page
      name="Placement rules"
      org={org}
      aside={<a href={Navigation.href("Spaces", { org })}>Spaces</a>}
    >
      <AccessTabs org={org} current="Spaces" />
      {Session.isAdmin(org) ? (
        <Placement org={org} />
      ) : (
        <p>Admins of the org reserve names for spaces.</p>
      )}
    </Page>
  )
}

const Placement = ({ org }: { readonly org: string }) => {
  const rules = useQuery("placementRule.get", { org })
  const spaces = useQuery("space.list", { org })
  return (
    <QueryView
      state={rules}
      retry={() => void cache.refresh(callOf("placementRule.get", { org }).path)}
    >
      {(known) => (
        <QueryView
          state={spaces}
          retry={() => void cache.refresh(callOf("space.list", { org }).path)}
        >
          {(listed) => (
            <Change
              org={org}
              rules={known.rules}
              spaces={Damaged.readable(listed.spaces).items.map(({ path }) => path)}
            />
          )}
        </QueryView>
      )}
    </QueryView>
  )
}
