/** The path of the program. The environment variable MCP_ASSAY names another one. */
export declare function findProgram(): string;
