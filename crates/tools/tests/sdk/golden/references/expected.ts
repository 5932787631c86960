type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

/** What a failed call rejects with. */
declare class ToolCallError extends Error {
  readonly toolName: ToolName;
}

/** A node. */
type ReferencesN = {
  v: number;
  kids?: ReferencesN[];
  colour?: ReferencesColour;
  /** The other colour. */
  other?: ReferencesColour;
  /** Used once. */
  once?: { x?: string };
  /** format uuid */
  id?: string;
  /** each: format uuid */
  ids?: string[];
};
/** A colour. */
type ReferencesColour = "red" | "green";

interface ToolArgsMap {
  references: ReferencesN;
}

interface ToolOutputMap {
  references: null;
}

type ToolName = keyof ToolArgsMap;

declare const tools: {
  readonly [K in ToolName]: {} extends ToolArgsMap[K]
    ? (args?: ToolArgsMap[K]) => Promise<ToolOutputMap[K]>
    : (args: ToolArgsMap[K]) => Promise<ToolOutputMap[K]>;
};
