/** Creates or changes a subscription: environments or flows, triggers and targets. */
import { useSignal } from "@preact/signals"
import { useWrite } from "../session/Writing.js"
import { type Answer, callOf } from "../shared/Api.js"
import * as ApiProblem from "../shared/ApiProblem.js"
import type { Action } from "../shared/Contract.js"
import { FormDialog, type ProblemOf } from "../shared/FormDialog.js"
import type { Written } from "../shared/Mutation.js"
import { Field } from "../shared/SettingsForm.js"
import { send } from "../shared/Transport.js"
import { ENVIRONMENT_TRIGGERS, FLOW_TRIGGERS, linesOf, targetsOf } from "./NotificationText.js"
import { TargetsField } from "./TargetsField.js"

interface Draft {
  readonly type: "env" | "flow"
  readonly name: string
  /** Names of environments or flows, one per line. */
  readonly watched: string
  readonly triggers: ReadonlyArray<string>
  readonly targets: string
  /** The name of the team that owns it; empty for the org. */
  readonly team: string
}

const draftOf = (action: Action | undefined): Draft => ({
  type: action?.type ?? "env",
  name: action?.name ?? "",
  watched: (action?.environments ?? action?.flows ?? []).join("\n"),
  triggers: action?.triggers ?? ["ON_NON_COMPLIANT_ENV"],
  targets: linesOf(action?.targets ?? []),
  team: action?.team ?? ""
})

const namesOf = (text: string): ReadonlyArray<string> =>
  text
    .split(/[\n,]/)
    .map((name) => name.trim())
    .filter((name) => name !== "")

const bodyOf = ({ type, name, watched, triggers, targets, team }: Draft) => ({
  name: name.trim(),
  type,
  [type === "env" ? "environments" : "flows"]: namesOf(watched),
  triggers,
  targets: targetsOf(targets),
  ...(team.trim() === "" ? {} : { team: team.trim() })
})

interface PartProps {
  readonly draft: Draft
  readonly change: (part: Partial<Draft>) => void
  readonly problemOf: ProblemOf
}

const TypeChoice = ({ draft, change }: Omit<PartProps, "problemOf">) => (
  <fieldset class="field field-choices">
    <legend>About</legend>
    {(["env", "flow"] as const).map((type) => (
      <label key={type} class="radio">
        <input
          type="radio"
          name="type"
          checked={draft.type === type}
          onChange={() =>
            change({
              type,
              triggers: [type === "env" ? "ON_NON_COMPLIANT_ENV" : "ON_STARTED_TRAIL"]
            })
          }
        />
        {type === "env" ? "environments" : "flows"}
      </label>
    ))}
  </fieldset>
)

const Triggers = ({ draft, change, problemOf }: PartProps) => (
  <fieldset class="field field-choices">
    <legend>When</legend>
    {(draft.type === "env" ? ENVIRONMENT_TRIGGERS : FLOW_TRIGGERS).map(([trigger, text]) => (
      <label key={trigger} class="radio">
        <input
          type="checkbox"
          checked={draft.triggers.includes(trigger)}
          onChange={({ currentTarget }) =>
            change({
              triggers: currentTarget.checked
                ? [...draft.triggers, trigger]
                : draft.triggers.filter((each) => each !== trigger)
            })
          }
        />
        {text}
      </label>
    ))}
    <p class="field-problem" role="alert">
      {problemOf("triggers")}
    </p>
  </fieldset>
)

const Owner = ({ draft, change, problemOf }: PartProps) => (
  <Field
    label="Team"
    hint="The team that owns it and is told what it reads. Empty for the whole organization."
    problem={problemOf("team")}
    control={(attributes) => (
      <input
        {...attributes}
        value={draft.team}
        onInput={({ currentTarget }) => change({ team: currentTarget.value })}
      />
    )}
  />
)

const Fields = ({ draft, change, problemOf }: PartProps) => (
  <>
    <Field
      label="Name"
      problem={problemOf("name")}
      control={(attributes) => (
        <input
          {...attributes}
          value={draft.name}
          onInput={({ currentTarget }) => change({ name: currentTarget.value })}
        />
      )}
    />
    <Field
      label={draft.type === "env" ? "Environments" : "Flows"}
      hint="Names, one on each line."
      problem={problemOf(draft.type === "env" ? "environments" : "flows")}
      control={(attributes) => (
        <textarea
          {...attributes}
          rows={2}
          value={draft.watched}
          onInput={({ currentTarget }) => change({ watched: currentTarget.value })}
        />
      )}
    />
    <Triggers draft={draft} change={change} problemOf={problemOf} />
    <TargetsField
      value={draft.targets}
      problem={problemOf("targets")}
      onInput={(targets) => change({ targets })}
    />
  </>
)

/** The numbers of all subscriptions; undefined if they cannot be read. */
const readNumbers = async (org: string): Promise<ReadonlySet<number> | undefined> => {
  const outcome = await send(callOf("action.list", { org }))
  // WHY: the contract types the answer of this operation.
  return outcome._tag === "Answered"
    ? new Set((outcome.value as Answer<"action.list">).map(({ number }) => number))
    : undefined
}

const EQUAL: ApiProblem.ApiProblem = {
  ...ApiProblem.offline,
  kind: "conflict",
  message: "A subscription with exactly these values exists already."
}

/**
 * Changes a flow subscription: creates the new one, then deletes the old one. WHY: the API has no operation that
 * changes one, and answers a creation that equals a subscription without creating any.
 */
const useReplaceForFlows = (org: string) => {
  const create = useWrite()
  const remove = useWrite()
  return async (action: Action, body: object): Promise<Written<unknown>> => {
    const before = await readNumbers(org)
    const created = await create("action.createForFlows", { org }, body)
    if (created._tag === "Refused") return created
    const after = await readNumbers(org)
    if (before === undefined || after === undefined)
      return { _tag: "Refused", problem: ApiProblem.offline }
    if (after.size === before.size) return { _tag: "Refused", problem: EQUAL }
    return remove("action.delete", { org, action_number: String(action.number) })
  }
}

/** With an `action` the dialog changes it, otherwise it creates one. */
export const SubscriptionForm = ({
  org,
  action,
  onDone,
  onClose
}: {
  readonly org: string
  readonly action?: Action
  readonly onDone: () => void
  readonly onClose: () => void
}) => {
  const write = useWrite()
  const replace = useReplaceForFlows(org)
  const draft = useSignal(draftOf(action))
  const change = (part: Partial<Draft>) => {
    draft.value = { ...draft.value, ...part }
  }
  const send = () => {
    const body = bodyOf(draft.value)
    if (draft.value.type === "flow")
      return action === undefined
        ? write("action.createForFlows", { org }, body)
        : replace(action, body)
    return action === undefined
      ? write("environmentNotification.create", { org }, body)
      : write("environmentNotification.update", { org, number: String(action.number) }, body)
  }
  return (
    <FormDialog<unknown>
      title={action === undefined ? "New subscription" : `Change subscription ${action.number}`}
      action={action === undefined ? "Create subscription" : "Save"}
      fields={["name", "environments", "flows", "triggers", "targets", "team"]}
      onClose={onClose}
      onDone={onDone}
      write={send}
    >
      {(problemOf) => (
        <>
          {action === undefined ? <TypeChoice draft={draft.value} change={change} /> : null}
          {action === undefined ? (
            <Owner draft={draft.value} change={change} problemOf={problemOf} />
          ) : null}
          <Fields draft={draft.value} change={change} problemOf={problemOf} />
          {action?.type === "flow" ? (
            <p class="quiet">
              Saving makes a new subscription with the next number in place of this one. Deliveries
              that still wait are dropped.
            </p>
          ) : null}
        </>
      )}
    </FormDialog>
  )
}

export const DeleteSubscription = ({
  org,
  action,
  onDone,
  onClose
}: {
  readonly org: string
  readonly action: Action
  readonly onDone: () => void
  readonly onClose: () => void
}) => {
  const write = useWrite()
  return (
    <FormDialog
      title={`Delete subscription ${action.number}`}
      action="Delete subscription"
      fields={[]}
      onClose={onClose}
      onDone={onDone}
      write={() => write("action.delete", { org, action_number: String(action.number) })}
    >
      {() => <p>Deliveries that still wait are dropped, and so are failed ones.</p>}
    </FormDialog>
  )
}
