/** The form for the subject of a "where did it run" query. The server's refusals stand at its fields. */
import { useSignal } from "@preact/signals"
import type { Ref } from "preact"
import { useEffect, useId, useRef } from "preact/hooks"
import type { FormErrors } from "../shared/FormErrors.js"
import * as Navigation from "../shared/Navigation.js"
import { RevealedText } from "../shared/RevealedText.js"
import { CHOICES, type ChoiceName, parse, routeOf, type Subject, WORDS } from "./ExposureSubject.js"

/** What to type, and an example. */
const HINTS: { readonly [name in ChoiceName]: string } = {
  fingerprint: "5 to 64 characters: digits and a to f",
  commit: "a whole commit, 40 characters",
  flow_name: "the name of a flow",
  repo_name: "the name of a repository, such as team/shop",
  author: "as commits have it: Jo Doe <jo@example.org>",
  builder: "scheme and host of builds: https://ci.example.org",
  purl: "a package URL, such as pkg:npm/lodash@4.17.20; without a version, all or those in a range",
  vulnerability: "a name as scans have it: CVE-2026-1234",
  base_image: "an image that artifacts were built on: node:20-alpine or node@sha256:…"
}

const isChoice = (text: string): text is ChoiceName =>
  (CHOICES as ReadonlyArray<string>).includes(text)

interface FieldProps {
  readonly field: Ref<HTMLInputElement>
  readonly id: string
  readonly label: string
  readonly value: string | undefined
  readonly problem: string
}

const Field = ({
  field,
  id,
  label,
  value = "",
  problem,
  ...more
}: FieldProps & {
  readonly class?: string
  readonly placeholder?: string
  readonly "data-filter"?: true
}) => (
  <input
    {...more}
    ref={field}
    type="search"
    aria-label={label}
    aria-describedby={id}
    aria-invalid={problem !== ""}
    defaultValue={value}
    autocomplete="off"
    spellcheck={false}
  />
)

const Problem = ({ id, text }: { readonly id: string; readonly text: string }) => (
  <p id={id} class="field-problem" role="alert">
    <RevealedText text={text} />
  </p>
)

/** The hint of the subject or what is wrong with it, and what is wrong with the versions. */
const Messages = ({
  id,
  hint,
  problem,
  refusedVersions
}: {
  readonly id: string
  readonly hint: string
  readonly problem: string
  readonly refusedVersions: string
}) => (
  <>
    {problem === "" ? (
      <p id={`${id}-hint`} class="field-hint exposure-hint">
        {hint}
      </p>
    ) : (
      <Problem id={`${id}-hint`} text={problem} />
    )}
    {refusedVersions === "" ? null : (
      <Problem id={`${id}-versions`} text={`Versions: ${refusedVersions}`} />
    )}
  </>
)

const Choice = ({
  name,
  onChoose
}: {
  readonly name: ChoiceName
  readonly onChoose: (name: ChoiceName) => void
}) => (
  <select
    aria-label="Asked by"
    value={name}
    onChange={({ currentTarget: { value } }) => {
      if (isChoice(value)) onChoose(value)
    }}
  >
    {CHOICES.map((each) => (
      <option key={each} value={each}>
        {WORDS[each]}
      </option>
    ))}
  </select>
)

/** `errors` are those of the answer to `subject`, by the parameters of the request: `query.purl`. */
export const ExposureForm = ({
  org,
  subject,
  errors
}: {
  readonly org: string
  readonly subject: Subject | undefined
  readonly errors: FormErrors
}) => {
  const name = useSignal<ChoiceName>(subject?.name ?? "fingerprint")
  const field = useRef<HTMLInputElement>(null)
  const versions = useRef<HTMLInputElement>(null)
  const typed = useSignal("")
  const id = useId()
  useEffect(() => {
    name.value = subject?.name ?? name.peek()
  }, [subject?.name, name])
  const hint = HINTS[name.value]
  const refused = (parameter: string) =>
    name.value === subject?.name ? (errors.byField.get(`query.${parameter}`) ?? "") : ""
  const problem = typed.value === "" ? refused(name.value) : typed.value
  const refusedVersions = refused("versions")
  const choose = (chosen: ChoiceName) => {
    name.value = chosen
    typed.value = ""
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const asked = parse(name.value, field.current?.value ?? "", versions.current?.value)
    typed.value = asked === undefined ? `Give ${hint}.` : ""
    if (asked === undefined) return field.current?.focus()
    // WHY: a base image is asked for as the component that it is, and the form then shows that one.
    name.value = asked.name
    Navigation.go(routeOf(org, asked))
  }
  return (
    <form onSubmit={submit} noValidate>
      <div class="exposure-ask">
        <Choice name={name.value} onChoose={choose} />
        <Field
          key={`${subject?.name} ${subject?.value}`}
          field={field}
          data-filter
          id={`${id}-hint`}
          label={`Which ${WORDS[name.value]}`}
          value={subject?.value}
          problem={problem}
        />
        {name.value === "purl" ? (
          <Field
            key={`versions ${subject?.versions}`}
            field={versions}
            class="exposure-versions"
            id={`${id}-versions`}
            label="Versions"
            placeholder="Versions, such as <4.17.21"
            value={subject?.versions}
            problem={refusedVersions}
          />
        ) : null}
        <button type="submit" class="button button-main">
          Ask
        </button>
      </div>
      <Messages id={id} hint={hint} problem={problem} refusedVersions={refusedVersions} />
    </form>
  )
}
