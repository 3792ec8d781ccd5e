/** An operation of the contract with its texts. */
export interface Described {
  readonly group: string
  readonly name: string
  readonly summary: string
  readonly description: string
}

/** Every operation of the contract, read with the modules of the platform that are handed in. */
export declare const operationsOf: (modules: object) => ReadonlyArray<Described>

/** The files with their texts, below the folder of packages. */
export declare const files: (operations: ReadonlyArray<Described>) => {
  readonly [file: string]: string
}
