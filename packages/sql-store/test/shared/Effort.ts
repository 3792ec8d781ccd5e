/** The number of trials: few in every run, many more where `ATTESTRY_DEEP` is set. */

const { ATTESTRY_DEEP } = process.env

const isDeep = ATTESTRY_DEEP !== undefined && ATTESTRY_DEEP !== "" && ATTESTRY_DEEP !== "0"

/** The number for this run. */
export const effort = (usual: number, deep: number): number => (isDeep ? deep : usual)
