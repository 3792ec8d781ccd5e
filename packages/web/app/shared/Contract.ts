/**
 * The types of the API's answers, as they are on the wire.
 *
 * The one module of the application that names the contract: everything else takes its types from here. Types alone are
 * imported, so that nothing of the contract is loaded.
 */
import type { EnvironmentPage, EnvironmentResponse } from "@attestry/api/EnvironmentApi"
import type { CurrentSession, SessionResponse } from "@attestry/api/SessionApi"

/** Who is signed in. */
export type Session = typeof CurrentSession.Encoded

/** The token of a session that was just opened. */
export type OpenedSession = typeof SessionResponse.Encoded

/** An environment. */
export type Environment = typeof EnvironmentResponse.Encoded

/** One page of environments. */
export type Environments = typeof EnvironmentPage.Encoded
