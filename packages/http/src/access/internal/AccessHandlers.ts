/** Serves questions about access. */
import {
  AccessApi,
  type AccessBinding,
  type AskEffective,
  type AskExplain,
  type AskWho
} from "@attestry/api/AccessApi"
import * as HttpError from "@attestry/api/HttpError"
import {
  AccessQuestions,
  type AllowedView,
  type AskedOperation,
  type AskedPlace,
  type AskedSubject,
  type BindingView
} from "@attestry/core/AccessQuestions"
import { withInput } from "@attestry/core/FieldErrors"
import * as Effect from "effect/Effect"
import { ok } from "../../shared/HttpMessage.js"
import { asOfIn } from "../../shared/internal/AsOfField.js"
import { group } from "../../shared/internal/Handlers.js"
import type { Route } from "../../shared/internal/RouteTable.js"
import { toWire } from "../../shared/internal/WireErrors.js"

const bindingOf = ({
  kind,
  number,
  role,
  space,
  team
}: BindingView): typeof AccessBinding.Type => ({ kind, role, space, number, team })

const subjectViewOf = ({ holder, role, via }: AllowedView) => ({
  kind: holder.kind,
  name: holder.name,
  role,
  via: via.map(bindingOf)
})

const holderOf = ({ kind, name, suspended }: AllowedView["holder"]) => ({ kind, name, suspended })

/** The place that a question names. */
const placeOf = (query: Omit<typeof AskWho.Type, "permission">): AskedPlace | undefined => {
  if (query.space !== undefined) return { kind: "space", name: query.space }
  if (query.flow !== undefined) return { kind: "flow", name: query.flow }
  if (query.environment !== undefined) return { kind: "environment", name: query.environment }
  if (query.policy !== undefined) return { kind: "policy", name: query.policy }
  return query.control === undefined ? undefined : { kind: "control", name: query.control }
}

/** Whom a question is about; without a name the caller. */
const subjectOf = (query: typeof AskEffective.Type): AskedSubject | undefined => {
  if (query.user !== undefined) return { kind: "user", name: query.user }
  return query.service_account === undefined
    ? undefined
    : { kind: "service-account", name: query.service_account }
}

const optionsOf = (query: typeof AskEffective.Type) => {
  const subject = subjectOf(query)
  return {
    ...(query.as_of === undefined ? {} : { asOf: query.as_of }),
    ...(subject === undefined ? {} : { subject })
  }
}

/** What an operation asks for; 400 for one that there is not. */
const operationOf = (
  routes: ReadonlyArray<Route>,
  query: typeof AskExplain.Type
): Effect.Effect<AskedOperation, HttpError.HttpError> => {
  const route = routes.find(({ group: of, name }) => `${of}.${name}` === query.operation)
  if (route === undefined)
    return HttpError.invalid({
      operation: withInput("There is no such operation", query.operation)
    })
  const { access } = route.rule
  const isForAll = access === "open" || access === "authenticated" || access === "member"
  return Effect.succeed({
    permission: isForAll ? null : access,
    isAtRoot: route.place === "root" || isForAll,
    place: placeOf(query)
  })
}

/** Makes the handlers of the questions about the operations of some routes. */
export const make = (routes: ReadonlyArray<Route>) =>
  group(
    AccessApi,
    Effect.gen(function* () {
      const questions = yield* AccessQuestions
      return {
        who: ({ path, urlParams }) => {
          const place = placeOf(urlParams)
          const options = {
            ...(urlParams.as_of === undefined ? {} : { asOf: urlParams.as_of }),
            ...(place === undefined ? {} : { place })
          }
          return questions.who(path.org, urlParams.permission, options).pipe(
            toWire,
            Effect.map((found) =>
              ok({
                permission: urlParams.permission,
                ...asOfIn(found),
                subjects: found.answer.subjects.map(subjectViewOf),
                eligible: found.answer.eligible.map(subjectViewOf)
              })
            )
          )
        },
        effective: ({ path, urlParams }) =>
          urlParams.api_key === undefined
            ? questions.effective(path.org, optionsOf(urlParams)).pipe(
                toWire,
                Effect.map(({ answer, ...found }) =>
                  ok({
                    ...holderOf(answer.holder),
                    ...asOfIn(found),
                    bindings: answer.bindings.map(bindingOf),
                    eligible: answer.eligible.map(bindingOf)
                  })
                )
              )
            : questions.effectiveOfKey(path.org, urlParams.api_key, urlParams.as_of).pipe(
                toWire,
                Effect.map(({ answer, ...found }) =>
                  ok({
                    ...holderOf(answer.holder),
                    ...asOfIn(found),
                    bindings: answer.bindings.map(bindingOf),
                    eligible: [],
                    scope: answer.scope
                  })
                )
              ),
        explain: ({ path, urlParams }) =>
          Effect.flatMap(operationOf(routes, urlParams), (asked) =>
            questions.explain(path.org, asked, optionsOf(urlParams)).pipe(
              toWire,
              Effect.map(({ answer, ...found }) => {
                const { allowed, because, binding, eligible, missing, space } = answer
                return ok({
                  operation: urlParams.operation,
                  permission: asked.permission,
                  allowed,
                  because,
                  space,
                  ...asOfIn(found),
                  binding: binding === null ? null : bindingOf(binding),
                  missing,
                  eligible: eligible === null ? null : bindingOf(eligible)
                })
              })
            )
          )
      }
    })
  )
