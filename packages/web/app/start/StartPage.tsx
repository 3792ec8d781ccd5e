/** The first steps of a new org, from nothing to an evaluated snapshot. The page detects which steps are done. */
import * as Route from "@attestry/web/Route"
import type { ComponentChildren } from "preact"
import type { PageProps } from "../pages.js"
import * as Session from "../session/Session.js"
import { callOf } from "../shared/Api.js"
import { CodedText } from "../shared/CodedText.js"
import { Command } from "../shared/Command.js"
import { Icon } from "../shared/Icon.js"
import * as Navigation from "../shared/Navigation.js"
import { Page } from "../shared/Page.js"
import { cache, useQuery } from "../shared/Query.js"
import { knownOf } from "../shared/QueryCache.js"
import { QueryView } from "../shared/QueryView.js"
import { RevealedText } from "../shared/RevealedText.js"
import { WORDS } from "../shared/Verdict.js"
import { VerdictMark } from "../shared/VerdictMark.js"
import { quote } from "../shell/ShellWord.js"
import { commandsOf, EXAMPLE, KNOWN_BUILDS, type Place, preparing } from "./Commands.js"
import { EnvironmentForm, FlowForm, PolicyForm } from "./StartForms.js"
import {
  environmentOf,
  type Facts,
  nextOf,
  resultOf,
  type Step,
  type StepName,
  stepsOf
} from "./Steps.js"

const POLL_MS = 2_000

const TITLES: { readonly [name in StepName]: string } = {
  flow: "A flow",
  evidence: "A trail and an artifact",
  environment: "An environment",
  report: "A report of what runs",
  policy: "A policy that evaluates it"
}

const WHY: { readonly [name in StepName]: string } = {
  flow: "A flow collects the builds of one service.",
  evidence: "A build reports what it made; a trail is one run of the flow.",
  environment: "An environment is a place where software runs.",
  report: "Machines report what runs there; each change becomes a snapshot.",
  policy: "A policy says what may run; it evaluates what runs at once."
}

/** A hint about the reader's own files in the command of a step. */
const HINTS: { readonly [name in StepName]?: string } = {
  evidence: `\`${EXAMPLE.path}\` stands for a file or folder that you built; an image is named with \`-t docker\`.`,
  report: "It looks at what runs and sends the digests, with the times at which it began."
}

/** The setup of a terminal, with an explanation of the variables that every command reads. */
const Preparing = ({ org, place }: { readonly org: string; readonly place: Place }) => (
  <details class="start-prepare" open>
    <summary>Once, in a terminal</summary>
    {preparing(place).map((text) => (
      <Command key={text} text={text} />
    ))}
    <p>
      <code>ATTESTRY_API_KEY</code> is the key that every command sends: here the one with which you
      signed in. A pipeline gets a key of its own, from a{" "}
      <a href={Navigation.href("ServiceAccounts", { org })}>service account</a>.{" "}
      <code>attestry login</code> stores address, org and key, so that no variable is needed.
    </p>
  </details>
)

const StepItem = ({
  step,
  number,
  isNext,
  children
}: {
  readonly step: Step
  readonly number: number
  readonly isNext: boolean
  readonly children: ComponentChildren
}) => (
  <li
    class={step.done === undefined ? "start-step" : "start-step start-step-done"}
    aria-current={isNext ? "step" : undefined}
  >
    <span class="start-step-number" aria-hidden="true">
      {step.done === undefined ? number : <Icon name="check" />}
    </span>
    <div class="start-step-body">
      <h2 class="start-step-title">
        <span class="visually-hidden">Step {number}: </span>
        {TITLES[step.name]}
      </h2>
      {step.done === undefined ? (
        <>
          <p class="quiet">{WHY[step.name]}</p>
          {isNext ? children : null}
        </>
      ) : (
        <p class="start-step-result">
          <span class="visually-hidden">done: </span>
          <RevealedText text={step.done} />
        </p>
      )}
    </div>
  </li>
)

/** The form of a step, and the equivalent commands. */
const StepWork = ({
  org,
  name,
  place
}: {
  readonly org: string
  readonly name: StepName
  readonly place: Place
}) => {
  const commands = commandsOf(name, place)
  return (
    <>
      {name === "flow" && Session.may(org, "flow.write") ? <FlowForm org={org} /> : null}
      {name === "environment" && Session.may(org, "environment.put") ? (
        <EnvironmentForm org={org} />
      ) : null}
      {name === "policy" && Session.may(org, "policy.write") ? (
        <PolicyForm org={org} environment={place.environment} />
      ) : null}
      {commands.map((text) => (
        <Command key={text} text={text} />
      ))}
      {commands.length > 0 ? null : (
        <>
          <p>Every kind has a command of its own, with what it needs to look there:</p>
          <Command text="attestry help report" />
        </>
      )}
      {HINTS[name] === undefined ? null : (
        <p class="quiet">
          <CodedText text={HINTS[name]} />
        </p>
      )}
    </>
  )
}

/** The next steps after the first snapshot. */
const Next = ({ org, flow }: { readonly org: string; readonly flow: string }) => (
  <>
    <p>What comes next:</p>
    <ol>
      <li>
        Let the pipeline record every build:{" "}
        <Command text={`attestry init --flow ${quote(flow)} --ci github`} />
      </li>
      <li>
        <a href={Navigation.href("PolicyEditor", { org, policy: KNOWN_BUILDS.name })}>
          Ask for more than provenance, and see before you save what it would change
        </a>
      </li>
      <li>
        <a href={Navigation.href("Notifications", { org })}>
          Get notified when something turns red
        </a>
      </li>
      <li>
        <a
          href={Navigation.hrefOf(Route.make("Overview", { org }, { view: "tiles" }))}
          target="_self"
        >
          Go to the overview
        </a>
      </li>
    </ol>
  </>
)

const Result = ({ org, facts }: { readonly org: string; readonly facts: Facts }) => {
  const result = resultOf(facts)
  return (
    <div role="status">
      {result === undefined ? null : (
        <div class="note start-result">
          <strong>
            <VerdictMark verdict={result.verdict} /> Snapshot {result.index} is{" "}
            {WORDS[result.verdict]}
          </strong>
          <p>
            <a
              href={Navigation.href("Snapshot", {
                org,
                environment: result.environment,
                expression: String(result.index)
              })}
            >
              Open snapshot {result.index} of <RevealedText text={result.environment} />
              {result.verdict === "compliant" ? "" : " and see why"}
            </a>
          </p>
          <Next org={org} flow={facts.flow ?? EXAMPLE.flow} />
        </div>
      )}
    </div>
  )
}

const placeOf = (org: string, { flow, environments }: Facts): Place => {
  const environment = environmentOf(environments)
  return {
    origin: `${location.origin}${Navigation.base}`,
    org,
    flow: flow ?? EXAMPLE.flow,
    environment: environment?.name ?? EXAMPLE.environment,
    kind: environment?.type ?? EXAMPLE.kind
  }
}

export const StartPage = ({ route }: PageProps<Route.RouteOf<"Start">>) => {
  const { org } = route.params
  const params = { org, query: { page: 1, per_page: 100, include: "latest_snapshot" } }
  const state = useQuery("environment.list", params, { poll: POLL_MS })
  const flows = useQuery("flow.list", { org, query: { per_page: 1 } }, { poll: POLL_MS })
  const trails = useQuery("trail.list", { org, query: { per_page: 1 } }, { poll: POLL_MS })
  const artifacts = useQuery("artifact.list", { org, query: { per_page: 1 } }, { poll: POLL_MS })
  return (
    <Page name="First steps" heading="From nothing to a compliant snapshot" org={org}>
      <QueryView
        state={state}
        retry={() => void cache.refresh(callOf("environment.list", params).path)}
      >
        {({ environments }) => {
          const facts: Facts = {
            flow: knownOf(flows)?.value.data[0]?.name,
            trail: knownOf(trails)?.value.data[0]?.name,
            artifact: knownOf(artifacts)?.value[0],
            environments
          }
          const steps = stepsOf(facts)
          const next = nextOf(steps)
          return (
            <>
              <p class="quiet">{steps.filter(({ done }) => done !== undefined).length} of 5 done</p>
              {next === undefined ? null : <Preparing org={org} place={placeOf(org, facts)} />}
              <ol class="start-steps">
                {steps.map((step, place) => (
                  <StepItem
                    key={step.name}
                    step={step}
                    number={place + 1}
                    isNext={step.name === next}
                  >
                    <StepWork org={org} name={step.name} place={placeOf(org, facts)} />
                  </StepItem>
                ))}
              </ol>
              <Result org={org} facts={facts} />
              {next === undefined ? null : (
                <p class="quiet">
                  Waiting for step {steps.findIndex(({ name }) => name === next) + 1}; this page
                  notices by itself.
                </p>
              )}
            </>
          )
        }}
      </QueryView>
    </Page>
  )
}
