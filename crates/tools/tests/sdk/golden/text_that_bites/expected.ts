type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

/** What a failed call rejects with. */
declare class ToolCallError extends Error {
  readonly toolName: ToolName;
}

interface ToolArgsMap {
  text_that_bites: {
    /** glob like **\/*.ts or *\/ end\u2028next *\/ // """ ''' */
    glob?: string;
    /**
     * First line.
     *
     *   - a list
     *   - of things
     */
    multi?: string;
    /** \u0007\u202e fence ```ts */
    "bell\u0007"?: string;
    __proto__?: string;
    constructor?: string;
    class?: string;
    "odd-name"?: string;
    ""?: string;
    "quote\"\n\\"?: string;
    "工具"?: string;
    $x?: string;
    "1a"?: string;
    method?: string;
    self?: string;
    args?: string;
    name?: string;
    default?: string;
  };
}

interface ToolOutputMap {
  text_that_bites: null;
}

type ToolName = keyof ToolArgsMap;

declare const tools: {
  readonly [K in ToolName]: {} extends ToolArgsMap[K]
    ? (args?: ToolArgsMap[K]) => Promise<ToolOutputMap[K]>
    : (args: ToolArgsMap[K]) => Promise<ToolOutputMap[K]>;
};
