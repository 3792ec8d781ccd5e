/** The command that decides in a Kubernetes cluster which images may run. */
import type { CommandSpec } from "../shared/CommandSpec.js"
import { RECEIPT_KEYS } from "./ReceiptCommands.js"

/** The command about admission. */
export const ADMISSION_COMMANDS: ReadonlyArray<CommandSpec> = [
  {
    words: ["admit"],
    brief: "Serve an admission webhook that lets compliant images alone run in Kubernetes",
    keywords: ["kubernetes", "k8s", "admission", "webhook", "gatekeeper", "kyverno", "openshift"],
    positionals: [],
    flags: [
      {
        name: "cert-file",
        kind: "text",
        value: "FILE",
        brief: "the certificate with its chain; read again when it changes"
      },
      { name: "key-file", kind: "text", value: "FILE", brief: "the key of the certificate" },
      {
        name: "environment",
        kind: "text",
        value: "ENV",
        brief: "decide by the policies of this environment"
      },
      { name: "policy", kind: "texts", value: "POLICY", brief: "decide by this policy" },
      {
        name: "rules",
        kind: "text",
        value: "FILE",
        brief: "YAML with the environment, the mode and more of each namespace"
      },
      {
        name: "mode",
        kind: "text",
        choices: ["warn", "enforce"],
        brief: "only warn, which is the default, or deny"
      },
      {
        name: "fail",
        kind: "text",
        choices: ["open", "closed"],
        brief: "with enforce: admit without an answer, which is the default, or deny"
      },
      {
        name: "registry",
        kind: "texts",
        value: "HOST",
        brief: "resolve tags at this registry; without the flag at any but localhost"
      },
      ...RECEIPT_KEYS,
      {
        name: "valid-for",
        kind: "duration",
        value: "15m",
        brief: "how long a receipt holds while the deployment is silent: 1m to 24h"
      },
      {
        name: "fresh-for",
        kind: "duration",
        value: "1m",
        brief: "ask about an image again after this time"
      },
      {
        name: "answer-within",
        kind: "duration",
        value: "8s",
        brief: "the time of one review, below the webhook's timeoutSeconds"
      },
      { name: "port", kind: "number", value: "8443", brief: "the port of the webhook" },
      {
        name: "health-port",
        kind: "number",
        value: "PORT",
        brief: "serve /live, /ready and /metrics without TLS"
      }
    ],
    load: () => import("../admission/AdmitCommand.js")
  }
]
