/** The keyboard shortcuts, for the list that `?` opens. */

export interface KeyText {
  readonly keys: ReadonlyArray<string>
  readonly text: string
}

export const KEY_GROUPS: ReadonlyArray<readonly [title: string, keys: ReadonlyArray<KeyText>]> = [
  [
    "Everywhere",
    [
      { keys: ["⌘K", "Ctrl K"], text: "search, or run a command" },
      { keys: ["/"], text: "filter the list" },
      { keys: ["u"], text: "UTC or local time" },
      { keys: ["?"], text: "these keys" },
      { keys: ["Esc"], text: "close" }
    ]
  ],
  [
    "Go to",
    [
      { keys: ["g o"], text: "overview" },
      { keys: ["g f"], text: "flows" },
      { keys: ["g p"], text: "policies" },
      { keys: ["g w"], text: "waivers" },
      { keys: ["g c"], text: "controls" },
      { keys: ["g b"], text: "builds" },
      { keys: ["g d"], text: "deployments" }
    ]
  ],
  [
    "Lists",
    [
      { keys: ["j", "↓"], text: "next row" },
      { keys: ["k", "↑"], text: "previous row" },
      { keys: ["Enter"], text: "open the row" },
      { keys: ["."], text: "actions of the row" },
      { keys: ["y"], text: "copy the fingerprint" }
    ]
  ],
  [
    "Snapshots",
    [
      { keys: ["["], text: "older" },
      { keys: ["]"], text: "newer" },
      { keys: ["l"], text: "latest" },
      { keys: ["d"], text: "compare with the one before" }
    ]
  ]
]
