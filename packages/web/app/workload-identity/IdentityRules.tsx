/** How a service account signs in by identity: its rules, the forms that change them, and the job that uses one. */
import { useSignal } from "@preact/signals"
import { ScopeText } from "../api-key/ScopeText.js"
import * as Session from "../session/Session.js"
import { useWrite } from "../session/Writing.js"
import { callOf } from "../shared/Api.js"
import * as ApiProblem from "../shared/ApiProblem.js"
import { Command } from "../shared/Command.js"
import type { IdentityRule } from "../shared/Contract.js"
import { FormDialog } from "../shared/FormDialog.js"
import type { Written } from "../shared/Mutation.js"
import { base } from "../shared/Navigation.js"
import { cache, useQuery } from "../shared/Query.js"
import { knownOf } from "../shared/QueryCache.js"
import { QueryView } from "../shared/QueryView.js"
import * as Reveal from "../shared/Reveal.js"
import { RevealedText } from "../shared/RevealedText.js"
import * as IdentityRuleDraft from "./IdentityRuleDraft.js"
import { IdentityRuleForm } from "./IdentityRuleForm.js"
import * as IdentityRuleText from "./IdentityRuleText.js"
import { RuleClaims } from "./RuleClaims.js"

interface AccountPlace {
  readonly org: string
  readonly account: string
}

const paramsOf = ({ org, account }: AccountPlace) => ({ org, name: account })

const mayChange = (org: string): boolean => Session.may(org, "identity-rule.write")

/** The rules of an account; undefined while they are loading, and for people who may not read them. */
export const useRules = (place: AccountPlace): ReadonlyArray<IdentityRule> | undefined =>
  knownOf(useQuery("workloadIdentity.getRules", paramsOf(place), { skip: !mayChange(place.org) }))
    ?.value.rules

/** The open dialog; an index is a place in the list. */
type Open =
  | { readonly _tag: "Nothing" | "Add" }
  | { readonly _tag: "Change" | "Remove"; readonly index: number; readonly rule: IdentityRule }

const NOTHING: Open = { _tag: "Nothing" }

const CHANGED: ApiProblem.ApiProblem = {
  ...ApiProblem.offline,
  kind: "conflict",
  message: "The rules were changed meanwhile. Close this form and look at them again."
}

/** Replaces all rules, unless they are not those that the person has seen. */
const useSave = (place: AccountPlace, seen: ReadonlyArray<IdentityRule>) => {
  const write = useWrite()
  return async (
    rules: ReadonlyArray<IdentityRuleDraft.IdentityRuleInput>
  ): Promise<Written<unknown>> => {
    const { path } = callOf("workloadIdentity.getRules", paramsOf(place))
    await cache.refresh(path)
    const current = cache.entry(path).state.value
    // WHY compared: the operation replaces all rules, also those that another person has added.
    const isSeen =
      current._tag === "Ready" && JSON.stringify(current.value) === JSON.stringify({ rules: seen })
    if (!isSeen) return { _tag: "Refused", problem: CHANGED }
    return write("workloadIdentity.putRules", paramsOf(place), { rules })
  }
}

const RemoveRule = ({
  account,
  rule,
  ...form
}: {
  readonly account: string
  readonly rule: IdentityRule
  readonly write: () => Promise<Written<unknown>>
  readonly onDone: () => void
  readonly onClose: () => void
}) => (
  <FormDialog {...form} title="Remove the rule" action="Remove rule" fields={[]}>
    {() => (
      <>
        <p>
          Jobs that only this rule accepts get no more keys of <RevealedText text={account} />. Keys
          that they have stop working at the end of their lifetime.
        </p>
        <RuleClaims rule={rule} />
      </>
    )}
  </FormDialog>
)

const Dialogs = ({
  place,
  rules,
  open,
  close
}: {
  readonly place: AccountPlace
  readonly rules: ReadonlyArray<IdentityRule>
  readonly open: Open
  readonly close: () => void
}) => {
  const save = useSave(place, rules)
  const onDone = () => {
    cache.invalidate(callOf("workloadIdentity.getRules", paramsOf(place)).path)
    close()
  }
  const common = { onDone, onClose: close }
  switch (open._tag) {
    case "Nothing":
      return null
    case "Add":
      return (
        <IdentityRuleForm
          {...common}
          title={`New identity rule of ${place.account}`}
          action="Add rule"
          start={IdentityRuleDraft.emptyOf("github", `${location.origin}${base}`)}
          index={rules.length}
          write={(draft) => save([...rules, IdentityRuleDraft.ruleOf(draft)])}
        />
      )
    case "Change":
      return (
        <IdentityRuleForm
          {...common}
          title="Change the rule"
          action="Save rule"
          start={IdentityRuleDraft.fromRule(open.rule)}
          index={open.index}
          write={(draft) =>
            save(
              rules.map((rule, at) => (at === open.index ? IdentityRuleDraft.ruleOf(draft) : rule))
            )
          }
        />
      )
    case "Remove":
      return (
        <RemoveRule
          {...common}
          account={place.account}
          rule={open.rule}
          write={() => save(rules.filter((_, at) => at !== open.index))}
        />
      )
  }
}

const Rule = ({
  place,
  rule,
  onChange,
  onRemove
}: {
  readonly place: AccountPlace
  readonly rule: IdentityRule
  readonly onChange: () => void
  readonly onRemove: () => void
}) => {
  const title = IdentityRuleText.titleOf(rule)
  const job = IdentityRuleText.jobOf(rule, { ...place, url: `${location.origin}${base}` })
  return (
    <li class="rule-card">
      <div class="rule-head">
        <h3>
          <RevealedText text={title} />
        </h3>
        <span class="row-actions">
          <button
            type="button"
            class="button-plain"
            aria-label={`Change the rule ${Reveal.plain(title)}`}
            onClick={onChange}
          >
            Change…
          </button>
          <button
            type="button"
            class="button-plain"
            aria-label={`Remove the rule ${Reveal.plain(title)}`}
            onClick={onRemove}
          >
            Remove…
          </button>
        </span>
      </div>
      <RuleClaims rule={rule} />
      <p class="quiet">{IdentityRuleText.lifetimeText(rule)}</p>
      {rule.scope === undefined ? null : (
        <p>
          It may do: <ScopeText scope={rule.scope} />
        </p>
      )}
      {job === undefined ? null : (
        <details>
          <summary>A job that uses it</summary>
          <Command what="job" text={job} />
        </details>
      )}
    </li>
  )
}

const NoRules = ({ account }: { readonly account: string }) => (
  <div class="note">
    <strong>No identity rules yet</strong>
    <p>
      A pipeline can sign in as <RevealedText text={account} /> without a stored key: its CI issues
      an id token that names the repository and the branch, and a rule decides which of them get a
      key for some minutes.
    </p>
  </div>
)

/** The rules with their actions. */
const Rules = (place: AccountPlace) => {
  const params = paramsOf(place)
  const state = useQuery("workloadIdentity.getRules", params)
  const open = useSignal<Open>(NOTHING)
  const show = (next: Open) => {
    open.value = next
  }
  return (
    <QueryView
      state={state}
      retry={() => void cache.refresh(callOf("workloadIdentity.getRules", params).path)}
    >
      {({ rules }) => (
        <>
          {rules.length === 0 ? (
            <NoRules account={place.account} />
          ) : (
            <ul class="rule-cards">
              {rules.map((rule, index) => (
                <Rule
                  key={JSON.stringify(rule)}
                  place={place}
                  rule={rule}
                  onChange={() => show({ _tag: "Change", index, rule })}
                  onRemove={() => show({ _tag: "Remove", index, rule })}
                />
              ))}
            </ul>
          )}
          <p class="below">
            <button type="button" class="button" onClick={() => show({ _tag: "Add" })}>
              New identity rule…
            </button>
          </p>
          <Dialogs place={place} rules={rules} open={open.value} close={() => show(NOTHING)} />
        </>
      )}
    </QueryView>
  )
}

export const IdentityRules = (place: AccountPlace) => (
  <section class="block">
    <h2>Identity rules</h2>
    {mayChange(place.org) ? (
      <Rules {...place} />
    ) : (
      <p class="quiet">
        Pipelines may sign in as this account without a key. Only administrators see and change the
        rules for that.
      </p>
    )}
  </section>
)
