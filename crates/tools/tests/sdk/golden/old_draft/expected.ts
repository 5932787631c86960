type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

/** What a failed call rejects with. */
declare class ToolCallError extends Error {
  readonly toolName: ToolName;
}

interface ToolArgsMap {
  /** "a" goes with "b"; with "c", fits {"required":["d"]} */
  old_draft: {
    /** Beside it. (at least 3 characters) */
    a?: string | null;
    tuple?: [string, boolean?];
  };
}

interface ToolOutputMap {
  old_draft: null;
}

type ToolName = keyof ToolArgsMap;

declare const tools: {
  readonly [K in ToolName]: {} extends ToolArgsMap[K]
    ? (args?: ToolArgsMap[K]) => Promise<ToolOutputMap[K]>
    : (args: ToolArgsMap[K]) => Promise<ToolOutputMap[K]>;
};
// widened: old_draft Input "/dependencies/a": no type says which members go with which
// widened: old_draft Input "/dependencies/c": no type says what holds when a member is there
