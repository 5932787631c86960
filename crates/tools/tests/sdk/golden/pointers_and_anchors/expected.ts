type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

/** What a failed call rejects with. */
declare class ToolCallError extends Error {
  readonly toolName: ToolName;
}

interface ToolArgsMap {
  pointers_and_anchors: {
    escaped?: string;
    /** integer */
    anchor?: number;
    relative?: { local?: boolean };
    inside?: boolean;
    property?: string;
    array?: "second" | "item";
    itself?: JsonValue;
    or_itself?: string | string;
    /** integer */
    dynamic?: number;
  };
}

interface ToolOutputMap {
  pointers_and_anchors: null;
}

type ToolName = keyof ToolArgsMap;

declare const tools: {
  readonly [K in ToolName]: {} extends ToolArgsMap[K]
    ? (args?: ToolArgsMap[K]) => Promise<ToolOutputMap[K]>
    : (args: ToolArgsMap[K]) => Promise<ToolOutputMap[K]>;
};
// widened: pointers_and_anchors Input "/properties/itself": the reference to `itself` leads back to itself
