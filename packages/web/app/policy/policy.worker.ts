/**
 * The policy worker: runs core's parser and evaluator. DECISIONS.md, "Pages load neither core nor Effect"
 *
 * This is the only code of the application that contains Effect. The worker caches facts by key.
 */
import * as FlowTemplate from "@attestry/core/FlowTemplate"
import * as MaxAge from "@attestry/core/MaxAge"
import * as Moment from "@attestry/core/Moment"
import * as PolicyDocument from "@attestry/core/PolicyDocument"
import * as PolicyEvaluation from "@attestry/core/PolicyEvaluation"
import * as PolicyExplanation from "@attestry/core/PolicyExplanation"
import type { Facts } from "@attestry/core/PolicyFacts"
import * as PolicyJsonSchema from "@attestry/core/PolicyJsonSchema"
import * as Timestamp from "@attestry/core/Timestamp"
import * as TrustPolicyDocument from "@attestry/core/TrustPolicyDocument"
import * as TrustPolicyLint from "@attestry/core/TrustPolicyLint"
import * as YamlText from "@attestry/core/YamlText"
import * as PolicyComparison from "@attestry/policy-lab/PolicyComparison"
import * as PolicyLint from "@attestry/policy-lab/PolicyLint"
import * as PolicyRemedy from "@attestry/policy-lab/PolicyRemedy"
import * as Either from "effect/Either"
import { numbersOf } from "../shared/RuleNumber.js"
import { lineOf as trustRuleOf } from "../trust-policy/TrustRuleText.js"
import { rulesOf } from "./PolicyRuleText.js"
import type {
  EvaluatedRow,
  Message,
  Reading,
  TextProblem,
  TrustReading,
  WorkerRequests
} from "./PolicyWorkerMessages.js"

/** WHY: a person switches between a few environments; more would only take memory. */
const KEYS_MAX = 20

/** At most this many remedies of a row are shown. */
const REMEDIES = 3

const factsByKey = new Map<string, ReadonlyArray<Facts>>()

const factsOf = ({ key, facts }: WorkerRequests["evaluate"]["asked"]): ReadonlyArray<Facts> => {
  if (facts !== undefined) {
    factsByKey.delete(key)
    factsByKey.set(key, facts)
    const [oldest] = factsByKey.keys()
    if (factsByKey.size > KEYS_MAX && oldest !== undefined) factsByKey.delete(oldest)
  }
  const known = factsByKey.get(key)
  if (known === undefined) throw new Error(`no facts for ${key}`)
  return known
}

const lineOf = (text: string): ((path: ReadonlyArray<string | number>) => number) =>
  Either.match(YamlText.parse(text), {
    onLeft: () => () => 1,
    onRight:
      ({ positionOf }) =>
      (path) =>
        positionOf(path).line
  })

/** The numbers of the rules of a document. */
const numbersIn = (document: PolicyDocument.PolicyDocument) =>
  numbersOf(rulesOf(document).map(({ isDemanded }) => isDemanded))

const read = ({ text }: WorkerRequests["read"]["asked"]): Reading =>
  Either.match(PolicyDocument.parse(text), {
    onLeft: ({ problems }) => ({ problems, rules: [] }),
    onRight: (document) => {
      const line = lineOf(text)
      const numbers = numbersIn(document)
      return {
        problems: [],
        rules: rulesOf(document).map(({ path, ...rule }, index) => ({
          ...rule,
          index,
          number: numbers[index] ?? null,
          line: line(path)
        }))
      }
    }
  })

/** A remark without its code. */
const remarkOf = ({ column, line, message, path, severity }: Required<TextProblem>) => ({
  column,
  line,
  message,
  path,
  severity
})

const lint = ({ text }: WorkerRequests["lint"]["asked"]): WorkerRequests["lint"]["answer"] =>
  Either.match(PolicyLint.check(text), {
    onLeft: () => [],
    onRight: (remarks) => remarks.map(remarkOf)
  })

const trust = ({ text }: WorkerRequests["trust"]["asked"]): TrustReading =>
  Either.match(TrustPolicyDocument.parse(text), {
    onLeft: ({ problems }) => ({ problems, remarks: [], rules: [] }),
    onRight: ({ rules }) => ({
      problems: [],
      remarks: Either.match(TrustPolicyLint.check(text, Date.now() / 1_000), {
        onLeft: () => [],
        onRight: (remarks) => remarks.map(remarkOf)
      }),
      rules: rules.map(trustRuleOf)
    })
  })

/** An artifact in one sentence, and why a policy refuses it. */
const witness = (direction: PolicyComparison.Direction): string | null => {
  if (direction === null || direction === "unknown") return null
  const { artifact, flows } = direction.facts
  const { now } = direction
  const age = ({ reported_at }: { readonly reported_at?: number }) =>
    now === undefined || reported_at === undefined || reported_at === now
      ? ""
      : `, ${MaxAge.describe(now - reported_at)} old`
  const known = flows.map((flow) => {
    const pairs = Object.entries(flow.tags).map(([key, value]) => `${key} ${JSON.stringify(value)}`)
    const has = flow.attestations.map((fact) => `${fact.type} ${fact.name}${age(fact)}`)
    const tagged = pairs.length === 0 ? "" : ` with the tags ${pairs.join(", ")}`
    return `${flow.flow_name}${tagged}${age(flow)} (${has.length === 0 ? "no attestation" : has.join(", ")})`
  })
  const where = known.length === 0 ? "known to no flow" : `of flow ${known.join(" and ")}`
  return `${artifact.name}, ${where}: ${direction.reasons[0]?.description ?? ""}`
}

const compare = ({
  old,
  text
}: WorkerRequests["compare"]["asked"]): WorkerRequests["compare"]["answer"] => {
  const [before, after] = [PolicyDocument.parse(old), PolicyDocument.parse(text)]
  if (Either.isLeft(before) || Either.isLeft(after)) return null
  const found = PolicyComparison.compare(before.right, after.right)
  return {
    relation: found.relation,
    oldOnly: witness(found.acceptedByOldOnly),
    newOnly: witness(found.acceptedByNewOnly)
  }
}

const template = ({ text }: WorkerRequests["template"]["asked"]) =>
  Either.match(FlowTemplate.parse(text), {
    onLeft: ({ problems }) => [...problems],
    onRight: () => []
  })

/** Compiles a text as a policy set of one; undefined for a text with problems. */
const compiled = (name: string, text: string | null) => {
  if (text === null) return undefined
  const document = PolicyDocument.parse(text)
  return Either.isLeft(document)
    ? undefined
    : {
        set: PolicyEvaluation.compile([{ id: name, name, version: 1, document: document.right }]),
        numbers: numbersIn(document.right)
      }
}

/** The moment by the clock of this machine. */
const momentNow = (): Moment.Moment => Moment.at(Timestamp.fromMillis(Date.now()))

const evaluate = (
  asked: WorkerRequests["evaluate"]["asked"]
): WorkerRequests["evaluate"]["answer"] => {
  const startedAt = performance.now()
  const [draft, before] = [compiled(asked.name, asked.draft), compiled(asked.name, asked.before)]
  const moment = momentNow()
  const evaluated = (by: ReturnType<typeof compiled>, facts: Facts) =>
    by === undefined ? undefined : PolicyEvaluation.evaluate(by.set, facts, moment)
  const rows = factsOf(asked).map((facts): EvaluatedRow => {
    const [now, earlier] = [evaluated(draft, facts), evaluated(before, facts)]
    const reasons =
      draft === undefined || now === undefined ? [] : PolicyEvaluation.reasons(draft.set, now)
    return {
      before: earlier === undefined ? null : earlier.verdict === "Compliant",
      now: now === undefined ? null : now.verdict === "Compliant",
      reasons: reasons.map(({ description, rule_index }) => ({
        number: draft?.numbers[rule_index ?? -1] ?? null,
        description
      }))
    }
  })
  return { rows, tookMs: performance.now() - startedAt }
}

const explain = ({
  draft,
  facts,
  name
}: WorkerRequests["explain"]["asked"]): WorkerRequests["explain"]["answer"] => {
  const tried = compiled(name, draft)
  if (tried === undefined) return { rules: [], text: "", remedies: [] }
  const { numbers, set } = tried
  const moment = momentNow()
  const evaluation = PolicyEvaluation.evaluate(set, facts, moment)
  const reasons = PolicyEvaluation.reasons(set, evaluation)
  const words = read({ text: draft }).rules
  return {
    rules: evaluation.policy_decisions.flatMap(({ rule_evaluations }) =>
      rule_evaluations.map(({ resolutions, satisfied }, index) => ({
        index,
        number: numbers[index] ?? null,
        text: words[index]?.text ?? "",
        holds: satisfied,
        places: resolutions.map(({ context, type }) => ({
          flow: context.flow_name,
          trail: context.trail_name,
          result: type
        }))
      }))
    ),
    text: PolicyExplanation.render({ artifact: facts.artifact, evaluation, reasons }),
    remedies: PolicyRemedy.remedies(set, facts, { limit: REMEDIES, moment })
  }
}

const answerTo = (message: Message): unknown => {
  switch (message.kind) {
    case "read":
      return read(message)
    case "lint":
      return lint(message)
    case "compare":
      return compare(message)
    case "template":
      return template(message)
    case "trust":
      return trust(message)
    case "evaluate":
      return evaluate(message)
    case "explain":
      return explain(message)
    case "schema":
      return PolicyJsonSchema.documents[2]
  }
}

addEventListener("message", ({ data }: MessageEvent<Message>) => {
  try {
    postMessage({ id: data.id, answer: answerTo(data) })
  } catch (error) {
    postMessage({ id: data.id, failure: String(error) })
  }
})
