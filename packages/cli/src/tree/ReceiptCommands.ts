/** The commands about receipts of decisions: signed verdicts that others check without the deployment. */
import type { CommandSpec, FlagSpec } from "../shared/CommandSpec.js"
import { AS_OF, FINGERPRINT, FLOW } from "./Flags.js"

/** The keys by which a receipt is checked. */
export const RECEIPT_KEYS: ReadonlyArray<FlagSpec> = [
  {
    name: "keys",
    kind: "text",
    value: "FILE",
    brief: "the keys to trust: the answer of GET /keys, or lines with NAME+ID+BASE64"
  },
  {
    name: "verifier",
    kind: "texts",
    value: "VKEY",
    brief: "a key to trust: NAME+ID+BASE64"
  }
]

const ENVIRONMENT: FlagSpec = {
  name: "environment",
  kind: "text",
  value: "ENV",
  brief: "evaluate by the policies of this environment"
}

/** The commands about receipts of decisions. */
export const RECEIPT_COMMANDS: ReadonlyArray<CommandSpec> = [
  {
    words: ["receipt", "get"],
    brief: "Show or save a signed verdict that others can check offline",
    keywords: ["vsa", "svr", "dsse", "in-toto", "slsa"],
    positionals: [
      { name: "THING", brief: "a fingerprint, ENV, ENV#12 or 'ENV@{2.days.ago}'", required: true }
    ],
    flags: [
      ENVIRONMENT,
      { name: "policy", kind: "texts", value: "POLICY", brief: "evaluate by this policy" },
      FLOW,
      { ...FINGERPRINT, brief: "with a snapshot: only this artifact" },
      {
        name: "predicate",
        kind: "text",
        choices: ["vsa", "svr"],
        brief: "a Verification Summary of SLSA, or a Simple Verification Result of in-toto"
      },
      {
        name: "valid-for",
        kind: "duration",
        value: "15m",
        brief: "how long the receipt of an artifact is valid: 1m to 24h"
      },
      AS_OF,
      { name: "to-file", kind: "text", value: "FILE", brief: "write the receipt to a new file" },
      ...RECEIPT_KEYS
    ],
    load: () => import("../receipt/GetCommand.js")
  },
  {
    words: ["receipt", "verify"],
    brief: "Check a signed verdict offline",
    keywords: ["vsa", "svr", "dsse", "in-toto", "slsa"],
    positionals: [{ name: "FILE", brief: "a receipt", required: true }],
    flags: [
      ...RECEIPT_KEYS,
      { ...FINGERPRINT, brief: "the artifact that it must be about" },
      { ...ENVIRONMENT, brief: "the environment that it must be decided for" },
      { name: "resource", kind: "text", value: "URL", brief: "the resource that it must be for" },
      {
        name: "policies-sha256",
        kind: "text",
        value: "HEX",
        brief: "the digest of the policies that must have decided"
      },
      { name: "earlier", kind: "boolean", brief: "a verdict as of an earlier instant will do too" },
      { name: "max-age", kind: "duration", value: "15m", brief: "how old it may be" },
      {
        name: "log-size",
        kind: "number",
        value: "N",
        brief: "how many entries the log must have had"
      }
    ],
    load: () => import("../receipt/VerifyCommand.js")
  }
]
