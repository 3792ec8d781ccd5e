/** The fields of a request for a waiver. */
import * as Route from "@attestry/web/Route"
import { type Signal, useSignal } from "@preact/signals"
import { useId } from "preact/hooks"
import { useReading } from "../policy/useReading.js"
import * as Session from "../session/Session.js"
import { useWrite } from "../session/Writing.js"
import type { Policy, Waiver } from "../shared/Contract.js"
import * as Navigation from "../shared/Navigation.js"
import { useQuery } from "../shared/Query.js"
import { knownOf } from "../shared/QueryCache.js"
import { Field, SettingsForm } from "../shared/SettingsForm.js"
import { LinesField, renewWaivers } from "./WaiverActions.js"
import * as WaiverDraft from "./WaiverDraft.js"
import { ruleText } from "./WaiverRule.js"

type Draft = WaiverDraft.Draft

interface PartProps {
  readonly draft: Signal<Draft>
  readonly problemOf: (field: string) => string | undefined
}

const set = (draft: Signal<Draft>, change: Partial<Draft>): void => {
  draft.value = { ...draft.value, ...change }
}

const ChoiceField = ({
  label,
  problem,
  hint,
  value,
  options,
  onChange
}: {
  readonly label: string
  readonly problem: string | undefined
  readonly hint?: string
  readonly value: string
  readonly options: ReadonlyArray<readonly [value: string, text: string]>
  readonly onChange: (value: string) => void
}) => (
  <Field
    label={label}
    problem={problem}
    {...(hint === undefined ? {} : { hint })}
    control={(attributes) => (
      <select
        {...attributes}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      >
        {options.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    )}
  />
)

/** The value of the draft is always an option, whether or not the policy has it. */
const withOwn = (
  options: ReadonlyArray<readonly [string, string]>,
  value: string,
  text: string
): ReadonlyArray<readonly [string, string]> =>
  value === "" || options.some(([each]) => each === value) ? options : [...options, [value, text]]

/** The policy, and the rules that its latest version has. */
const Waived = ({
  draft,
  problemOf,
  policies
}: PartProps & { readonly policies: ReadonlyArray<Policy> }) => {
  const { policy, rule, environment } = draft.value
  const chosen = policies.find(({ name }) => name === policy)
  const reading = useReading(chosen?.versions.at(-1)?.policy_yaml)
  const rules = (reading?.rules ?? [])
    .filter(({ isDemanded }) => isDemanded)
    .map(({ asks, number, text }): readonly [string, string] => [
      WaiverDraft.keyOf(asks),
      `rule ${number}: ${text}`
    ])
  const names = (chosen?.consuming_envs ?? []).map((name): readonly [string, string] => [
    name,
    name
  ])
  return (
    <>
      <ChoiceField
        label="Policy"
        problem={problemOf("policy_name")}
        value={policy}
        options={[
          ["", "choose…"],
          ...withOwn(
            policies.map(({ name }) => [name, name]),
            policy,
            policy
          )
        ]}
        onChange={(value) => set(draft, { policy: value, rule: "", environment: "" })}
      />
      <ChoiceField
        label="Rule"
        problem={problemOf("rule")}
        hint="It is named by its requirement, so that it survives new versions of the policy."
        value={rule}
        options={[["", "every rule"], ...withOwn(rules, rule, ruleText(WaiverDraft.ruleOf(rule)))]}
        onChange={(value) => set(draft, { rule: value })}
      />
      <ChoiceField
        label="Environment"
        problem={problemOf("environment")}
        value={environment}
        options={[
          ["", "every environment that has the policy"],
          ...withOwn(names, environment, environment)
        ]}
        onChange={(value) => set(draft, { environment: value })}
      />
    </>
  )
}

/** A field of one line of the draft, or of a day. */
const LineField = ({
  draft,
  name,
  field,
  label,
  hint,
  problemOf,
  isDay = false
}: PartProps & {
  readonly name: keyof Draft
  /** The name of the field in the server's errors. */
  readonly field: string
  readonly label: string
  readonly hint?: string
  readonly isDay?: boolean
}) => (
  <Field
    label={label}
    problem={problemOf(field)}
    {...(hint === undefined ? {} : { hint })}
    control={(attributes) => {
      const input = {
        ...attributes,
        value: draft.value[name],
        onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) =>
          set(draft, { [name]: currentTarget.value })
      }
      return isDay ? (
        <input type="date" {...input} />
      ) : (
        <input autocomplete="off" spellcheck={false} {...input} />
      )
    }}
  />
)

/** The owner; admins choose from the members. */
const OwnerField = ({ org, draft, problemOf }: PartProps & { readonly org: string }) => {
  const id = useId()
  const known = knownOf(
    useQuery(
      "membership.members",
      { org, query: { page: 1, per_page: 100 } },
      { skip: !Session.may(org, "membership.read") }
    )
  )
  return (
    <>
      <Field
        label="Owner"
        problem={problemOf("owner")}
        hint="The login of the member who owns the risk; you, if it is empty."
        control={(attributes) => (
          <input
            {...attributes}
            list={`${id}-logins`}
            autocomplete="off"
            value={draft.value.owner}
            onInput={({ currentTarget }) => set(draft, { owner: currentTarget.value })}
          />
        )}
      />
      <datalist id={`${id}-logins`}>
        {(known?.value.members ?? []).map((member) =>
          "login" in member ? <option key={member.login} value={member.login} /> : null
        )}
      </datalist>
    </>
  )
}

/** An example of a condition. */
const CONDITION = `\${{ flow.name == "shop" }}`

const FIELDS = [
  "policy_name",
  "rule",
  "environment",
  "artifact_fingerprint",
  "if",
  "reason",
  "owner",
  "ticket_url",
  "starts_at",
  "expires_at"
]

/** Reason, reach, owner, ticket and days. */
const Terms = ({
  org,
  maxDays,
  reason,
  ...part
}: PartProps & {
  readonly org: string
  readonly maxDays: number
  readonly reason: Signal<string>
}) => (
  <>
    <LinesField label="Reason" problem={part.problemOf("reason")} text={reason} />
    <LineField
      {...part}
      name="fingerprint"
      field="artifact_fingerprint"
      label="Only the artifact with this fingerprint"
      hint="Empty for every artifact."
    />
    <LineField
      {...part}
      name="condition"
      field="if"
      label="Only if"
      hint={`A condition as in policies, in place of a fingerprint: ${CONDITION}`}
    />
    <OwnerField org={org} {...part} />
    <LineField {...part} name="ticket" field="ticket_url" label="Ticket (https)" />
    <div class="field-row">
      <LineField
        {...part}
        name="from"
        field="starts_at"
        label="First day (UTC)"
        hint="Empty for at once."
        isDay
      />
      <LineField
        {...part}
        name="until"
        field="expires_at"
        label="Last day (UTC)"
        hint={`It ends with this day, at most ${maxDays} days after its start.`}
        isDay
      />
    </div>
  </>
)

export const WaiverForm = ({
  route,
  maxDays,
  extended
}: {
  readonly route: Route.RouteOf<"NewWaiver">
  readonly maxDays: number
  readonly extended: Waiver | undefined
}) => {
  const { org } = route.params
  const write = useWrite()
  const policies = knownOf(useQuery("policy.list", { org }))?.value ?? []
  const draft = useSignal(
    WaiverDraft.fromRoute(route, {
      extended,
      maxDays,
      nowSeconds: Date.now() / 1_000
    })
  )
  const reason = useSignal(draft.value.reason)
  const send = async () => {
    const body = WaiverDraft.bodyOf({ ...draft.value, reason: reason.value }, extended)
    const written = await write("waiver.request", { org }, body)
    if (written._tag === "Done") {
      renewWaivers(org)
      Navigation.go(Route.make("Waiver", { org, number: String(written.value.number) }))
    }
    return written
  }
  return (
    <div class="flow-settings">
      <SettingsForm title="Request" fields={FIELDS} action="Request the waiver" write={send}>
        {(problemOf) => (
          <>
            <Waived draft={draft} problemOf={problemOf} policies={policies} />
            <Terms
              org={org}
              maxDays={maxDays}
              reason={reason}
              draft={draft}
              problemOf={problemOf}
            />
          </>
        )}
      </SettingsForm>
    </div>
  )
}
