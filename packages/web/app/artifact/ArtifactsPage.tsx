/** Finds an artifact by its fingerprint or commit, and lists the newest. */
import * as Route from "@attestry/web/Route"
import { useSignal } from "@preact/signals"
import { useId, useRef } from "preact/hooks"
import type { PageProps } from "../pages.js"
import { TextFilter } from "../shared/Filters.js"
import * as Navigation from "../shared/Navigation.js"
import { Page } from "../shared/Page.js"
import { ArtifactPages } from "./ArtifactPages.js"

const isSearchable = (text: string): boolean => /^[0-9a-f]{5,64}$/.test(text)

const Find = ({ org }: { readonly org: string }) => {
  const field = useRef<HTMLInputElement>(null)
  const problem = useSignal("")
  const id = useId()
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const text = (field.current?.value ?? "")
      .trim()
      .toLowerCase()
      .replace(/^sha256:/, "")
    if (isSearchable(text)) Navigation.go(Route.make("Artifact", { org, fingerprint: text }))
    else {
      problem.value = "Five to 64 characters of a fingerprint or commit: digits and a to f."
      field.current?.focus()
    }
  }
  return (
    <form class="find" onSubmit={submit} noValidate>
      <label for={id}>Find by fingerprint or commit</label>
      <div class="filters">
        <input
          ref={field}
          id={id}
          type="search"
          class="find-field"
          data-filter
          spellcheck={false}
          autocomplete="off"
          aria-describedby={`${id}-problem`}
          aria-invalid={problem.value !== ""}
        />
        <button type="submit" class="button">
          Find
        </button>
      </div>
      <p id={`${id}-problem`} class="field-problem" role="alert">
        {problem.value}
      </p>
    </form>
  )
}

export const ArtifactsPage = ({ route }: PageProps<Route.RouteOf<"Artifacts">>) => {
  const { org } = route.params
  const search = Route.parameter(route, "q")
  return (
    <Page
      name="Artifacts"
      org={org}
      aside={
        <ul class="line">
          <li>
            <a href={Navigation.href("WhereItRan", { org })}>Where it ran</a>
          </li>
          <li>
            <a href={Navigation.href("Components", { org })}>Components</a>
          </li>
          <li>
            <a href={Navigation.href("Attestations", { org })}>Attestations</a>
          </li>
          <li>
            <a href={Navigation.href("Evidence", { org })}>Evidence</a>
          </li>
          <li>
            <a href={Navigation.href("AttestationTypes", { org })}>Attestation types</a>
          </li>
        </ul>
      }
    >
      <Find org={org} />
      <search class="filters">
        <TextFilter route={route} name="q" label="Filter by name" />
      </search>
      <ArtifactPages org={org} route={route} of={search === undefined ? {} : { search }} />
    </Page>
  )
}
