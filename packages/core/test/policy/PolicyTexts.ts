/** Texts of policies, and their problems in one line each. */
import { Either } from "effect"
import * as PolicyDocument from "../../src/policy/PolicyDocument.js"
import * as PolicyExpression from "../../src/policy/PolicyExpression.js"

/** The first line of a policy. */
export const HEAD = "_schema: https://x.example/schemas/environment-policy/v1\n"

/** The problems of a policy, each with its path and position. */
export const problems = (text: string) =>
  Either.match(PolicyDocument.parse(text), {
    onLeft: ({ problems: found }) =>
      found.map(({ column, line, message, path }) => `${path} (${line}:${column}): ${message}`),
    onRight: () => []
  })

/** The problems of an expression, each with its position. */
export const expressionProblems = (text: string) =>
  Either.match(PolicyExpression.parse(text), {
    onLeft: ({ problems: found }) =>
      found.map(({ message, position }) => `${position}: ${message}`),
    onRight: () => []
  })

/** A policy with one rule about attestations. */
export const rule = (body: string) => `${HEAD}artifacts:\n  attestations:\n    - ${body}\n`
