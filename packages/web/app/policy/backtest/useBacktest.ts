/** Runs a backtest: starts it, reads its lines, continues from a cursor after an interruption, and cancels it. */
import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { askForLines } from "../../session/Asking.js"
import type { ApiProblem } from "../../shared/ApiProblem.js"
import type { BacktestLine } from "../../shared/Contract.js"
import * as BacktestState from "./BacktestState.js"

/** An interrupted request continues automatically at most this many times without progress. */
const RESUMES_MAX = 5
const PAUSE_MS = 1_000

export interface Backtest {
  readonly state: BacktestState.BacktestState
  readonly isPlaying: boolean
  readonly problem: ApiProblem | undefined
  /** Cancels the request; the lines received so far stay. */
  readonly cancel: () => void
  /** Continues from the last cursor, or starts again if there is none. */
  readonly resume: () => void
}

const pause = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, PAUSE_MS)
    signal.addEventListener("abort", () => {
      clearTimeout(timer)
      resolve()
    })
  })

/** Requests lines until the last one has arrived, a problem stops it, or the signal aborts it. */
const play = async (
  asked: { readonly org: string; readonly body: object; readonly signal: AbortSignal },
  from: BacktestState.BacktestState,
  show: (state: BacktestState.BacktestState) => void
): Promise<ApiProblem | undefined> => {
  const { body, org, signal } = asked
  let state = from
  for (let attempt = 0; ; attempt += 1) {
    const cursor = state.place?.cursor
    const question = { id: "policyLab.backtest", params: { org }, signal } as const
    const before = state.played
    const outcome = await askForLines(
      { ...question, body: cursor === undefined ? body : { ...body, cursor } },
      (lines) => {
        // WHY: the contract gives the type of the lines of this operation.
        state = BacktestState.after(state, lines as ReadonlyArray<BacktestLine>)
        show(state)
      }
    )
    if (signal.aborted || state.isDone) return undefined
    const isCut = outcome._tag === "Ended" || outcome._tag === "Refused"
    const problem = outcome._tag === "Refused" ? outcome.problem : undefined
    const mayGoOn = problem === undefined || problem.kind === "offline"
    if (state.played > before) attempt = 0
    if (!isCut || !mayGoOn || attempt >= RESUMES_MAX) return problem
    state = BacktestState.resumed(state)
    await pause(signal)
    if (signal.aborted) return undefined
  }
}

/** Runs the backtest of a body; a new body starts again. */
export const useBacktest = (org: string, body: object | undefined): Backtest => {
  const state = useSignal(BacktestState.EMPTY)
  const isPlaying = useSignal(false)
  const problem = useSignal<ApiProblem | undefined>(undefined)
  const ending = useSignal<AbortController | undefined>(undefined)
  const start = (from: BacktestState.BacktestState, asked: object) => {
    const controller = new AbortController()
    ending.value = controller
    state.value = from
    isPlaying.value = true
    problem.value = undefined
    void play({ org, body: asked, signal: controller.signal }, from, (next) => {
      if (!controller.signal.aborted) state.value = next
    }).then((found) => {
      if (ending.peek() !== controller) return
      problem.value = found
      isPlaying.value = false
    })
  }
  const cancel = () => {
    ending.peek()?.abort()
    isPlaying.value = false
  }
  const text = body === undefined ? undefined : JSON.stringify(body)
  useEffect(() => {
    state.value = BacktestState.EMPTY
    problem.value = undefined
    if (body !== undefined) start(BacktestState.EMPTY, body)
    return cancel
    // WHY the text: it changes exactly when the body does.
  }, [org, text])
  return {
    state: state.value,
    isPlaying: isPlaying.value,
    problem: problem.value,
    cancel,
    resume: () => {
      if (body !== undefined) start(BacktestState.resumed(state.peek()), body)
    }
  }
}
