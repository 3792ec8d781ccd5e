/** Examples of the commands about this machine. */
import type { Examples } from "./Examples.js"

/** Examples by command name. */
export const MACHINE_EXAMPLES: Examples = {
  login: [
    "attestry login --url https://attestry.example.com --org acme",
    "attestry login --url https://attestry.example.com --key-stdin < key",
    "attestry login --url https://attestry.example.com --browser --profile prod"
  ],
  logout: ["attestry logout", "attestry logout --profile prod", "attestry logout -o json"],
  whoami: ["attestry whoami", "attestry whoami -o json", "attestry whoami --profile prod"],
  "config show": [
    "attestry config show",
    "attestry config show --profile prod",
    "attestry config show -o json"
  ],
  "config unset": [
    "attestry config unset org",
    "attestry config unset timeout --profile prod",
    "attestry config unset ca_file -o json"
  ],
  "config set": [
    "attestry config set org acme",
    "attestry config set timeout 90s --profile prod",
    "attestry config set ca_file /etc/ssl/corporate.pem"
  ],
  "config use": [
    "attestry config use prod",
    "attestry config use prod -q",
    "attestry config use prod -o json"
  ],
  "config path": [
    "attestry config path",
    "attestry config path -q",
    "attestry config path -o json"
  ],
  init: [
    "attestry init",
    "attestry init --flow shop --ci github",
    "attestry init --flow shop --ci azure-devops --dry-run"
  ],
  doctor: ["attestry doctor", "attestry doctor -q", "attestry doctor --profile prod -o json"],
  mcp: [
    "attestry mcp",
    "attestry mcp --profile prod",
    "attestry mcp --profile prod --allow-writes"
  ],
  completion: [
    "attestry completion bash > /etc/bash_completion.d/attestry",
    "attestry completion zsh",
    "attestry completion fish"
  ],
  __complete: [
    "attestry __complete -- attest ''",
    "attestry __complete -- begin --fl",
    "attestry __complete -- completion b"
  ],
  version: ["attestry version", "attestry version -o json", "attestry version --field version"]
}
