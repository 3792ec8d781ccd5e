/** Remembers the entries that a caller wrote, for programs that keep them for later runs; clients keep their own. */
export * from "@attestry/api/WrittenEntries"
