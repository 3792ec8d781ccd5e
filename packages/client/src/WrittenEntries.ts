/** What a caller has written, for programs that keep it where later ones find it; every client keeps its own. */
export * from "@attestry/api/WrittenEntries"
