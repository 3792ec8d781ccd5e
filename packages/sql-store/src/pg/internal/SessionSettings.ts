/** The statements that set up a new connection: of the owner that migrates, and of the application. */
import { APPLICATION_ROLE, SCHEMA } from "../../schema/internal/SchemaNames.js"

/**
 * For every connection. WHY no compilation: compiling a statement takes PostgreSQL hundreds of milliseconds, ours take
 * a few, and up to PostgreSQL 17 a join that a function has switched off counts as a cost of ten thousand million.
 */
export const SESSION = `set search_path to ${SCHEMA}, pg_temp; set timezone to 'UTC'; set jit to off`

/**
 * The server ends statements and transactions of the application that this process could not end. Migrations have
 * no limit, and exports have limits of their own.
 */
const LIMITS = "set statement_timeout to '60s'; set idle_in_transaction_session_timeout to '60s'"

/**
 * WHY no bitmaps: lists are read from indexes in their order. Where PostgreSQL expects few rows, it prefers to
 * collect all rows of an org by a bitmap and sort them; without statistics it always expects few. DECISIONS.md, "Plans
 * need no statistics"
 */
const PLANS = "set enable_bitmapscan to off"

/** For connections of the application; the role comes last, because it may not set everything. */
export const APPLICATION = `${SESSION}; ${LIMITS}; ${PLANS}; set role ${APPLICATION_ROLE}`

/**
 * For connections of a process that only reads. WHY also there where the database is a standby: it may be promoted, and
 * the process goes on reading.
 */
export const READER = `set default_transaction_read_only to on; ${APPLICATION}`
