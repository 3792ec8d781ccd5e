/** The matrix of controls and environments in answers, and the sizes of its pages. SPEC §4.11 */
import * as Schema from "effect/Schema"
import { verdictPending } from "../environment/EnvironmentApi.js"
import { counterFields } from "../shared/Paging.js"

/** Controls by environments: cells are in the order of the environments. */
export const ControlMatrixResponse = Schema.Struct({
  ...counterFields,
  environments: Schema.Array(
    Schema.Struct({
      name: Schema.String,
      rows: Schema.Int.annotations({ description: "How many artifacts run there now." }),
      verdict_pending: verdictPending
    })
  ),
  controls: Schema.Array(
    Schema.Struct({
      identifier: Schema.String,
      name: Schema.String,
      total: Schema.Int.annotations({
        description: "How many environments there are, on all pages of environments."
      }),
      covered: Schema.Int.annotations({ description: "How many of them enforce it." }),
      coverage_percent: Schema.Number,
      cells: Schema.Array(
        Schema.Struct({
          covered: Schema.Boolean,
          policies: Schema.Array(Schema.String),
          rules: Schema.Array(
            Schema.Struct({ policy_name: Schema.String, rule_index: Schema.Int })
          ).annotations({
            description: "The rules of these policies for the control, counted from 0."
          }),
          rows_failing: Schema.NullOr(Schema.Int).annotations({
            description:
              "How many running artifacts fail the control; null where it is not covered, and where nothing runs."
          })
        })
      )
    })
  )
}).annotations({ identifier: "ControlMatrix" })

/** The number of controls on a page of the matrix by default; also the largest. */
export const MATRIX_PER_PAGE = 100

/** The number of environments on a page of the matrix by default; also the largest. */
export const MATRIX_ENVIRONMENTS = 500
