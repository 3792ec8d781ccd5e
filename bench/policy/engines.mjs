/**
 * The same policies in four engines. Each gives a function from facts to what its rules answer: ours and the
 * closure build whole decisions, the peers say which rules fail.
 */
import { agedYamlOf, policiesOf, REPORTED_AT, reported, yamlOf } from "./workload.mjs"

/** Our evaluator on the texts of policies. */
const compiledBy = async (policies, textOf) => {
  const PolicyDocument = await import("@attestry/core/PolicyDocument")
  const PolicyEvaluation = await import("@attestry/core/PolicyEvaluation")
  const compiled = PolicyEvaluation.compile(
    policies.map((policy) => {
      const read = PolicyDocument.parse(textOf(policy))
      if (read._tag === "Left") throw read.left
      return { id: policy.name, name: policy.name, version: 1, document: read.right }
    })
  )
  return (facts, moment) => PolicyEvaluation.evaluate(compiled, facts, moment).policy_decisions
}

/** Our evaluator. */
const attestry = async (policies) => {
  const evaluate = await compiledBy(policies, yamlOf)
  return (facts) => evaluate(facts)
}

const MOMENT = { now: REPORTED_AT * 1_000_000, waivers: [] }

/** Our evaluator at a moment, by the same policies. */
const moment = async (policies) => {
  const evaluate = await compiledBy(policies, yamlOf)
  return (facts) => evaluate(facts, MOMENT)
}

/** Our evaluator at a moment with ten waivers in force, each for another artifact, by the same policies. */
const waived = async (policies) => {
  const ActiveWaiver = await import("@attestry/core/ActiveWaiver")
  const PolicyExpression = await import("@attestry/core/PolicyExpression")
  const waivers = Array.from({ length: 10 }, (_, index) => {
    const text = `artifact.fingerprint == "${String(index).repeat(64)}"`
    const read = PolicyExpression.parse(text)
    if (read._tag === "Left") throw read.left
    return ActiveWaiver.make({
      number: index + 1,
      policy_name: policies[index % policies.length].name,
      rule: null,
      condition: { text, expression: read.right },
      starts_at: MOMENT.now - 1,
      expires_at: MOMENT.now + 1
    })
  })
  const evaluate = await compiledBy(policies, yamlOf)
  return (facts) => evaluate(facts, { ...MOMENT, waivers })
}

/** Our evaluator at a moment, by policies whose rules about evidence have ages. */
const aged = async (policies) => {
  const evaluate = await compiledBy(policies, agedYamlOf)
  return (facts) => evaluate(facts, MOMENT)
}

const resolution = (flow, type, status = null) => ({
  type,
  context:
    flow === undefined
      ? { flow_name: null, trail_name: null, artifact_status: null }
      : { flow_name: flow.flow_name, trail_name: flow.trail_name, artifact_status: status }
})

const evaluated = (rule, passes, found) => ({
  rule,
  satisfied: passes,
  ignored: passes === null,
  resolutions: [found]
})

const latest = (attestations, name, type) => {
  let found
  for (const one of attestations)
    if (
      one.name === name &&
      one.type === type &&
      (found === undefined || one.sequence > found.sequence)
    )
      found = one
  return found
}

const attested = (rule, flow, { name, type }) => {
  if (flow === undefined) return evaluated(rule, false, resolution(flow, "missing_attestation"))
  const found = latest(flow.attestations, name, type)
  if (found === undefined) return evaluated(rule, false, resolution(flow, "missing_attestation"))
  return found.is_compliant
    ? evaluated(rule, true, resolution(flow, "rule_satisfied"))
    : evaluated(rule, false, resolution(flow, "non_compliant_attestation"))
}

/** What a programmer would write for just these policies, with the same decisions as its result. */
const closure = async (policies) => {
  const rules = await attestry(policies)
  const known = rules({ artifact: { name: "", fingerprint: "" }, flows: [] })
  const evaluators = policies.map((policy, index) => {
    const definitions = known[index].rule_evaluations.map(({ rule }) => rule)
    const isExempt = new RegExp(`^${policy.exempt.replaceAll(".", "\\.")}.*`)
    const isProd = new RegExp(policy.prod)
    const { name, tier, type, attestation } = policy
    return ({ artifact, flows }) => {
      const flow = flows[0]
      const none = () => evaluatedNone(flow)
      const provenance = isExempt.test(artifact.name)
        ? evaluated(definitions[0], null, none())
        : flow === undefined
          ? evaluated(definitions[0], false, resolution(flow, "missing_provenance"))
          : evaluated(definitions[0], true, resolution(flow, "rule_satisfied"))
      const trail =
        flow === undefined
          ? evaluated(definitions[1], false, resolution(flow, "missing_provenance"))
          : Number(flow.tags.tier) < tier && flow.tags.risk === "low"
            ? evaluated(
                definitions[1],
                null,
                resolution(flow, "rule_not_applicable", flow.artifact_status)
              )
            : flow.artifact_status === "COMPLIANT"
              ? evaluated(
                  definitions[1],
                  true,
                  resolution(flow, "rule_satisfied", flow.artifact_status)
                )
              : evaluated(
                  definitions[1],
                  false,
                  resolution(flow, "non_compliant_in_trail", flow.artifact_status)
                )
      const unit = isProd.test(artifact.name)
        ? attested(definitions[2], flow, { name: "unit-tests", type: "junit" })
        : evaluated(definitions[2], null, none())
      const risky =
        flow !== undefined &&
        (flow.tags.risk === "high" || flow.flow_name === "pay" || flow.flow_name === "bank")
      const other = risky
        ? attested(definitions[3], flow, { name: attestation, type })
        : evaluated(definitions[3], null, none())
      const rule_evaluations = [provenance, trail, unit, other]
      return {
        policy_name: name,
        policy_version: 1,
        status: rule_evaluations.some(({ satisfied }) => satisfied === false)
          ? "NON-COMPLIANT"
          : "COMPLIANT",
        rule_evaluations
      }
    }
  })
  return (facts) => evaluators.map((evaluate) => evaluate(facts))
}

const evaluatedNone = (flow) => resolution(flow, "rule_not_applicable")

/** What peers are given of the facts, made beforehand. */
export const flat = ({ artifact, flows: [flow] }) => ({
  artifact: artifact.name,
  known: flow !== undefined,
  flow: flow?.flow_name ?? "",
  risk: flow?.tags.risk ?? "",
  tier: Number(flow?.tags.tier ?? -1),
  status: flow?.artifact_status ?? "",
  passed: (flow?.attestations ?? [])
    .filter(({ is_compliant }) => is_compliant)
    .map(({ name, type }) => `${type} ${name}`)
})

/** `@marcbachmann/cel-js`: one expression for each rule, which is true where the rule fails. */
const cel = async (policies) => {
  const { parse } = await import("@marcbachmann/cel-js")
  const rules = policies.map(({ exempt, prod, tier, type, attestation }) =>
    [
      `!artifact.matches("^${exempt.replaceAll(".", "\\\\.")}.*") && !known`,
      `!known || (!(tier < ${tier} && risk == "low") && status != "COMPLIANT")`,
      `artifact.matches("${prod}") && !("junit unit-tests" in passed)`,
      `known && (risk == "high" || flow in ["pay", "bank"]) && !("${type} ${attestation}" in passed)`
    ].map((text) => parse(text))
  )
  return (row) => rules.map((policy) => policy.map((fails) => fails(row)))
}

/** Cedar: one permission for each rule, which is granted where the rule fails; one call for each row. */
const cedar = async (policies) => {
  const module = await import("@cedar-policy/cedar-wasm/nodejs")
  const { preparsePolicySet, statefulIsAuthorized } = module.default ?? module
  const conditions = policies.flatMap(({ exempt, prod, tier, type, attestation }, index) =>
    [
      `!(context.artifact like "${exempt}*") && !context.known`,
      `!context.known || (!(context.tier < ${tier} && context.risk == "low") && context.status != "COMPLIANT")`,
      `context.artifact like "*${prod}*" && !context.passed.contains("junit unit-tests")`,
      `context.known && (context.risk == "high" || ["pay", "bank"].contains(context.flow)) && ` +
        `!context.passed.contains("${type} ${attestation}")`
    ].map((text, rule) => [
      `${index} ${rule}`,
      `permit(principal, action, resource) when { ${text} };`
    ])
  )
  const parsed = preparsePolicySet("set", { staticPolicies: Object.fromEntries(conditions) })
  if (parsed.type !== "success") throw new Error(JSON.stringify(parsed))
  return (row) => {
    const answer = statefulIsAuthorized({
      principal: { type: "User", id: "u" },
      action: { type: "Action", id: "a" },
      resource: { type: "Artifact", id: "x" },
      context: row,
      preparsedPolicySetId: "set",
      entities: []
    })
    if (answer.type !== "success") throw new Error(JSON.stringify(answer))
    const failing = new Set(answer.response.diagnostics.reason)
    return policies.map((_, index) => [0, 1, 2, 3].map((rule) => failing.has(`${index} ${rule}`)))
  }
}

/** Engines by name; `prepare` is what they are given of a row, and not part of what is timed. */
export const engines = {
  attestry: { make: attestry, prepare: (facts) => facts },
  moment: { make: moment, prepare: (facts) => facts },
  waived: { make: waived, prepare: (facts) => facts },
  aged: { make: aged, prepare: reported },
  closure: { make: closure, prepare: (facts) => facts },
  cel: { make: cel, prepare: flat },
  cedar: { make: cedar, prepare: flat }
}

/** Which rules fail, of whatever an engine answers. */
export const failures = (answer) =>
  answer.map((policy) =>
    Array.isArray(policy)
      ? policy
      : policy.rule_evaluations.map(({ satisfied }) => satisfied === false)
  )

export { policiesOf }
