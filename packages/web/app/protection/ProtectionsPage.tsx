/** Which changes of an org need the approval of other people: one row for each protection. */
import type * as Route from "@attestry/web/Route"
import { useSignal } from "@preact/signals"
import type { PageProps } from "../pages.js"
import { ProposalTabs } from "../proposal/ProposalParts.js"
import { KINDS } from "../proposal/ProposalText.js"
import * as Session from "../session/Session.js"
import { useWrite } from "../session/Writing.js"
import { callOf } from "../shared/Api.js"
import type { Protection } from "../shared/Contract.js"
import type { ProblemOf } from "../shared/FormDialog.js"
import { Page } from "../shared/Page.js"
import { cache, useQuery } from "../shared/Query.js"
import { QueryView } from "../shared/QueryView.js"
import { Field, SettingsForm } from "../shared/SettingsForm.js"
import { useSpacePaths } from "../shared/SpacePaths.js"
import * as ProtectionDraft from "./ProtectionDraft.js"

const ABOUT =
  "A change of a protected kind is proposed, and made once other people have approved it. Of several rows that cover " +
  "a change the strictest applies. What only takes away is never held. To weaken a row is a change that the row holds."

// WHY: the record has exactly the kinds.
const ALL_KINDS = Object.keys(KINDS) as ReadonlyArray<ProtectionDraft.Kind>

interface RowProps {
  /** The paths of the spaces below the root. */
  readonly spaces: ReadonlyArray<string>
  readonly draft: ProtectionDraft.ProtectionDraft
  readonly at: number
  readonly problemOf: ProblemOf
  readonly set: (next: ProtectionDraft.ProtectionDraft) => void
  readonly remove: () => void
}

const Kinds = ({
  draft,
  problem,
  set
}: Pick<RowProps, "draft" | "set"> & { readonly problem: string | undefined }) => (
  <fieldset class="choice">
    <legend>Changes that it holds</legend>
    {ALL_KINDS.map((kind) => (
      <label key={kind}>
        <input
          type="checkbox"
          checked={draft.kinds.includes(kind)}
          onChange={({ currentTarget }) =>
            set(ProtectionDraft.withKind(draft, kind, currentTarget.checked))
          }
        />
        {KINDS[kind]}
      </label>
    ))}
    <p class="field-problem" role="alert">
      {problem}
    </p>
  </fieldset>
)

const NumberField = ({
  label,
  problem,
  most,
  value,
  onInput
}: {
  readonly label: string
  readonly problem: string | undefined
  readonly most: number
  readonly value: string
  readonly onInput: (value: string) => void
}) => (
  <Field
    label={label}
    problem={problem}
    hint={`From 1 to ${most}.`}
    control={(attributes) => (
      <input
        {...attributes}
        type="number"
        min={1}
        max={most}
        value={value}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
    )}
  />
)

/** Where a row holds; an org without spaces is not asked. */
const SpaceField = ({
  draft,
  problem,
  set,
  spaces
}: Pick<RowProps, "draft" | "set" | "spaces"> & { readonly problem: string | undefined }) => {
  const paths = [...new Set(draft.space === "/" ? spaces : [draft.space, ...spaces])]
  return paths.length === 0 ? null : (
    <Field
      label="Where it holds"
      problem={problem}
      hint="In the space and in all below it."
      control={(attributes) => (
        <select
          {...attributes}
          value={draft.space}
          onChange={({ currentTarget }) => set({ ...draft, space: currentTarget.value })}
        >
          <option value="/">the whole org</option>
          {paths.map((path) => (
            <option key={path} value={path}>
              {path}
            </option>
          ))}
        </select>
      )}
    />
  )
}

const Row = ({ at, draft, problemOf, remove, set, spaces }: RowProps) => {
  const problem = (name: string) => problemOf(`protections.${at}.${name}`)
  return (
    <li class="rule-card">
      <section class="form" aria-label={`Protection ${at + 1}`}>
        <Kinds draft={draft} problem={problem("kinds")} set={set} />
        <SpaceField draft={draft} problem={problem("space")} set={set} spaces={spaces} />
        <NumberField
          label="Other people who must approve"
          problem={problem("approvals")}
          most={3}
          value={draft.approvals}
          onInput={(approvals) => set({ ...draft, approvals })}
        />
        <Field
          label="Team that may approve besides admins"
          problem={problem("team")}
          hint="Leave it empty for admins alone."
          control={(attributes) => (
            <input
              {...attributes}
              value={draft.team}
              onInput={({ currentTarget }) => set({ ...draft, team: currentTarget.value })}
            />
          )}
        />
        <NumberField
          label="Days that a proposal waits"
          problem={problem("days")}
          most={90}
          value={draft.days}
          onInput={(days) => set({ ...draft, days })}
        />
        <button type="button" class="button" onClick={remove}>
          Remove<span class="visually-hidden"> protection {at + 1}</span>
        </button>
      </section>
    </li>
  )
}

const Change = ({
  org,
  protections
}: {
  readonly org: string
  readonly protections: ReadonlyArray<Protection>
}) => {
  const write = useWrite()
  const spaces = useSpacePaths(org)
  const drafts = useSignal(protections.map(ProtectionDraft.make))
  const replace = (key: number, next: ReadonlyArray<ProtectionDraft.ProtectionDraft>) => {
    drafts.value = drafts.value.flatMap((each) => (each.key === key ? next : [each]))
  }
  const save = async () => {
    const written = await write("protection.put", { org }, ProtectionDraft.bodyOf(drafts.value))
    if (written._tag === "Done") cache.invalidate(callOf("protection.get", { org }).path)
    return written
  }
  return (
    <SettingsForm
      title="Protected changes"
      about={ABOUT}
      fields={ProtectionDraft.fieldsOf(drafts.value)}
      action="Save protections"
      write={save}
    >
      {(problemOf) => (
        <>
          {drafts.value.length === 0 ? (
            <p>No change needs the approval of another person.</p>
          ) : (
            <ul class="rule-cards">
              {drafts.value.map((draft, at) => (
                <Row
                  key={draft.key}
                  at={at}
                  spaces={spaces}
                  draft={draft}
                  problemOf={problemOf}
                  set={(next) => replace(draft.key, [next])}
                  remove={() => replace(draft.key, [])}
                />
              ))}
            </ul>
          )}
          <p>
            <button
              type="button"
              class="button"
              onClick={() => {
                drafts.value = [...drafts.value, ProtectionDraft.blank()]
              }}
            >
              Add a protection
            </button>
          </p>
        </>
      )}
    </SettingsForm>
  )
}

const Protections = ({ org }: { readonly org: string }) => {
  const state = useQuery("protection.get", { org })
  return (
    <QueryView
      state={state}
      retry={() => void cache.refresh(callOf("protection.get", { org }).path)}
    >
      {({ protections }) => <Change org={org} protections={protections} />}
    </QueryView>
  )
}

export const ProtectionsPage = ({ route }: PageProps<Route.RouteOf<"Protections">>) => {
  const { org } = route.params
  return (
    <Page name="Protections" org={org}>
      <ProposalTabs org={org} current="Protections" />
      {Session.may(org, "protection.write") ? (
        <Protections org={org} />
      ) : (
        <div class="note">
          <strong>Protections are for administrators</strong>
          <p>A change that they hold back says so, and can be proposed.</p>
        </div>
      )}
    </Page>
  )
}
