/** Erases a text: a search that shows the members, then a confirmation, because an erasure is final. */
import { type Signal, useSignal } from "@preact/signals"
import { ask } from "../session/Asking.js"
import { useWrite } from "../session/Writing.js"
import { callOf } from "../shared/Api.js"
import type { ApiProblem } from "../shared/ApiProblem.js"
import type { Erasure } from "../shared/Contract.js"
import { FormDialog } from "../shared/FormDialog.js"
import { ProblemNote } from "../shared/ProblemNote.js"
import { cache } from "../shared/Query.js"
import { RevealedText } from "../shared/RevealedText.js"
import { Field, TextField } from "../shared/SettingsForm.js"
import { searchedText, sizeText } from "./ErasureText.js"

/** A search and its findings. */
interface Found {
  readonly value: string
  readonly files: boolean
  readonly erasure: Erasure
}

const Pointers = ({
  title,
  entries
}: {
  readonly title: string
  readonly entries: Erasure["erased"]
}) =>
  entries.length === 0 ? null : (
    <details>
      <summary>
        {title}: {sizeText(entries)}
      </summary>
      <ul class="pointers">
        {entries.map(({ entry, pointers }) => (
          <li key={entry}>
            <code>{entry}</code>
            {pointers.map((pointer) => (
              <code key={pointer}>
                <RevealedText text={pointer} />
              </code>
            ))}
          </li>
        ))}
      </ul>
    </details>
  )

const Findings = ({ found, onErase }: { readonly found: Found; readonly onErase: () => void }) => {
  const { erased, kept } = found.erasure
  return (
    <div role="status" class="erase-found">
      <p>
        {erased.length === 0 ? (
          <strong>No personal member has this text.</strong>
        ) : (
          <strong>{sizeText(erased)} would be erased.</strong>
        )}{" "}
        {searchedText(found.erasure)}
      </p>
      <Pointers title="To be erased" entries={erased} />
      <Pointers title="Has the text and stays" entries={kept} />
      {kept.length === 0 ? null : (
        <p class="quiet">
          These places are evidence and no personal members. Read them before you tell a person that
          nothing is left.
        </p>
      )}
      {erased.length === 0 ? null : (
        <p>
          <button type="button" class="button button-danger" onClick={onErase}>
            Erase {sizeText(erased)}…
          </button>
        </p>
      )}
    </div>
  )
}

/** The last step: a reason, and the name of the org, typed. */
const Confirm = ({
  org,
  found,
  onDone,
  onClose
}: {
  readonly org: string
  readonly found: Found
  readonly onDone: (erasure: Erasure) => void
  readonly onClose: () => void
}) => {
  const write = useWrite()
  const reason = useSignal("")
  const typed = useSignal("")
  const isTried = useSignal(false)
  const missing = reason.value.trim() === "" ? "Why the text is erased." : undefined
  const other = typed.value.trim() === org ? undefined : "Type the name of the org."
  return (
    <FormDialog
      title="Erase for good"
      action="Erase for good"
      fields={["reason"]}
      onClose={onClose}
      onDone={onDone}
      write={() => {
        isTried.value = true
        return missing === undefined && other === undefined
          ? write(
              "log.erase",
              { org },
              {
                value: found.value,
                files: found.files,
                reason: reason.value.trim(),
                preview: false
              }
            )
          : undefined
      }}
    >
      {(problemOf) => (
        <>
          <p>
            {sizeText(found.erasure.erased)} lose their values, and so do the records that follow
            from them. <strong>They cannot be restored</strong>, except from a backup that you keep.
          </p>
          <p>
            The reason, your name and the time stay on this page and in the log, so the reason must
            not name the person.
          </p>
          <TextField
            label="Reason"
            text={reason}
            problem={(isTried.value ? missing : undefined) ?? problemOf("reason")}
          />
          <TextField
            label={`Name of the org (${org}), to be sure`}
            text={typed}
            problem={isTried.value ? other : undefined}
          />
        </>
      )}
    </FormDialog>
  )
}

const useSearch = (
  org: string,
  { value, withFiles }: { readonly value: Signal<string>; readonly withFiles: Signal<boolean> }
) => {
  const found = useSignal<Found | undefined>(undefined)
  const problem = useSignal<ApiProblem | undefined>(undefined)
  const isSearching = useSignal(false)
  const search = async () => {
    const [text, files] = [value.value, withFiles.value]
    isSearching.value = true
    const outcome = await ask({
      id: "log.erase",
      params: { org },
      body: { value: text, files, reason: "preview", preview: true },
      signal: new AbortController().signal
    })
    isSearching.value = false
    problem.value = outcome._tag === "Refused" ? outcome.problem : undefined
    found.value =
      outcome._tag === "Answered"
        ? // WHY: the contract types the answer of this operation.
          { value: text, files, erasure: outcome.value as Erasure }
        : undefined
  }
  return { found, problem, isSearching, search }
}

const SearchFields = ({
  value,
  withFiles,
  problem,
  onInput
}: {
  readonly value: Signal<string>
  readonly withFiles: Signal<boolean>
  readonly problem: string | undefined
  readonly onInput: () => void
}) => (
  <>
    <Field
      label="Text to erase"
      problem={problem}
      hint="A name, a login or a mail address, exactly as it is recorded. Erase each of them by itself."
      control={(attributes) => (
        <input
          {...attributes}
          autocomplete="off"
          spellcheck={false}
          value={value.value}
          onInput={({ currentTarget }) => {
            value.value = currentTarget.value
            onInput()
          }}
        />
      )}
    />
    <label class="radio">
      <input
        type="checkbox"
        checked={withFiles.value}
        onChange={({ currentTarget }) => {
          withFiles.value = currentTarget.checked
          onInput()
        }}
      />
      Also erase attached files that contain it
    </label>
  </>
)

export const EraseForm = ({ org }: { readonly org: string }) => {
  const value = useSignal("")
  const withFiles = useSignal(true)
  const { found, problem, isSearching, search } = useSearch(org, { value, withFiles })
  const missing = useSignal<string | undefined>(undefined)
  const isConfirming = useSignal(false)
  const said = useSignal("")
  const forget = () => {
    found.value = undefined
    said.value = ""
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    missing.value = value.value === "" ? "The text to search for." : undefined
    if (missing.value === undefined && !isSearching.value) void search()
  }
  const onDone = (erasure: Erasure) => {
    isConfirming.value = false
    forget()
    value.value = ""
    said.value = `${sizeText(erasure.erased)} erased.`
    cache.invalidate(callOf("log.listErasures", { org }).path)
  }
  return (
    <section class="block">
      <h2>Erase personal data</h2>
      <p class="quiet">
        An erasure takes a text out of the personal members of entries, records and attached files,
        for good. The log still proves everything: entries keep the digests of erased values. A
        search comes first and changes nothing.
      </p>
      <form class="form erase-form" onSubmit={submit} noValidate>
        <SearchFields
          value={value}
          withFiles={withFiles}
          problem={missing.value}
          onInput={forget}
        />
        <div class="form-actions form-actions-start">
          <button type="submit" class="button" disabled={isSearching.value}>
            Search the log
          </button>
          <span class="quiet" role="status">
            {isSearching.value ? "Reading all entries…" : said.value}
          </span>
        </div>
      </form>
      {problem.value === undefined ? null : (
        <ProblemNote problem={problem.value} retry={() => void search()} />
      )}
      {found.value === undefined ? null : (
        <Findings
          found={found.value}
          onErase={() => {
            isConfirming.value = true
          }}
        />
      )}
      {isConfirming.value && found.value !== undefined ? (
        <Confirm
          org={org}
          found={found.value}
          onDone={onDone}
          onClose={() => {
            isConfirming.value = false
          }}
        />
      ) : null}
    </section>
  )
}
