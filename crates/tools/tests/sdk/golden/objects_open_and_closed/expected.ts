type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

/** What a failed call rejects with. */
declare class ToolCallError extends Error {
  readonly toolName: ToolName;
}

interface ToolArgsMap {
  objects_open_and_closed: {
    open?: { [key: string]: JsonValue };
    closed?: { [key: string]: never };
    said_open?: { a: string; b?: number; [key: string]: unknown };
    map?: {
      /** at least 0 */
      [key: string]: number;
    };
    mixed?: { a: number; [key: string]: string | number };
    mixed_deep?: { a?: { x?: string }; [key: string]: string[] | unknown };
    undeclared?: { x: string; y: string; [key: string]: string };
    impossible?: never;
    barred?: { gone?: never; here: JsonValue };
    /** names that match /^x-/: {"type":"string"}; /^n/: {"type":"number"} */
    patterns?: { [key: string]: string | number };
    pattern_every?: { [key: string]: string };
    /** names that match /^x-/: {"type":"string"} */
    pattern_open?: { [key: string]: JsonValue };
    /** names fit {"enum":["en","de"]} */
    listed?: { en: string; de?: string };
    /** at least 1 member; names fit {"pattern":"^[a-z]+$"} */
    named?: { [key: string]: JsonValue };
    /** "card" goes with "address" */
    dependent?: { card?: string; address?: string };
    implied?: { a?: string };
  };
}

interface ToolOutputMap {
  objects_open_and_closed: null;
}

type ToolName = keyof ToolArgsMap;

declare const tools: {
  readonly [K in ToolName]: {} extends ToolArgsMap[K]
    ? (args?: ToolArgsMap[K]) => Promise<ToolOutputMap[K]>
    : (args: ToolArgsMap[K]) => Promise<ToolOutputMap[K]>;
};
// widened: objects_open_and_closed Input "/properties/mixed/additionalProperties": no type says what other members are beside declared ones
// widened: objects_open_and_closed Input "/properties/mixed_deep/additionalProperties": no type says what other members are beside declared ones
// widened: objects_open_and_closed Input "/properties/patterns/patternProperties": no type says which names have which type
// widened: objects_open_and_closed Input "/properties/pattern_open/patternProperties": no type says which names have which type, and the other members may be anything
// widened: objects_open_and_closed Input "/properties/named/propertyNames": no type says what the names must fit
// widened: objects_open_and_closed Input "/properties/dependent/dependentRequired/card": no type says which members go with which
