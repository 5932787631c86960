type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

/** What a failed call rejects with. */
declare class ToolCallError extends Error {
  readonly toolName: ToolName;
}

interface ToolArgsMap {
  choices: {
    by?:
      | /** Looks one up. */ { kind: "id"; id: string }
      | {
          kind: "query";
          /** at least 1 character */
          query: string;
        };
    /** default null */
    nullable?:
      | /** A name. */ string
      | null;
    /** exactly one of the alternatives */
    overlap?:
      | /** at most 3 characters */ string
      | /** matches /^x/ */ string;
    not_null?: string;
    /** not {"const":"root"} */
    not_that?: string;
    openapi?: "a" | "b" | null;
    mixed?: { a?: number } | string[];
    anything?: JsonValue;
    nothing?: never;
    /** if {"required":["a"]}, then {"required":["b"]}, else {"required":["c"]} */
    conditional?: { a?: string };
  } & ({ by: JsonValue } | { nullable: JsonValue });
}

interface ToolOutputMap {
  choices: null;
}

type ToolName = keyof ToolArgsMap;

declare const tools: {
  readonly [K in ToolName]: {} extends ToolArgsMap[K]
    ? (args?: ToolArgsMap[K]) => Promise<ToolOutputMap[K]>
    : (args: ToolArgsMap[K]) => Promise<ToolOutputMap[K]>;
};
// widened: choices Input "/properties/overlap/oneOf": no type says that only one of the alternatives fits
// widened: choices Input "/properties/not_that/not": no type says what `not` excludes
// widened: choices Input "/properties/conditional/if": no type says what holds under a condition
