/** Writes of one form with the session of this tab. */
import { useMemo } from "preact/hooks"
import * as Mutation from "../shared/Mutation.js"
import { makeKeys } from "../shared/WriteKeys.js"
import * as Session from "./Session.js"

/** Sends writes of the form that asks; a repeated attempt writes once. */
export const useWrite = () =>
  useMemo(
    () =>
      Mutation.make(
        makeKeys(() => crypto.randomUUID()),
        { csrfToken: Session.csrfToken, signInAgain: Session.signInAgain }
      ),
    []
  )
