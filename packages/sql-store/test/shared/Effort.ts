/** How much is tried: a little in every run, much more where `ATTESTRY_DEEP` is set. */

const { ATTESTRY_DEEP } = process.env

const isDeep = ATTESTRY_DEEP !== undefined && ATTESTRY_DEEP !== "" && ATTESTRY_DEEP !== "0"

/** The number for this run. */
export const effort = (usual: number, deep: number): number => (isDeep ? deep : usual)
