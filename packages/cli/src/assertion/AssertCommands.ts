/**
 * `attestry assert artifact|snapshot|trail`: gates. They exit with 0 only for a compliant verdict; an unreadable answer
 * is a failure.
 */
import * as ArtifactArgument from "../artifact/ArtifactArgument.js"
import * as AsOf from "../history/AsOf.js"
import { announce } from "../job/JobSummary.js"
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { CommandFailure, usage } from "../shared/CommandFailure.js"
import type { CommandResult } from "../shared/CommandResult.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import * as Json from "../shared/Json.js"
import * as SnapshotExpression from "../snapshot/SnapshotArgument.js"
import { requireFlow, requireTrail } from "../trail/TrailName.js"
import type { Assertion } from "./Assertion.js"
import * as AssertionAnnouncement from "./AssertionAnnouncement.js"
import * as AssertionExpiry from "./AssertionExpiry.js"
import { writeReports } from "./AssertionReports.js"
import { resultOf } from "./AssertionView.js"
import { explain } from "./Explain.js"
import { REMEDIES } from "./Gate.js"
import * as Reasons from "./Reasons.js"

const POLL_MS = 5_000

/** The verdict of an answer; fails for an answer without one. */
const verdictOf = (answer: Json.Fields, field: string, operation: string): boolean => {
  const verdict = answer[field]
  if (typeof verdict === "boolean") return verdict
  throw new CommandFailure("unanswered", "the server's answer says neither yes nor no", {
    operation
  })
}

const finish = async (
  context: CommandContext,
  args: Arguments,
  assertion: Assertion
): Promise<CommandResult> => {
  const isExplained = !assertion.compliant && args.text("explain") !== "short"
  const reasons = isExplained ? await explain(context, assertion.reasons) : assertion.reasons
  const whole = { ...assertion, reasons }
  writeReports(context, args, whole)
  await announce(context, args, AssertionAnnouncement.of(whole))
  return resultOf(whole, args.text("explain"), context.host.now() / 1_000)
}

const subjectOf = async (
  context: CommandContext,
  args: Arguments
): Promise<Assertion["subject"] & { readonly fingerprint: string }> => {
  const given = args.text("fingerprint")
  const [target] = args.positionals
  if (given !== undefined && target !== undefined)
    throw usage("ARTIFACT and --fingerprint name the same thing: give one of them")
  if (given !== undefined) {
    const fingerprint = ArtifactArgument.parseFingerprint(given)
    return { name: "artifact", fingerprint }
  }
  if (target === undefined)
    throw usage("there is nothing to assert", "give ARTIFACT or --fingerprint")
  const request = await ArtifactArgument.requestOf(context, args, target)
  const { name, fingerprint } = await ArtifactArgument.find(context, request)
  return { name, fingerprint }
}

const queryOf = ({ host }: CommandContext, args: Arguments) => {
  const asOf = AsOf.query(host, args)
  const isAsOf = asOf.as_of !== undefined
  if (isAsOf && args.text("wait") !== undefined)
    throw usage("--wait and --as-of cannot stand together")
  const environment = args.text("environment")
  const policies = args.texts("policy")
  if (environment !== undefined && policies.length > 0)
    throw usage("--environment and --policy cannot stand together")
  const flow = args.text("flow")
  return {
    ...(flow === undefined ? {} : { flow_name: flow }),
    ...(environment === undefined ? {} : { environment_name: environment }),
    ...(policies.length === 0 ? {} : { policy_name: policies }),
    ...asOf,
    // WHY: the server computes remedies only from current evidence.
    ...(isAsOf || args.text("explain") === "short" ? {} : { remedies: REMEDIES })
  }
}

const SCOPES = ["flow", "environment", "policy"] as const

const ofArtifact = (answer: Json.Fields, subject: Assertion["subject"]): Assertion => {
  const expires_at = AssertionExpiry.instantOf(answer)
  return {
    schema: "attestry.cli/assertion/v1",
    compliant: verdictOf(answer, "compliant", "assertion.assert"),
    scope: SCOPES.find((scope) => scope === answer.scope) ?? "flow",
    environment: Json.text(answer.environment) ?? null,
    subject,
    reasons: answer.compliant === true ? [] : Reasons.ofAssertion(answer, subject.fingerprint),
    url: Json.text(answer.html_url) ?? null,
    ...(expires_at === undefined ? {} : { expires_at }),
    answer
  }
}

/** Whether evidence is only missing, so that it may still arrive. */
const isOnlyMissing = ({ reasons }: Assertion): boolean =>
  reasons.every(({ type }) => type.startsWith("missing_"))

const askArtifact = async (context: CommandContext, args: Arguments): Promise<Assertion> => {
  const subject = await subjectOf(context, args)
  const urlParams = queryOf(context, args)
  const { host } = context
  const until = host.now() + (args.duration("wait") ?? 0)
  for (;;) {
    const answer = await (await context.api()).call("assertion.assert", {
      path: { fingerprint: subject.fingerprint },
      urlParams
    })
    const assertion = ofArtifact(Json.object(answer), subject)
    const isDone = assertion.compliant || !isOnlyMissing(assertion)
    if (isDone || host.now() + POLL_MS > until) return assertion
    context.output.trace(`${assertion.reasons.length} reasons; asked again in 5 s`)
    await host.sleep(POLL_MS, host.signal)
  }
}

/** Runs `attestry assert artifact`. */
export const artifact: CommandModule = {
  run: async (context, args) => finish(context, args, await askArtifact(context, args))
}

/** Runs `attestry assert snapshot`. */
export const snapshot: CommandModule = {
  run: async (context, args) => {
    const [text = ""] = args.positionals
    const { environment, expression } = SnapshotExpression.parse(text)
    const api = await context.api()
    const answer = Json.object(
      await api.call("snapshot.get", {
        path: { env_name: environment, snapshot_expression: expression },
        urlParams: AsOf.query(context.host, args)
      })
    )
    const isCompliant = verdictOf(answer, "compliant", "snapshot.get")
    const failing = Json.objects(answer.artifacts).filter((row) => row.compliant === false)
    const ofRows = failing.flatMap((row) =>
      Json.objects(row.reasons_for_incompliance).map((reason) =>
        Reasons.ofPolicy(reason, Json.text(row.fingerprint) ?? null, row.policy_decisions)
      )
    )
    const ofSnapshot = Json.objects(answer.reasons).map((reason) =>
      Reasons.ofPolicy(reason, null, undefined)
    )
    const reasons = [...ofSnapshot, ...ofRows]
    const isUnknown =
      !isCompliant && ofSnapshot.length === 0 && Json.objects(answer.applied_policies).length === 0
    return finish(context, args, {
      schema: "attestry.cli/assertion/v1",
      compliant: isCompliant || (isUnknown && args.text("unknown") === "ok"),
      scope: "snapshot",
      environment,
      subject: { name: `${environment}#${answer.index}`, fingerprint: null },
      reasons: isCompliant ? [] : reasons,
      url: Json.text(answer.html_url) ?? null,
      answer
    })
  }
}

/** Runs `attestry assert trail`, which compares a trail with its template. */
export const trail: CommandModule = {
  run: async (context, args) => {
    const flow = await requireFlow(context)
    const name = args.positionals[0] ?? (await requireTrail(context))
    const api = await context.api()
    const answer = Json.object(
      await api.call("trail.get", {
        path: { flow_name: flow, trail_name: name },
        urlParams: AsOf.query(context.host, args)
      })
    )
    const isCompliant = verdictOf(answer, "is_compliant", "trail.get")
    return finish(context, args, {
      schema: "attestry.cli/assertion/v1",
      compliant: isCompliant,
      scope: "trail",
      environment: null,
      subject: { name: `${flow}/${name}`, fingerprint: null },
      reasons: isCompliant ? [] : Reasons.ofTrail(answer),
      url: Json.text(answer.html_url) ?? null,
      answer
    })
  }
}
