/** Moves things to another space: chosen by name or tags, shown with who loses a role, and then moved. */
import * as Route from "@attestry/web/Route"
import { useSignal } from "@preact/signals"
import { AccessTabs } from "../membership/AccessTabs.js"
import type { PageProps } from "../pages.js"
import * as Session from "../session/Session.js"
import { useWrite } from "../session/Writing.js"
import { type Answer, callOf } from "../shared/Api.js"
import * as Damaged from "../shared/Damaged.js"
import type { ProblemOf } from "../shared/FormDialog.js"
import * as Navigation from "../shared/Navigation.js"
import { Page } from "../shared/Page.js"
import { cache, useQuery } from "../shared/Query.js"
import { QueryView } from "../shared/QueryView.js"
import { RevealedText } from "../shared/RevealedText.js"
import { ChoiceField, RowField, SettingsForm } from "../shared/SettingsForm.js"
import { subjectText } from "./GrantText.js"
import * as MoveDraft from "./MoveDraft.js"
import { ROOT } from "./SpaceTree.js"

type Moved = Answer<"space.move">

const FIELDS = ["match.name", "match.tags", "match", "to"]

/** The spaces to choose from; the root is the whole org. */
export const spaceOptions = (
  paths: ReadonlyArray<string>
): ReadonlyArray<readonly [string, string]> => [
  [ROOT, "/ (the whole org)"],
  ...paths.map((path) => [path, path] as const)
]

/** What a move takes, and whose roles do not reach where it goes. */
const Outcome = ({ to, moved, isDone }: { to: string; moved: Moved; isDone: boolean }) =>
  moved.moved.length === 0 ? (
    <p role="status">Nothing fits that you may move and that is elsewhere.</p>
  ) : (
    <div role="status">
      <p>
        {isDone ? "Moved to " : "Would move to "}
        <RevealedText text={to} />:
      </p>
      <ul>
        {moved.moved.map(({ name, type }) => (
          <li key={`${type} ${name}`}>
            <RevealedText text={name} /> <span class="quiet">{type}</span>
          </li>
        ))}
      </ul>
      {moved.losing.length === 0 ? (
        <p>No grant ends to reach them.</p>
      ) : (
        <>
          <p>These grants reach where they were, and not where they go:</p>
          <ul>
            {moved.losing.map(({ role, subject }) => (
              <li key={`${subjectText(subject)} ${role}`}>
                <RevealedText text={subjectText(subject)} /> <span class="quiet">{role}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )

/** WHY so many: a thing shows its space on its own page and in lists. */
const forget = (org: string): void => {
  cache.invalidate(callOf("space.list", { org }).path)
  for (const list of ["flows", "environments", "policies", "controls", "service-accounts"])
    cache.invalidate(`/api/v2/${list}/${encodeURIComponent(org)}`)
}

const Fields = ({
  draft,
  spaces,
  problemOf,
  set
}: {
  readonly draft: MoveDraft.MoveDraft
  readonly spaces: ReadonlyArray<string>
  readonly problemOf: ProblemOf
  readonly set: (change: Partial<MoveDraft.MoveDraft>) => void
}) => (
  <>
    <ChoiceField
      label="Things"
      value={draft.type}
      set={(next) => set({ type: MoveDraft.kindOf(next) })}
      options={MoveDraft.KINDS}
    />
    <RowField
      label="Name"
      value={draft.name}
      set={(next) => set({ name: next })}
      problem={problemOf("match.name") ?? problemOf("match")}
      hint="A pattern: * is any run of characters without /, ** any run. Empty, with tags below: every name."
    />
    <RowField
      label="Tags (optional)"
      value={draft.tags}
      set={(next) => set({ tags: next })}
      problem={problemOf("match.tags")}
      hint="All that a thing must have, separated by commas: key, or key:value."
    />
    <ChoiceField
      label="To"
      value={draft.to}
      set={(next) => set({ to: next })}
      options={spaceOptions(spaces)}
      problem={problemOf("to")}
    />
  </>
)

const Move = ({
  route,
  spaces
}: {
  readonly route: Route.RouteOf<"MoveThings">
  readonly spaces: ReadonlyArray<string>
}) => {
  const { org } = route.params
  const write = useWrite()
  const draft = useSignal<MoveDraft.MoveDraft>({
    type: MoveDraft.kindOf(Route.parameter(route, "type")),
    name: Route.parameter(route, "name") ?? "",
    tags: "",
    to: Route.parameter(route, "to") ?? ROOT
  })
  const previewed = useSignal<Moved | undefined>(undefined)
  const done = useSignal<Moved | undefined>(undefined)
  const set = (change: Partial<MoveDraft.MoveDraft>) => {
    draft.value = { ...draft.value, ...change }
    previewed.value = undefined
    done.value = undefined
  }
  const send = async () => {
    const isPreview = (previewed.value?.moved.length ?? 0) === 0
    const body = { ...MoveDraft.bodyOf(draft.value), ...(isPreview ? { preview: true } : {}) }
    const written = await write("space.move", { org }, body)
    if (written._tag === "Refused") return written
    previewed.value = isPreview ? written.value : undefined
    done.value = isPreview ? undefined : written.value
    if (!isPreview) forget(org)
    return written
  }
  const count = previewed.value?.moved.length ?? 0
  const shown = done.value ?? previewed.value
  return (
    <SettingsForm
      title="Move to another space"
      about="Nothing that was evaluated changes. Who may see and change the things does."
      fields={FIELDS}
      action={count === 0 ? "Preview" : count === 1 ? "Move 1 thing" : `Move ${count} things`}
      done=""
      write={send}
    >
      {(problemOf) => (
        <>
          <Fields draft={draft.value} spaces={spaces} problemOf={problemOf} set={set} />
          {shown === undefined ? null : (
            <Outcome to={draft.value.to} moved={shown} isDone={done.value !== undefined} />
          )}
        </>
      )}
    </SettingsForm>
  )
}

export const MovePage = ({ route }: PageProps<Route.RouteOf<"MoveThings">>) => {
  const { org } = route.params
  const state = useQuery("space.list", { org })
  return (
    <Page
      name="Move things"
      org={org}
      aside={<a href={Navigation.href("Spaces", { org })}>Spaces</a>}
    >
      <AccessTabs org={org} current="Spaces" />
      {Session.may(org, "placement.write") ? (
        <QueryView
          state={state}
          retry={() => void cache.refresh(callOf("space.list", { org }).path)}
        >
          {({ spaces }) => (
            <Move
              key={Route.print(route)}
              route={route}
              spaces={Damaged.readable(spaces).items.map(({ path }) => path)}
            />
          )}
        </QueryView>
      ) : (
        <p>Admins of the spaces at both ends move things.</p>
      )}
    </Page>
  )
}
