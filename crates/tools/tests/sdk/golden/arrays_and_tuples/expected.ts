type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

/** What a failed call rejects with. */
declare class ToolCallError extends Error {
  readonly toolName: ToolName;
}

interface ToolArgsMap {
  arrays_and_tuples: {
    anything?: JsonValue[];
    nested?: (string | null)[][];
    point?: [number, number];
    tuple?: [string?, number?];
    exact?: [string, number];
    /** at least 1 item */
    with_rest?: [string, ...("a" | "b")[]];
    none?: [];
    never?: [];
    /**
     * What to write.
     * Each: A row.
     */
    rows?: {
      /** Its number. (integer) */
      id: number;
      /** Each: A tag. */
      tags?: string[];
    }[];
    /** contains an item at least 2 times that fits {"type":"string"} */
    contains?: JsonValue[];
    unions?: (string | number[])[];
  };
}

interface ToolOutputMap {
  arrays_and_tuples: null;
}

type ToolName = keyof ToolArgsMap;

declare const tools: {
  readonly [K in ToolName]: {} extends ToolArgsMap[K]
    ? (args?: ToolArgsMap[K]) => Promise<ToolOutputMap[K]>
    : (args: ToolArgsMap[K]) => Promise<ToolOutputMap[K]>;
};
// widened: arrays_and_tuples Input "/properties/contains/contains": no type says what some of the items must fit
