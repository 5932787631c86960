type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

/** What a failed call rejects with. */
declare class ToolCallError extends Error {
  readonly toolName: ToolName;
}

interface ToolArgsMap {
  literals: {
    mode?: "fast" | "slow" | null;
    level?: 1 | 2 | 3;
    kind?: "file";
    exact?: { a: [1, "x", null, { [key: string]: never }]; "b-c": true };
    pair?: [1, 2];
    empty?: [];
    both?: boolean;
    filtered?: "a" | "b";
    contradiction?: never;
    text?: "it's" | "a\"b" | "c\nd" | "e\\f" | "\u2028" | "*/";
    big?: 1234567890123456789;
    float?: 1.5 | -2;
  };
}

interface ToolOutputMap {
  literals: null;
}

type ToolName = keyof ToolArgsMap;

declare const tools: {
  readonly [K in ToolName]: {} extends ToolArgsMap[K]
    ? (args?: ToolArgsMap[K]) => Promise<ToolOutputMap[K]>
    : (args: ToolArgsMap[K]) => Promise<ToolOutputMap[K]>;
};
