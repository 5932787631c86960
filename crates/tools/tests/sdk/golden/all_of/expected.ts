type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

/** What a failed call rejects with. */
declare class ToolCallError extends Error {
  readonly toolName: ToolName;
}

interface ToolArgsMap {
  /** exactly one of the alternatives */
  all_of: {
    /** at least 2 characters */
    a: string;
    b: number;
  } & { base?: boolean } & ({ c: 1 } | { d: 2 });
}

interface ToolOutputMap {
  all_of: null;
}

type ToolName = keyof ToolArgsMap;

declare const tools: {
  readonly [K in ToolName]: {} extends ToolArgsMap[K]
    ? (args?: ToolArgsMap[K]) => Promise<ToolOutputMap[K]>
    : (args: ToolArgsMap[K]) => Promise<ToolOutputMap[K]>;
};
// widened: all_of Input "/allOf/2/oneOf": no type says that only one of the alternatives fits
