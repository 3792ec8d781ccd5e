/**
 * The number of trials of a test: few in `pnpm test`, more in `pnpm test:full`, and most if `ATTESTRY_DEEP` is set.
 */

const { ATTESTRY_DEEP, ATTESTRY_TEST_RUN } = process.env

const isDeep = ATTESTRY_DEEP !== undefined && ATTESTRY_DEEP !== "" && ATTESTRY_DEEP !== "0"

/** The number of trials for this run; the quick run has as many as the full one. */
export const effort = (usual: number, deep: number): number => (isDeep ? deep : usual)

/** The length of generated histories for this run; files that call it take part in both runs. */
export const lengthForRun = (lengths: {
  readonly quick: number
  readonly full: number
  readonly deep: number
}): number => {
  if (isDeep) return lengths.deep
  return ATTESTRY_TEST_RUN === "quick" ? lengths.quick : lengths.full
}
