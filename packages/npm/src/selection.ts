/** The selection of rules, and the error about a wrong one. */

/** mcp-assay could not do its work: the configuration is wrong, or the program is missing. */
export class AssayError extends Error {
  override name = "AssayError";
}

/** What counts as an error: errors only ("must"), or warnings, too ("should" or `true`). */
export type Strict = boolean | "must" | "should";

/** Whether warnings count as errors: by `true` or "should"; not by `false` or "must". */
export function raisesWarnings(strict: Strict | undefined): boolean {
  if (![undefined, true, false, "must", "should"].includes(strict)) {
    throw new AssayError('strict is a boolean, "must" or "should"');
  }
  return strict === true || strict === "should";
}

/** Names of rules, families, layers or levels: a list, or a text with commas. */
export function names(given: string | readonly string[] | undefined): readonly string[] {
  if (typeof given !== "string") {
    return given ?? [];
  }
  return given
    .split(",")
    .map((it) => it.trim())
    .filter((it) => it !== "");
}
