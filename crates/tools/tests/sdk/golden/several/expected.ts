type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

/** What a failed call rejects with. */
declare class ToolCallError extends Error {
  readonly toolName: ToolName;
}

interface ToolArgsMap {
  /** Lists a directory. */
  list_dir: { path: string; recursive?: boolean };
  /** Says the time. */
  now: { [key: string]: JsonValue };
  ping: { [key: string]: never };
  /**
   * Reads a file from disk.
   *
   * Fails when there is none.
   */
  read_file: {
    /** Absolute path. */
    path: string;
    /** Lines to read. (integer; at least 1) */
    limit?: number;
  };
}

interface ToolOutputMap {
  list_dir: { name: string; size: number; kind: "file" | "directory" }[];
  /** The time in UTC. (format date-time) */
  now: string;
  ping: JsonValue;
  read_file: string;
}

type ToolName = keyof ToolArgsMap;

declare const tools: {
  readonly [K in ToolName]: {} extends ToolArgsMap[K]
    ? (args?: ToolArgsMap[K]) => Promise<ToolOutputMap[K]>
    : (args: ToolArgsMap[K]) => Promise<ToolOutputMap[K]>;
};
