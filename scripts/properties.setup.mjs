/**
 * Before each test file: a property is played for at most so long in a normal run, and to its end by `pnpm test:deep`.
 *
 * WHY by time: a property that finds anything finds most of it in its first runs, and a busy machine plays fewer.
 */
import { FastCheck } from "effect"

const PROPERTY_MS_MAX = 1_500

if (process.env.ATTESTRY_DEEP === undefined)
  FastCheck.configureGlobal({ interruptAfterTimeLimit: PROPERTY_MS_MAX })
