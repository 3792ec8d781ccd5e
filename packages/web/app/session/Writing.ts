/** Writes of a form within the current session. */
import { useMemo } from "preact/hooks"
import * as Mutation from "../shared/Mutation.js"
import { makeKeys } from "../shared/WriteKeys.js"
import * as Session from "./Session.js"

/** Returns a function that sends writes of one form; a repeated attempt is carried out once. */
export const useWrite = () =>
  useMemo(
    () =>
      Mutation.make(
        makeKeys(() => crypto.randomUUID()),
        { csrfToken: Session.csrfToken, signInAgain: Session.signInAgain }
      ),
    []
  )
