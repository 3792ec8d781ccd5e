/** The names that the schema and the code share. */

/** The role that the application works as: it owns nothing, and row-level security binds it. */
export const APPLICATION_ROLE = "attestry_app"

/** The schema that holds every table and function. */
export const SCHEMA = "attestry"

/** `snapshot_row.last_index` of a row that runs until its bucket ends. */
export const OPEN_INDEX = 2_147_483_647
