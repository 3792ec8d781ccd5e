/** Plays a backtest: starts it, draws from its lines, goes on by a cursor after a cut, and ends it. */
import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { askForLines } from "../../session/Asking.js"
import type { ApiProblem } from "../../shared/ApiProblem.js"
import type { BacktestLine } from "../../shared/Contract.js"
import * as BacktestState from "./BacktestState.js"

/** How often a request that was cut goes on by itself. */
const RESUMES_MAX = 5
const PAUSE_MS = 1_000

/** A running backtest. */
export interface Backtest {
  readonly state: BacktestState.BacktestState
  readonly isPlaying: boolean
  readonly problem: ApiProblem | undefined
  /** Ends the request; the lines so far stay. */
  readonly cancel: () => void
  /** Continues after the last cursor, or starts again without one. */
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

/** Asks until the last line has come, a problem is in the way, or the signal ends it. */
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
        // WHY: the contract gives the type of the lines of this address.
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

/** Plays the request of a body while `isWanted`; another body begins anew. */
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
    // WHY: the text of the body stands for the body.
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
