/** Cuts properties short: a mutant that a property kills, it kills early; the others would run in full. */
import { FastCheck } from "effect"

FastCheck.configureGlobal({
  ...FastCheck.readConfigureGlobal(),
  interruptAfterTimeLimit: 200,
  markInterruptAsFailure: false,
  seed: 20_261_115
})
