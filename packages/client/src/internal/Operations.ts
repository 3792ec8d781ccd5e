/** Maps every operation of every group of a client, with the name `group.operation`. */

/** A client as a table: group, then operation. */
export interface OperationTable<Call> {
  readonly [group: string]: { readonly [operation: string]: Call }
}

/** The table with each operation replaced. */
export const map = <Call, Other>(
  table: OperationTable<Call>,
  replace: (name: string, call: Call) => Other
): OperationTable<Other> =>
  Object.fromEntries(
    Object.entries(table).map(([group, calls]) => [
      group,
      Object.fromEntries(
        Object.entries(calls).map(([operation, call]) => [
          operation,
          replace(`${group}.${operation}`, call)
        ])
      )
    ])
  )
