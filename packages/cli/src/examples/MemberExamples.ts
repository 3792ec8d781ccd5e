/** Examples of the commands about members and invitations. */
import type { Examples } from "./Examples.js"

/** The examples of the `member` and `invitation` commands. */
export const MEMBER_EXAMPLES: Examples = {
  "member list": [
    "attestry member list",
    "attestry member list --all",
    "attestry member list -o json"
  ],
  "member add": [
    "attestry member add kim --role member",
    "attestry member add kim --role reader -o json",
    "attestry member add kim --role admin --dry-run"
  ],
  "member role": [
    "attestry member role kim admin",
    "attestry member role kim reader -o json",
    "attestry member role kim member --dry-run"
  ],
  "member suspend": [
    "attestry member suspend kim",
    "attestry member suspend kim --yes",
    "attestry member suspend kim --dry-run"
  ],
  "member restore": [
    "attestry member restore kim",
    "attestry member restore kim -o json",
    "attestry member restore kim --dry-run"
  ],
  "member sign-out": [
    "attestry member sign-out kim",
    "attestry member sign-out kim -o json",
    "attestry member sign-out kim --dry-run"
  ],
  "member remove": [
    "attestry member remove kim",
    "attestry member remove kim --yes",
    "attestry member remove kim --dry-run"
  ],
  "invitation create": [
    "attestry invitation create --role member --to-file link",
    "attestry invitation create --role reader --login kim --days 3 --to-file link",
    "attestry invitation create --role member --email kim@example.com --dry-run"
  ],
  "invitation list": [
    "attestry invitation list",
    "attestry invitation list --all",
    "attestry invitation list -o json"
  ],
  "invitation revoke": [
    "attestry invitation revoke ID",
    "attestry invitation revoke ID --yes",
    "attestry invitation revoke ID --dry-run"
  ]
}
