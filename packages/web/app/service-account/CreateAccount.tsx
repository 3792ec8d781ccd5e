/** The dialog that creates a service account: that of a pipeline with its role and key, or an account alone. */
import { type Signal, useSignal } from "@preact/signals"
import { useMemo } from "preact/hooks"
import * as Session from "../session/Session.js"
import { useWrite } from "../session/Writing.js"
import { FormDialog, type ProblemOf } from "../shared/FormDialog.js"
import type { Written } from "../shared/Mutation.js"
import { ChoiceField, TextField } from "../shared/SettingsForm.js"
import { useSpacePaths } from "../shared/SpacePaths.js"
import { RoleField, rolesOf } from "./AccountForms.js"
import { expiryOf } from "./KeyState.js"
import type { NewKey } from "./NewKeyDialog.js"
import * as PipelineAccount from "./PipelineAccount.js"

/** What a dialog has made: an account, and the key of a pipeline. */
export interface MadeAccount {
  readonly name: string
  readonly key?: NewKey
}

const bound = (text: Signal<string>) => ({
  value: text.value,
  set: (value: string) => {
    text.value = value
  }
})

const PURPOSES = [
  ["pipeline", "a pipeline in one space"],
  ["other", "anything else"]
] as const

/** What the fields of the form have. */
interface Draft {
  readonly purpose: Signal<string>
  readonly name: Signal<string>
  readonly role: Signal<string>
  readonly description: Signal<string>
  readonly space: Signal<string>
  /** What a refused attempt has made. */
  readonly made: Signal<string | undefined>
  readonly missing: Signal<string | undefined>
}

const useDraft = (org: string): Draft => {
  const roles = rolesOf(org)
  return {
    purpose: useSignal("pipeline"),
    name: useSignal(""),
    role: useSignal<string>(roles.includes("member") ? "member" : (roles[0] ?? "none")),
    description: useSignal(""),
    space: useSignal(""),
    made: useSignal(undefined),
    missing: useSignal(undefined)
  }
}

/** Makes the account of a pipeline with its grant and its key; undefined until a space is chosen. */
const usePipeline = (org: string, draft: Draft) => {
  const write = useWrite()
  // WHY memoized: a repeated attempt makes what is missing, with the same end of the key.
  const expiresAt = useMemo(() => expiryOf(PipelineAccount.KEY_DAYS, Date.now()), [])
  const done = useMemo(() => new Set<string>(), [])
  return (): Promise<Written<MadeAccount>> | undefined => {
    const space = draft.space.value
    draft.missing.value = space === "" ? "Choose the space of the pipeline." : undefined
    if (space === "") return undefined
    const name = draft.name.value.trim()
    const pipeline = { name, space, description: draft.description.value.trim(), expiresAt }
    const send = async (): Promise<Written<MadeAccount>> => {
      const written = await PipelineAccount.make(
        pipeline,
        {
          account: () =>
            write("serviceAccount.create", { org }, PipelineAccount.accountOf(pipeline)),
          grant: () => write("grant.put", { org }, PipelineAccount.grantOf(pipeline)),
          key: () => write("apiKey.create", { org, name }, PipelineAccount.keyOf(pipeline))
        },
        done
      )
      if (written._tag === "Done") return { _tag: "Done", value: { name, key: written.value } }
      draft.made.value = PipelineAccount.madeText(pipeline, done)
      return written
    }
    return send()
  }
}

/** Makes an account alone. */
const useAccount = (org: string, draft: Draft) => {
  const write = useWrite()
  return (): Promise<Written<MadeAccount>> =>
    write(
      "serviceAccount.create",
      { org },
      {
        name: draft.name.value.trim(),
        privilege: draft.role.value,
        description: draft.description.value.trim(),
        ...(draft.space.value === "" ? {} : { space: draft.space.value })
      }
    )
}

const Fields = ({
  org,
  draft,
  isPipeline,
  paths,
  problemOf
}: {
  readonly org: string
  readonly draft: Draft
  readonly isPipeline: boolean
  readonly paths: ReadonlyArray<string>
  readonly problemOf: ProblemOf
}) => (
  <>
    <TextField label="Name" text={draft.name} problem={problemOf("name")} />
    {isPipeline ? null : <RoleField org={org} role={draft.role} problem={problemOf("privilege")} />}
    {paths.length === 0 ? null : (
      <ChoiceField
        label="Space"
        options={[
          ["", isPipeline ? "choose a space" : "by the rules of the org"],
          ...paths.map((path) => [path, path] as const)
        ]}
        {...bound(draft.space)}
        problem={(isPipeline ? draft.missing.value : undefined) ?? problemOf("space")}
      />
    )}
    <TextField label="Description" text={draft.description} problem={problemOf("description")} />
    {isPipeline ? (
      <p class="quiet">
        It has no role in the whole org, the role member in its space, and a key for pipelines that
        works for {PipelineAccount.KEY_DAYS} days.
      </p>
    ) : null}
  </>
)

/** Creates an account; where the org has spaces it proposes that of a pipeline, with its role and its key. */
export const CreateAccount = ({
  org,
  onDone,
  onClose
}: {
  readonly org: string
  readonly onDone: (made: MadeAccount) => void
  readonly onClose: () => void
}) => {
  const draft = useDraft(org)
  const paths = useSpacePaths(org)
  const makePipeline = usePipeline(org, draft)
  const makeAccount = useAccount(org, draft)
  const isOffered = paths.length > 0 && Session.may(org, "grant.write")
  const isPipeline = isOffered && draft.purpose.value === "pipeline"
  return (
    <FormDialog
      title="New service account"
      action={isPipeline ? "Create account and key" : "Create account"}
      fields={["name", "privilege", "description", "space"]}
      onClose={onClose}
      onDone={onDone}
      write={() => (isPipeline ? makePipeline() : makeAccount())}
    >
      {(problemOf) => (
        <>
          {isOffered ? (
            <ChoiceField label="For" options={PURPOSES} {...bound(draft.purpose)} />
          ) : null}
          <Fields
            org={org}
            draft={draft}
            isPipeline={isPipeline}
            paths={paths}
            problemOf={problemOf}
          />
          {draft.made.value === undefined ? null : (
            <p class="note" role="status">
              {draft.made.value}
            </p>
          )}
        </>
      )}
    </FormDialog>
  )
}
