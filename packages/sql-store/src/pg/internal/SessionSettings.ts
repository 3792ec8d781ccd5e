/** What a new connection is told before it is used: as the owner that migrates, and as the application. */
import { APPLICATION_ROLE, SCHEMA } from "../../migrations/TenantTable.js"

/** For every connection. */
export const SESSION = `set search_path to ${SCHEMA}, pg_temp; set timezone to 'UTC'`

/**
 * The server gives up on the application's connections when we could not. Migrations may take as long as they do,
 * and exports have limits of their own. DECISION B-79
 */
const LIMITS = "set statement_timeout to '60s'; set idle_in_transaction_session_timeout to '60s'"

/**
 * WHY no bitmaps: our lists are cut from indexes that have their order. Where PostgreSQL expects few rows, it rather
 * collects all rows of an org by a bitmap and sorts them, and without statistics it always expects few. DECISION B-157
 */
const PLANS = "set enable_bitmapscan to off"

/** For connections of the application; the role comes last, because it may not set everything. */
export const APPLICATION = `${SESSION}; ${LIMITS}; ${PLANS}; set role ${APPLICATION_ROLE}`
