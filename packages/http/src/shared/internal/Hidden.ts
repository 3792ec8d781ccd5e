/** Says of a row that a flow knows it which the caller does not read. SPEC §5 */

/** The field of such a row; no field for another one. */
export const hiddenWhen = (isHidden: boolean): { readonly hidden?: true } =>
  isHidden ? { hidden: true } : {}

/** The field of an answer that leaves out rows; no field where it leaves out none. */
export const hiddenRows = (count: number): { readonly hidden_rows?: number } =>
  count === 0 ? {} : { hidden_rows: count }
