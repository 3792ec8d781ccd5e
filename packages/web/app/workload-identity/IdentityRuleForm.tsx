/** The dialog that adds or changes an identity rule, with the claims that it asks for. */
import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import * as KeyScope from "../api-key/KeyScope.js"
import * as ScopeOfKeys from "../api-key/ScopeFields.js"
import { FormDialog, type ProblemOf } from "../shared/FormDialog.js"
import type { Written } from "../shared/Mutation.js"
import { Field } from "../shared/SettingsForm.js"
import * as IdentityRuleDraft from "./IdentityRuleDraft.js"
import { type Draft, type FieldName, SCOPES } from "./IdentityRuleDraft.js"
import { RuleClaims } from "./RuleClaims.js"

interface PartProps {
  readonly draft: Draft
  readonly change: (draft: Partial<Draft>) => void
  readonly problemOf: (field: FieldName) => string | undefined
}

const TextInput = ({
  label,
  hint,
  member,
  field,
  draft,
  change,
  problemOf
}: PartProps & {
  readonly label: string
  readonly hint?: ComponentChildren
  readonly member:
    | "issuer"
    | "repository"
    | "repositoryId"
    | "ref"
    | "subject"
    | "audience"
    | "minutes"
  readonly field: FieldName
}) => (
  <Field
    label={label}
    problem={problemOf(field)}
    {...(hint === undefined ? {} : { hint })}
    control={(attributes) => (
      <input
        {...attributes}
        spellcheck={false}
        autocomplete="off"
        value={draft[member]}
        onInput={({ currentTarget }) => change({ [member]: currentTarget.value })}
      />
    )}
  />
)

const PROVIDERS = [
  ["github", "GitHub Actions"],
  ["gitlab", "GitLab CI/CD"],
  ["other", "another issuer"]
] as const

const ProviderChoice = ({ draft, change }: Omit<PartProps, "problemOf">) => (
  <fieldset class="field field-choices">
    <legend>Jobs of</legend>
    {PROVIDERS.map(([provider, text]) => (
      <label key={provider} class="radio">
        <input
          type="radio"
          name="provider"
          checked={draft.provider === provider}
          onChange={() => change(IdentityRuleDraft.withProvider(draft, provider))}
        />
        {text}
      </label>
    ))}
  </fieldset>
)

const REF_LABELS = { branch: "Branch", tag: "Tags", environment: "Environment", any: "" } as const

const ScopeFields = (props: PartProps) => {
  const { draft, change } = props
  return (
    <>
      <Field
        label="Accept"
        problem={undefined}
        control={(attributes) => (
          <select
            {...attributes}
            value={draft.scope}
            onChange={({ currentTarget }) => {
              const scope = SCOPES.find(([each]) => each === currentTarget.value)?.[0]
              if (scope !== undefined) change(IdentityRuleDraft.withScope(draft, scope))
            }}
          >
            {SCOPES.map(([scope, text]) => (
              <option key={scope} value={scope}>
                {text}
              </option>
            ))}
          </select>
        )}
      />
      {draft.scope === "any" ? null : (
        <TextInput
          {...props}
          label={REF_LABELS[draft.scope]}
          member="ref"
          field="ref"
          {...(draft.scope === "tag" ? { hint: "* stands for any text without : and /." } : {})}
        />
      )}
    </>
  )
}

const idHint = ({ provider, repository }: Draft): ComponentChildren =>
  provider === "github" ? (
    <>
      A repository keeps its number when its name is given up and taken by others.
      <code>
        gh api repos/{repository.trim() === "" ? "owner/name" : repository.trim()} --jq .id
      </code>
    </>
  ) : (
    "GitLab shows it as the project ID on the page of the project. A project keeps it when its path changes hands."
  )

const RepositoryFields = (props: PartProps) => {
  const { draft } = props
  const isGitHub = draft.provider === "github"
  return (
    <>
      {isGitHub ? null : (
        <TextInput
          {...props}
          label="GitLab instance"
          hint="The address of the instance."
          member="issuer"
          field="issuer"
        />
      )}
      <TextInput
        {...props}
        label={isGitHub ? "Repository" : "Project"}
        hint={isGitHub ? "As owner/name." : "As group/project."}
        member="repository"
        field="repository"
      />
      <TextInput
        {...props}
        label={isGitHub ? "Repository ID" : "Project ID"}
        hint={idHint(draft)}
        member="repositoryId"
        field="repositoryId"
      />
      <ScopeFields {...props} />
    </>
  )
}

const PATTERN_HINT = "* stands for any text without : and /, ** for any text."

const ExactFields = (props: PartProps) => {
  const { draft, change, problemOf } = props
  return (
    <>
      <TextInput
        {...props}
        label="Issuer"
        hint="The https address in the claim iss of the id tokens."
        member="issuer"
        field="issuer"
      />
      <TextInput {...props} label="Subject" hint={PATTERN_HINT} member="subject" field="subject" />
      <Field
        label="Claims"
        problem={problemOf("claims")}
        hint="One name=pattern on each line; an id token must have all of them."
        control={(attributes) => (
          <textarea
            {...attributes}
            rows={3}
            spellcheck={false}
            autocomplete="off"
            value={draft.claims}
            onInput={({ currentTarget }) => change({ claims: currentTarget.value })}
          />
        )}
      />
    </>
  )
}

/** What keys of the rule may do; `scopeProblemOf` has the server's messages. */
type ScopeProblemOf = (field: keyof KeyScope.ScopeDraft) => string | undefined

const KeyFields = (props: PartProps & { readonly scopeProblemOf: ScopeProblemOf }) => {
  const { draft, change, problemOf, scopeProblemOf } = props
  const isOpen =
    problemOf("audience") !== undefined ||
    problemOf("lifetime") !== undefined ||
    KeyScope.FIELDS.some((field) => scopeProblemOf(field) !== undefined)
  return (
    <details open={isOpen}>
      <summary>Audience and keys</summary>
      <div class="form">
        <TextInput
          {...props}
          label="Audience"
          hint="The claim aud; the command line asks for the address of this server."
          member="audience"
          field="audience"
        />
        <TextInput
          {...props}
          label="A key works for this many minutes"
          member="minutes"
          field="lifetime"
        />
        <label class="radio">
          <input
            type="checkbox"
            checked={draft.isSingleUse}
            onChange={({ currentTarget }) => change({ isSingleUse: currentTarget.checked })}
          />
          Each id token gets one key only
        </label>
        <ScopeOfKeys.ScopeFields
          draft={draft.keyScope}
          change={(part) => change({ keyScope: { ...draft.keyScope, ...part } })}
          problemOf={scopeProblemOf}
        />
      </div>
    </details>
  )
}

/** The problem of a form field: found by the form, or by the server. */
const problemIn =
  (
    draft: Draft,
    { found, index }: { readonly found: ReadonlyMap<FieldName, string>; readonly index: number },
    problemOf: ProblemOf
  ) =>
  (field: FieldName): string | undefined => {
    const own = found.get(field)
    if (own !== undefined) return own
    const names = Object.entries(IdentityRuleDraft.fieldsOf(draft.provider))
    return names
      .filter(([, each]) => each === field)
      .map(([name]) => problemOf(`rules[${index}].${name}`) ?? problemOf(`rules.${index}.${name}`))
      .find((problem) => problem !== undefined)
  }

const FIELD_NAMES: ReadonlyArray<string> = [
  ...["issuer", "audience", "subject", "claims", "lifetime"],
  ...KeyScope.FIELDS.map((field) => `scope.${field}`)
]

const fieldsAt = (index: number): ReadonlyArray<string> =>
  FIELD_NAMES.flatMap((name) => [`rules[${index}].${name}`, `rules.${index}.${name}`])

/** `index` is the place of the rule among those of the account. */
export const IdentityRuleForm = <A,>({
  title,
  action,
  start,
  index,
  write,
  onDone,
  onClose
}: {
  readonly title: string
  readonly action: string
  readonly start: Draft
  readonly index: number
  readonly write: (draft: Draft) => Promise<Written<A>>
  readonly onDone: () => void
  readonly onClose: () => void
}) => {
  const draft = useSignal(start)
  const isTried = useSignal(false)
  const found = IdentityRuleDraft.problemsOf(draft.value)
  const change = (part: Partial<Draft>) => {
    draft.value = { ...draft.value, ...part }
  }
  return (
    <FormDialog
      title={title}
      action={action}
      fields={fieldsAt(index)}
      onClose={onClose}
      onDone={onDone}
      write={() => {
        isTried.value = true
        return found.size === 0 ? write(draft.value) : undefined
      }}
    >
      {(problemOf) => {
        const props = {
          draft: draft.value,
          change,
          problemOf: problemIn(
            draft.value,
            { found: isTried.value ? found : new Map(), index },
            problemOf
          )
        }
        return (
          <>
            <ProviderChoice draft={draft.value} change={change} />
            {draft.value.provider === "other" ? (
              <ExactFields {...props} />
            ) : (
              <RepositoryFields {...props} />
            )}
            <KeyFields
              {...props}
              scopeProblemOf={(field) =>
                problemOf(`rules[${index}].scope.${field}`) ??
                problemOf(`rules.${index}.scope.${field}`)
              }
            />
            <div>
              <strong>An id token gets a key if it has</strong>
              <RuleClaims rule={IdentityRuleDraft.ruleOf(draft.value)} />
            </div>
          </>
        )
      }}
    </FormDialog>
  )
}
