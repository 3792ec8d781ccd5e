/** Writes of a component: each has the session's token and keys of its own, and waits for a session that has ended. */
import { useRef } from "preact/hooks"
import * as Mutation from "../shared/Mutation.js"
import { makeKeys } from "../shared/WriteKeys.js"
import * as Session from "./Session.js"

/** Sends writes; the same function for the life of the component. */
export const useWrite = (): ReturnType<typeof Mutation.make> => {
  const write = useRef<ReturnType<typeof Mutation.make> | undefined>(undefined)
  write.current ??= Mutation.make(
    makeKeys(() => crypto.randomUUID()),
    { csrfToken: Session.csrfToken, signInAgain: Session.signInAgain }
  )
  return write.current
}
