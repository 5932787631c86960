type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

/** What a failed call rejects with. */
declare class ToolCallError extends Error {
  readonly toolName: ToolName;
}

interface ToolArgsMap {
  unevaluated: {
    closed?: { a?: string; b?: string };
    /** no other members */
    depends?: { a?: string } | { b?: string };
    items?: [string?];
    /** with "a", fits {"required":["b"]} */
    with?: { a?: string };
  };
}

interface ToolOutputMap {
  unevaluated: null;
}

type ToolName = keyof ToolArgsMap;

declare const tools: {
  readonly [K in ToolName]: {} extends ToolArgsMap[K]
    ? (args?: ToolArgsMap[K]) => Promise<ToolOutputMap[K]>
    : (args: ToolArgsMap[K]) => Promise<ToolOutputMap[K]>;
};
// widened: unevaluated Input "/properties/depends/unevaluatedProperties": which members are left over depends on the value
// widened: unevaluated Input "/properties/with/dependentSchemas/a": no type says what holds when a member is there
