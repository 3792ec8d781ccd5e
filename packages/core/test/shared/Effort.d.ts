/** How much a test plays: little in `pnpm test`, more in `pnpm test:full`, and most where `ATTESTRY_DEEP` is set. */
/** The number of trials for this run, where the quick run plays as many as the full one. */
export declare const effort: (usual: number, deep: number) => number;
/** The length of generated histories for this run; files that call it take part in both runs. */
export declare const lengthForRun: (lengths: {
    readonly quick: number;
    readonly full: number;
    readonly deep: number;
}) => number;
//# sourceMappingURL=Effort.d.ts.map